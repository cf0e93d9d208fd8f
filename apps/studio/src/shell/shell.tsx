import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Files, History, LogOut, Plug, Settings, Workflow } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { useServerEvents } from '../api/events.ts';
import { gatewayQuery } from '../api/gateway.ts';
import { localAccessQuery } from '../api/local-access.ts';
import { api } from '../api/api.ts';
import { type Me, meQuery } from '../api/me.ts';
import { forgetUser } from '../assistant/forget-user.ts';
import { Uploads } from '../files/uploads.tsx';
import type { PageProps } from './page-props.ts';
import { Link } from '../routing/link.tsx';
import { navigate, usePlace } from '../routing/location.ts';
import { IconButton } from '../ui/button.tsx';
import { cn } from '../ui/class-names.ts';
import { dismissToasts, toastError } from '../ui/toast.tsx';
import { Mark } from './mark.tsx';
import { AwayBanner } from './away-banner.tsx';
import { ServerLink, useServerLink } from './server-link.ts';

const PAGES = [
  { name: 'Files', to: '/files', first: 'files', icon: Files },
  { name: 'Flows', to: '/flows', first: 'flows', icon: Workflow },
  { name: 'Runs', to: '/runs', first: 'runs', icon: History },
  { name: 'Connect', to: '/connect', first: 'connect', icon: Plug },
  { name: 'Settings', to: '/settings', first: 'settings', icon: Settings },
];

/** The frame of all pages: a rail at the side, or at the foot of a narrow page. `onSignOut`: the person leaves, and nothing may be kept. */
export function Shell({ me, onSignOut, children }: PageProps & { onSignOut: () => void; children: ReactNode }) {
  const { live, away, tryNow } = useServerEvents();
  const link = useMemo(() => ({ live, away, tryNow }), [live, away, tryNow]);
  const [, first, id] = usePlace().path.split('/');
  const isOnFlow = first === 'flows' && id !== undefined && id !== '';
  return (
    <ServerLink value={link}>
      <a
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('main')?.focus();
        }}
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md bg-accent px-3 py-2 font-medium text-on-accent focus:translate-y-0"
      >
        Skip to content
      </a>
      <div
        data-slim={isOnFlow || undefined}
        className="min-h-dvh max-md:pb-16 md:grid md:grid-cols-[13rem_minmax(0,1fr)] slim:grid-cols-[3.5rem_minmax(0,1fr)]"
      >
        <Rail me={me} onSignOut={onSignOut} />
        <main id="main" tabIndex={-1} className="min-w-0">
          <AwayBanner />
          <Uploads>{children}</Uploads>
        </main>
      </div>
    </ServerLink>
  );
}

function Rail({ me, onSignOut }: PageProps & { onSignOut: () => void }) {
  return (
    <header className="z-30 flex items-center gap-3 border-line bg-surface px-4 py-2 max-md:border-b md:sticky md:top-0 md:h-dvh md:flex-col md:items-stretch md:gap-6 md:border-r md:px-3 md:py-5 slim:px-2">
      <Link to="/files" className="flex items-center gap-2 rounded-md md:px-2" aria-label="Croft, to your files">
        <Mark className="size-6" />
        <span className="text-lg font-semibold tracking-tight slim:hidden">Croft</span>
      </Link>
      <PageLinks me={me} />
      <div className="flex items-center gap-1 max-md:ml-auto md:mt-auto md:flex-col md:items-stretch md:gap-3">
        {me.features?.gateway !== false && <ConnectionMark me={me} />}
        <Person me={me} onSignOut={onSignOut} />
      </div>
    </header>
  );
}

function PageLinks({ me }: PageProps) {
  const { path } = usePlace();
  return (
    <nav
      aria-label="Pages"
      className="max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:z-40 max-md:border-t max-md:border-line max-md:bg-surface"
    >
      <ul className="flex max-md:justify-around md:flex-col md:gap-0.5">
        {PAGES.map(({ name, to, first, icon: Icon }) => {
          const current = path.split('/')[1] === first;
          return (
            <li key={first} className="max-md:flex-1">
              <Link
                to={to}
                title={name}
                aria-current={current ? 'page' : undefined}
                className={cn(
                  'flex items-center rounded-md font-medium focus-visible:-outline-offset-2 max-md:min-h-14 max-md:flex-col max-md:justify-center max-md:gap-0.5 max-md:text-xs md:min-h-9 md:gap-2.5 md:px-2 slim:justify-center slim:gap-0',
                  current ? 'text-accent-strong md:bg-selected' : 'text-soft hovered:text-ink md:hovered:bg-hover',
                )}
              >
                <span className="relative">
                  <Icon aria-hidden="true" size={19} strokeWidth={current ? 2.2 : 1.9} />
                  {first === 'connect' && <ConnectedDot me={me} />}
                </span>
                <span className="slim:sr-only">{name}</span>
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** On a narrow page the mark is a dot on the icon of the Connect page, which says it in words. */
function ConnectedDot({ me }: PageProps) {
  const { tone } = useMachineFiles(me);
  if (tone === 'none') return null;
  return (
    <span
      aria-hidden="true"
      className={cn(
        'absolute -top-0.5 -right-1 size-2 rounded-full ring-2 ring-surface md:hidden',
        tone === 'on' ? 'bg-accent' : 'bg-warn',
      )}
    />
  );
}

/** Whether agents may use files of a machine, in sight on every page. */
function ConnectionMark({ me }: PageProps) {
  const { text, tone } = useMachineFiles(me);
  return (
    <Link
      to="/connect"
      title={text}
      className="flex min-h-8 items-center gap-2.5 rounded-md px-2 text-sm text-soft hovered:bg-hover hovered:text-ink max-md:hidden slim:justify-center"
    >
      <span
        aria-hidden="true"
        className={cn(
          'ml-1 size-2 rounded-full slim:ml-0',
          tone === 'none' ? 'border border-edge' : tone === 'on' ? 'bg-accent' : 'bg-warn',
        )}
      />
      <span className="slim:sr-only">{text}</span>
    </Link>
  );
}

/** Which files of a machine agents may use: those of a connected folder, else those of the server's own machine. */
function useMachineFiles(me: PageProps['me']): { text: string; tone: 'none' | 'on' | 'paused' } {
  const { data } = useQuery({ ...gatewayQuery, retry: false });
  const local = useQuery({ ...localAccessQuery(me), retry: false });
  const { away } = useServerLink();
  if (away) return { text: 'Croft is not reachable', tone: 'none' };
  const isDirect = data !== undefined && !data.connected && local.data?.state === 'on';
  if (!data?.connected && !isDirect) return { text: 'No folder connected', tone: 'none' };
  const what = isDirect ? 'Direct access' : 'Folder';
  if (!data.enabled) return { text: `${what} paused`, tone: 'paused' };
  return { text: isDirect ? 'Direct access on' : 'Folder connected', tone: 'on' };
}

/** The first letters of the first and the last word of a name. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = [words.at(0), words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0] ?? '');
  return letters.join('').toUpperCase();
}

function Person({ me, onSignOut }: PageProps & { onSignOut: () => void }) {
  const client = useQueryClient();
  const name = me.user.name || me.user.email;
  const leave = useMutation({
    mutationFn: () => api('DELETE /api/v1/session'),
    onSuccess: async () => {
      // A response to an earlier request would sign the user in again on this page.
      await client.cancelQueries({ queryKey: meQuery.queryKey });
      forgetUser(me.user.id);
      forgetUser(me.user.id, () => sessionStorage);
      onSignOut();
      dismissToasts();
      navigate('/', { replace: true });
      const before = client.getQueryData<Me>(meQuery.queryKey);
      if (before) client.setQueryData(meQuery.queryKey, { ...before, user: null });
    },
    onError: toastError,
  });
  return (
    <div className="flex items-center gap-2 md:border-t md:border-line md:px-1 md:pt-3 slim:flex-col slim:justify-center slim:px-0">
      {!me.autoLogin && (
        <span
          aria-hidden="true"
          title={name === me.user.email ? name : `${name}, ${me.user.email}`}
          className="hidden size-8 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent-strong slim:grid"
        >
          {initialsOf(name)}
        </span>
      )}
      <span
        className={cn(
          'min-w-0 grow px-1 slim:sr-only',
          me.autoLogin ? 'max-md:sr-only' : 'max-md:max-w-[45vw] max-md:px-0',
        )}
      >
        <span className="block truncate text-sm font-medium">{name}</span>
        {!me.autoLogin && <span className="block truncate text-xs text-soft max-md:sr-only">{me.user.email}</span>}
      </span>
      {!me.autoLogin && (
        <IconButton label="Sign out" onClick={() => leave.mutate()}>
          <LogOut size={17} />
        </IconButton>
      )}
    </div>
  );
}
