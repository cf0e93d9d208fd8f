import { type ComponentType, useEffect } from 'react';
import type { PageProps } from '../shell/page-props.ts';
import { Link } from '../routing/link.tsx';
import { navigate, usePlace } from '../routing/location.ts';
import { PageHead } from '../shell/page-head.tsx';
import { cn } from '../ui/class-names.ts';
import { AboutPage } from './about-page.tsx';
import { AccountPage } from './account-page.tsx';
import { ActivityPage } from './activity-page.tsx';
import { AppearancePage } from './appearance-page.tsx';
import { AuditPage } from './audit-page.tsx';
import { ComponentsPage } from './components-page.tsx';
import { KeysPage } from './keys-page.tsx';
import { ProvidersPage } from './providers-page.tsx';
import { UsersPage } from './users-page.tsx';
import { VariablesPage } from './variables-page.tsx';
import { WorkersPage } from './workers-page.tsx';

interface SettingsEntry {
  readonly name: string;
  readonly path: string;
  readonly page: ComponentType<PageProps>;
  readonly adminsOnly?: boolean;
  /** Not on a server without sign-in. */
  readonly needsAccounts?: boolean;
}

const PAGES: readonly SettingsEntry[] = [
  { name: 'Account', path: 'account', page: AccountPage },
  { name: 'Model providers', path: 'providers', page: ProvidersPage },
  { name: 'Variables', path: 'variables', page: VariablesPage },
  { name: 'Components', path: 'components', page: ComponentsPage },
  { name: 'API keys', path: 'keys', page: KeysPage },
  { name: 'Activity', path: 'activity', page: ActivityPage },
  { name: 'Users', path: 'users', page: UsersPage, adminsOnly: true, needsAccounts: true },
  { name: 'Audit log', path: 'audit', page: AuditPage, adminsOnly: true },
  { name: 'Workers', path: 'workers', page: WorkersPage, adminsOnly: true },
  { name: 'Appearance', path: 'appearance', page: AppearancePage },
  { name: 'About', path: 'about', page: AboutPage },
];

/** The settings pages; start reading here. Some are for administrators. */
export function SettingsPage({ me }: PageProps) {
  const path = usePlace().path.split('/')[2] ?? '';
  const pages = PAGES.filter(
    ({ adminsOnly, needsAccounts }) =>
      (!adminsOnly || me.user.role === 'admin') && !(needsAccounts === true && me.autoLogin),
  );
  const current = pages.find((page) => page.path === path) ?? pages[0];
  useEffect(() => {
    if (current && current.path !== path) navigate(`/settings/${current.path}`, { replace: true });
  }, [current, path]);
  const Page = current?.page ?? AccountPage;
  return (
    <div className="mx-auto w-full max-w-6xl p-4 md:p-8">
      <div className="grid max-w-4xl grid-cols-1 gap-5">
        <PageHead title="Settings" />
        <div className="grid grid-cols-1 gap-x-8 gap-y-5 lg:grid-cols-[10rem_minmax(0,1fr)]">
          <nav aria-label="Settings" className="min-w-0">
            <ul className="flex gap-1 overflow-x-auto p-0.5 lg:flex-col">
              {pages.map((page) => (
                <li key={page.path}>
                  <Link
                    ref={
                      page === current
                        ? (link) => link?.scrollIntoView({ block: 'nearest', inline: 'center' })
                        : undefined
                    }
                    to={`/settings/${page.path}`}
                    aria-current={page === current ? 'page' : undefined}
                    className={cn(
                      'flex min-h-9 items-center rounded-md px-3 font-medium whitespace-nowrap',
                      page === current
                        ? 'bg-selected text-accent-strong'
                        : 'text-soft hovered:bg-hover hovered:text-ink',
                    )}
                  >
                    {page.name}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
          <div className="grid min-w-0 grid-cols-1 content-start gap-5">
            <Page me={me} />
          </div>
        </div>
      </div>
    </div>
  );
}
