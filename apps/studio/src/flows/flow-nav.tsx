import { Link } from '../routing/link.tsx';
import { usePlace } from '../routing/location.ts';
import { cn } from '../ui/class-names.ts';

const PAGES = [
  { name: 'Canvas', path: '' },
  { name: 'Playground', path: '/play' },
  { name: 'Runs', path: '/runs' },
  { name: 'Use it', path: '/use' },
  { name: 'Versions', path: '/versions' },
] as const;

/** The pages of one flow. */
export function FlowNav({ id }: { id: string }) {
  const { path } = usePlace();
  return (
    <nav aria-label="Pages of this flow" className="-mb-3 min-w-0 overflow-x-auto">
      <ul className="flex gap-1">
        {PAGES.map((page) => {
          const to = `/flows/${id}${page.path}`;
          const isCurrent = page.path === '' ? path === to : path.startsWith(to);
          return (
            <li key={page.path}>
              <Link
                to={to}
                aria-current={isCurrent ? 'page' : undefined}
                className={cn(
                  'flex min-h-9 items-center border-b-2 px-2.5 text-sm font-medium whitespace-nowrap focus-visible:-outline-offset-2',
                  isCurrent ? 'border-accent text-ink' : 'border-transparent text-soft hovered:text-ink',
                )}
              >
                {page.name}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
