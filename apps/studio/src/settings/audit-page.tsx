import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ScrollText, SearchX } from 'lucide-react';
import { auditActionsQuery, type AuditEvent, auditQuery } from '../api/audit.ts';
import { usersQuery } from '../api/users.ts';
import { formatExactly, formatWhen } from '../files/format.ts';
import { navigate, usePlace } from '../routing/location.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card, CardHead } from '../ui/card.tsx';
import { Select } from '../ui/input.tsx';
import { NameText } from '../ui/name-text.tsx';
import { NotLoaded } from '../ui/not-loaded.tsx';
import { ShowMore } from '../ui/show-more.tsx';
import { EmptyState } from '../ui/state.tsx';

const PATH = '/settings/audit';

/** The audit log of the server, with a filter by user and action. */
export function AuditPage() {
  const { query: asked } = usePlace();
  const filter = { user: asked.get('user') ?? '', action: asked.get('action') ?? '' };
  const { data: list } = useQuery(usersQuery);
  const names = new Map(list?.users.map(({ id, name }) => [id, name]));
  const isFiltered = filter.user !== '' || filter.action !== '';
  const query = useInfiniteQuery(auditQuery(filter));
  const events = query.data?.pages.flatMap((page) => page.events);
  const choose = (next: Partial<typeof filter>) => {
    const chosen = Object.entries({ ...filter, ...next }).filter(([, value]) => value !== '');
    const params = new URLSearchParams(chosen).toString();
    navigate(params === '' ? PATH : `${PATH}?${params}`);
  };
  return (
    <Card aria-label="Audit log">
      <CardHead
        title="Audit log"
        about="Sign-ins, deletions, and changes of users, keys, variables, shares and webhooks, the newest first. Events are kept for 90 days."
      />
      <Filters {...filter} names={names} onChoose={choose} />
      {!events ? (
        <NotLoaded what="events" error={query.error} onRetry={() => void query.refetch()} lines={6} />
      ) : events.length === 0 ? (
        <EmptyState
          icon={isFiltered ? <SearchX size={22} /> : <ScrollText size={22} />}
          title={isFiltered ? 'No such event' : 'No events yet'}
          action={isFiltered && <Button onClick={() => navigate(PATH)}>Show all events</Button>}
        />
      ) : (
        <ul className="border-t border-line">
          {events.map((event) => (
            <EventRow key={event.id} event={event} names={names} />
          ))}
        </ul>
      )}
      {query.hasNextPage && (
        <div className="grid border-t border-line p-3">
          <ShowMore query={query} small />
        </div>
      )}
    </Card>
  );
}

function Filters({
  user,
  action,
  names,
  onChoose,
}: {
  user: string;
  action: string;
  names: ReadonlyMap<string, string>;
  onChoose: (next: { user?: string; action?: string }) => void;
}) {
  const { data: recorded } = useQuery(auditActionsQuery);
  // A removed user, and one whose list did not load yet.
  const people = user === '' || names.has(user) ? names : new Map([...names, [user, user]]);
  return (
    <div className="grid gap-2 px-5 pb-4 sm:grid-cols-2">
      <Select aria-label="User" value={user} onChange={({ target }) => onChoose({ user: target.value })}>
        <option value="">All users</option>
        {[...people].map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <Select aria-label="Action" value={action} onChange={({ target }) => onChoose({ action: target.value })}>
        <option value="">All actions</option>
        {[...new Set([...(recorded?.actions ?? []), ...(action === '' ? [] : [action])])].map((name) => (
          <option key={name} value={name}>
            {actionText(name)}
          </option>
        ))}
      </Select>
    </div>
  );
}

function EventRow({ event, names }: { event: AuditEvent; names: ReadonlyMap<string, string> }) {
  const { at, action, outcome, address, via, targets, targetCount, changes } = event;
  const more = targetCount - targets.length;
  return (
    <li className="grid gap-0.5 border-b border-line px-5 py-3 last:border-0">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-medium">{actionText(action)}</span>
        {outcome !== 'ok' && <Badge tone="warn">{outcome.replaceAll('_', ' ')}</Badge>}
        {changes.map((change) => (
          <Badge key={change}>{change.replace('=', ': ')}</Badge>
        ))}
      </p>
      <p className="text-sm text-soft [overflow-wrap:anywhere]">
        <Who event={event} />
        {via === 'key' && ' with an API key'}
        {address !== null && ` · ${address}`} ·{' '}
        <time dateTime={at} title={formatExactly(at)} className="whitespace-nowrap">
          {formatWhen(at)}
        </time>
      </p>
      {targets.length > 0 && (
        <p className="text-xs text-soft [overflow-wrap:anywhere]">
          {targets.map((target, index) => {
            const name = names.get(target);
            return (
              <span key={target} title={name && target} className={name === undefined ? 'font-mono' : 'text-sm'}>
                {index > 0 && ', '}
                <NameText name={name ?? target} />
              </span>
            );
          })}
          {more > 0 && ` and ${more} more`}
        </p>
      )}
    </li>
  );
}

function Who({ event: { userId, userName } }: { event: AuditEvent }) {
  if (userName !== null)
    return (
      <span className="text-ink">
        <NameText name={userName} />
      </span>
    );
  return userId === null ? 'Not signed in' : `Removed user ${userId}`;
}

/** The operation id of an action as words: `deleteFlow` is "Delete flow". */
export const actionText = (action: string): string => {
  if (action === 'updateMe') return 'Change own account';
  const words = action.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};
