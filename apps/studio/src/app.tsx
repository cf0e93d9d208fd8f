import { QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query';
import { Activity, Suspense, useEffect, useState } from 'react';
import { type Me, meQuery } from './api/me.ts';
import { createQueryClient, forgetAllButMe } from './query-client.ts';
import { loadable } from './routing/loadable.tsx';
import { basePath, navigate, placeOf, usePlace } from './routing/location.ts';
import { PageBoundary } from './shell/page-boundary.tsx';
import type { PageProps } from './shell/page-props.ts';
import { PageSkeleton, Splash } from './shell/page-skeleton.tsx';
import { Shell } from './shell/shell.tsx';
import { EmptyState, ErrorState } from './ui/state.tsx';
import { Toaster } from './ui/toast.tsx';
import { MapPinOff } from 'lucide-react';
import { Link } from './routing/link.tsx';
import { buttonClass } from './ui/button.tsx';

const FilesPage = loadable(() => import('./files/files-page.tsx').then((m) => m.FilesPage));
const FlowsPage = loadable(() => import('./flows/flows-page.tsx').then((m) => m.FlowsPage));
const FlowPage = loadable(() => import('./canvas/flow-page.tsx').then((m) => m.FlowPage));
const PlaygroundPage = loadable(() => import('./playground/playground-page.tsx').then((m) => m.PlaygroundPage));
const UsePage = loadable(() => import('./use/use-page.tsx').then((m) => m.UsePage));
const RunsPage = loadable(() => import('./runs/runs-page.tsx').then((m) => m.RunsPage));
const FlowRunsPage = loadable(() => import('./runs/runs-page.tsx').then((m) => m.FlowRunsPage));
const RunPage = loadable(() => import('./runs/run-page.tsx').then((m) => m.RunPage));
const ConnectPage = loadable(() => import('./connect/connect-page.tsx').then((m) => m.ConnectPage));
const SettingsPage = loadable(() => import('./settings/settings-page.tsx').then((m) => m.SettingsPage));
const PublicPage = loadable(() => import('./public/public-page.tsx').then((m) => m.PublicPage));
const Kit = loadable(() => import('./kit/kit-page.tsx').then((m) => m.KitPage));
const SignIn = loadable(() => import('./sign-in/sign-in-page.tsx').then((m) => m.SignInPage));
const OpenByLink = loadable(() => import('./sign-in/open-by-link-page.tsx').then((m) => m.OpenByLinkPage));

/** The pages of one flow, by the last part of their address. */
const FLOW_PAGES = new Map([
  ['', FlowPage],
  ['play', PlaygroundPage],
  ['runs', FlowRunsPage],
  ['use', UsePage],
  ['versions', FlowPage],
]);

// The page's code loads at the same time as the user.
void (pageOf(placeOf(location.pathname, location.search, basePath()).path) ?? FilesPage).preload();

function pageOf(path: string) {
  const [, first, second, third = '', ...rest] = path.split('/');
  if (first === 'p') return PublicPage;
  if (first === 'files') return FilesPage;
  if (first === 'runs') return second === undefined ? RunsPage : RunPage;
  if (first === 'flows' && second === undefined) return FlowsPage;
  if (first === 'flows') return rest.length === 0 ? FLOW_PAGES.get(third) : undefined;
  if (first === 'connect') return ConnectPage;
  if (first === 'settings') return SettingsPage;
  return undefined;
}

/** The studio. Start reading here: the session decides between sign-in and the pages, the path decides which page. */
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
  // Visitors of a public link have no account, and the page does not ask for one.
  return path.startsWith('/p/') ? <PublicPage /> : <Pages path={path} />;
}

function Pages({ path }: { path: string }) {
  const me = useQuery(meQuery);
  useEffect(() => {
    if (path === '/') navigate('/files', { replace: true });
  }, [path]);
  const isSignedIn = Boolean(me.data?.user);
  useEffect(() => {
    if (isSignedIn) for (const page of [FilesPage, FlowsPage, ConnectPage, SettingsPage]) void page.preload();
  }, [isSignedIn]);
  if (path === '/kit') return <Kit />;
  if (me.isPending) return <Splash />;
  if (!me.data)
    return (
      <main className="grid min-h-dvh place-items-center">
        <ErrorState isPage title="Croft cannot be reached" error={me.error} onRetry={() => void me.refetch()} />
      </main>
    );
  return <SignedIn me={me.data} path={path} />;
}

/** The pages of the signed-in user. When the session ends they stay, hidden, with all that was typed: the same user finds them again. */
function SignedIn({ me, path }: { me: Me; path: string }) {
  const [kept, setKept] = useState<PageProps['me']>();
  // Nothing stays of a user who signs out.
  const [hasLeft, setHasLeft] = useState(false);
  const { user } = me;
  const shown = user ? { ...me, user } : hasLeft ? undefined : kept;
  if (user && user !== kept?.user && !hasLeft) setKept({ ...me, user });
  if (!user && hasLeft) {
    setKept(undefined);
    setHasLeft(false);
  }
  const client = useQueryClient();
  const isEmpty = shown === undefined;
  useEffect(() => {
    if (isEmpty) forgetAllButMe(client);
  }, [client, isEmpty]);
  const Page = pageOf(path);
  return (
    <>
      {shown && (
        <Activity mode={user ? 'visible' : 'hidden'}>
          <Shell key={shown.user.id} me={shown} onSignOut={() => setHasLeft(true)}>
            <PageBoundary key={path.split('/')[1]} path={path}>
              <Suspense fallback={<PageSkeleton />}>{Page ? <Page me={shown} /> : <NoSuchPage />}</Suspense>
            </PageBoundary>
          </Shell>
        </Activity>
      )}
      {!user && (me.autoLogin ? <OpenByLink /> : <SignIn />)}
    </>
  );
}

function NoSuchPage() {
  const { path } = usePlace();
  if (path === '/') return <PageSkeleton />;
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
