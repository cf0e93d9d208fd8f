import type { ApiResponse } from '@croft/server/contract';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../api/api.ts';
import { formatExactly, formatWhen } from '../files/format.ts';
import { Link } from '../routing/link.tsx';
import { Badge } from '../ui/badge.tsx';
import { Card, CardBody, CardHead } from '../ui/card.tsx';
import { NotLoaded } from '../ui/not-loaded.tsx';
import { CommandsCard } from './commands-card.tsx';

type State = ApiResponse<'GET /api/v1/workers'>;

const REFRESH_MS = 5_000;
/** A worker sends a heartbeat every 2 s; after 8 s others take its runs. */
const LOST_MS = 8_000;

const COUNTS: readonly { readonly key: keyof State['runs']; readonly label: string }[] = [
  { key: 'direct', label: 'Running directly' },
  { key: 'queued', label: 'Queued' },
  { key: 'running', label: 'Running in a worker' },
  { key: 'waiting', label: 'Waiting for a person' },
  { key: 'needsAttention', label: 'Need attention' },
];

/** How flows run on this server: the runs that have not ended, the workers, and the commands that flows may start. */
export function WorkersPage() {
  const { data, error, refetch } = useQuery({ ...apiQuery('GET /api/v1/workers'), refetchInterval: REFRESH_MS });
  if (!data)
    return (
      <Card aria-label="Workers">
        <CardHead title="Workers" />
        <CardBody>
          <NotLoaded what="workers" error={error} onRetry={() => void refetch()} lines={4} isInBody />
        </CardBody>
      </Card>
    );
  return (
    <>
      <Card aria-label="Runs">
        <CardHead title="Runs of all users" about="Those that have not ended, now." />
        <CardBody>
          <dl className="grid grid-cols-[repeat(auto-fit,minmax(7rem,1fr))] gap-3">
            {COUNTS.map(({ key, label }) => (
              <div key={key} className="grid content-between rounded-md border border-line px-3 py-2">
                <dt className="text-sm text-soft">{label}</dt>
                <dd className="text-xl font-semibold tabular-nums">{data.runs[key].toLocaleString('en')}</dd>
              </div>
            ))}
          </dl>
          <p className="mt-3 text-sm">
            <Link to="/runs" className="text-accent-strong underline underline-offset-2">
              Show your runs
            </Link>
          </p>
        </CardBody>
      </Card>
      <Card aria-label="Workers">
        <CardHead
          title="Workers"
          about="Carry out queued runs: those of schedules, webhooks and programs, and those that wait for a person."
        />
        {data.workers.length === 0 ? (
          <p className="border-t border-line px-5 py-4 text-sm text-soft">
            No worker has started yet. The server starts one with the first queued run.
          </p>
        ) : (
          <ul className="border-t border-line">
            {data.workers.map((each) => (
              <Worker key={each.name} worker={each} />
            ))}
          </ul>
        )}
      </Card>
      <CommandsCard />
    </>
  );
}

function Worker({ worker: { name, seenAt, running } }: { worker: State['workers'][number] }) {
  const isLost = Date.now() - new Date(seenAt).getTime() > LOST_MS;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-5 py-3 last:border-0">
      <div className="min-w-0 flex-[1_1_14rem]">
        <p className="font-medium [overflow-wrap:anywhere]">{name}</p>
        <p className="text-sm text-soft">
          Seen <time title={formatExactly(seenAt)}>{formatWhen(seenAt)}</time> ·{' '}
          {running === 1 ? '1 run' : `${running.toLocaleString('en')} runs`}
        </p>
      </div>
      <Badge tone={isLost ? 'warn' : 'good'}>{isLost ? 'Does not answer' : 'Works'}</Badge>
    </li>
  );
}
