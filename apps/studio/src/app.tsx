import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { type ComponentType, type LazyExoticComponent, lazy, Suspense, useEffect, useState } from 'react';
import { meQuery } from './api/me.ts';
import { createQueryClient } from './query-client.ts';
import { navigate, usePlace } from './routing/location.ts';
import type { RoomProps } from './shell/room-props.ts';
import { RoomBoundary } from './shell/room-boundary.tsx';
import { RoomSkeleton, Splash } from './shell/room-skeleton.tsx';
import { Shell } from './shell/shell.tsx';
import { EmptyState, ErrorState } from './ui/state.tsx';
import { Toaster } from './ui/toast.tsx';
import { MapPinOff } from 'lucide-react';
import { Link } from './routing/link.tsx';
import { buttonClass } from './ui/button.tsx';

const loadFiles = () => import('./files/files-room.tsx');
const FilesRoom = lazy(() => loadFiles().then((m) => ({ default: m.FilesRoom })));
const ConnectRoom = lazy(() => import('./connect/connect-room.tsx').then((m) => ({ default: m.ConnectRoom })));
const SettingsRoom = lazy(() => import('./settings/settings-room.tsx').then((m) => ({ default: m.SettingsRoom })));
const Kit = lazy(() => import('./kit/kit-room.tsx').then((m) => ({ default: m.KitRoom })));
const SignIn = lazy(() => import('./sign-in/sign-in-page.tsx').then((m) => ({ default: m.SignInPage })));
const OpenByLink = lazy(() => import('./sign-in/open-by-link-page.tsx').then((m) => ({ default: m.OpenByLinkPage })));

// The room most people enter is fetched while the server is asked who they are.
if (!/\/(settings|connect|kit)(\/|$)/.test(location.pathname)) void loadFiles();

function roomOf(path: string): LazyExoticComponent<ComponentType<RoomProps>> | undefined {
  const [, first] = path.split('/');
  if (first === 'files') return FilesRoom;
  if (first === 'connect') return ConnectRoom;
  if (first === 'settings') return SettingsRoom;
  return undefined;
}

/** The studio. Start reading here: who is here decides the door, the path decides the room. */
export function App() {
  const [client] = useState(createQueryClient);
  return (
    <QueryClientProvider client={client}>
      <Suspense fallback={<Splash />}>
        <Front />
      </Suspense>
      <Toaster />
    </QueryClientProvider>
  );
}

function Front() {
  const { path } = usePlace();
  const me = useQuery(meQuery);
  useEffect(() => {
    if (path === '/') navigate('/files', { replace: true });
  }, [path]);
  if (path === '/kit') return <Kit />;
  if (me.isPending) return <Splash />;
  if (!me.data)
    return (
      <main className="grid min-h-dvh place-items-center">
        <ErrorState isPage title="Croft cannot be reached" error={me.error} onRetry={() => void me.refetch()} />
      </main>
    );
  const { user } = me.data;
  if (!user) return me.data.autoLogin ? <OpenByLink /> : <SignIn />;
  const Room = roomOf(path);
  return (
    <Shell me={{ ...me.data, user }}>
      <RoomBoundary key={path.split('/')[1]}>
        <Suspense fallback={<RoomSkeleton />}>{Room ? <Room me={{ ...me.data, user }} /> : <NoSuchRoom />}</Suspense>
      </RoomBoundary>
    </Shell>
  );
}

function NoSuchRoom() {
  const { path } = usePlace();
  if (path === '/') return <RoomSkeleton />;
  return (
    <EmptyState
      isPage
      icon={<MapPinOff size={22} />}
      title="There is no such page"
      action={
        <Link to="/files" className={buttonClass('primary')}>
          Go to your files
        </Link>
      }
    >
      The address may be mistyped, or from another version of Croft.
    </EmptyState>
  );
}
