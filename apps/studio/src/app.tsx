import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { meQuery } from './api/me.ts';
import { createQueryClient } from './query-client.ts';
import { loadable } from './routing/loadable.tsx';
import { basePath, navigate, placeOf, usePlace } from './routing/location.ts';
import { RoomBoundary } from './shell/room-boundary.tsx';
import { RoomSkeleton, Splash } from './shell/room-skeleton.tsx';
import { Shell } from './shell/shell.tsx';
import { EmptyState, ErrorState } from './ui/state.tsx';
import { Toaster } from './ui/toast.tsx';
import { MapPinOff } from 'lucide-react';
import { Link } from './routing/link.tsx';
import { buttonClass } from './ui/button.tsx';

const FilesRoom = loadable(() => import('./files/files-room.tsx').then((m) => m.FilesRoom));
const ConnectRoom = loadable(() => import('./connect/connect-room.tsx').then((m) => m.ConnectRoom));
const SettingsRoom = loadable(() => import('./settings/settings-room.tsx').then((m) => m.SettingsRoom));
const Kit = loadable(() => import('./kit/kit-room.tsx').then((m) => m.KitRoom));
const SignIn = loadable(() => import('./sign-in/sign-in-page.tsx').then((m) => m.SignInPage));
const OpenByLink = loadable(() => import('./sign-in/open-by-link-page.tsx').then((m) => m.OpenByLinkPage));

// The page's code loads at the same time as the user.
(roomOf(placeOf(location.pathname, location.search, basePath()).path) ?? FilesRoom).preload();

function roomOf(path: string) {
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
  const isSignedIn = Boolean(me.data?.user);
  useEffect(() => {
    if (isSignedIn) for (const room of [FilesRoom, ConnectRoom, SettingsRoom]) room.preload();
  }, [isSignedIn]);
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
      title="Page not found"
      action={
        <Link to="/files" className={buttonClass('primary')}>
          Go to your files
        </Link>
      }
    >
      Check the address. It may be from another version of Croft.
    </EmptyState>
  );
}
