import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { History, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { runsQuery } from '../api/runs.ts';
import { navigate, usePlace } from '../routing/location.ts';
import { NotLoaded } from '../ui/not-loaded.tsx';
import { ShowMore } from '../ui/show-more.tsx';
import { Card } from '../ui/card.tsx';
import { Select } from '../ui/input.tsx';
import { EmptyState } from '../ui/state.tsx';
import { RunList } from './run-list.tsx';
import { readStatus, STATUS_WORDS } from './run-status.ts';

/** Runs of all flows or of one, with a filter by state. The address keeps the filter. */
export function RunHistory({
  flow,
  start,
}: {
  flow?: string;
  /** The page shows this until the first run. */
  start: ReactNode;
}) {
  const { path, query: address } = usePlace();
  const status = readStatus(address.get('state'));
  const query = useInfiniteQuery({ ...runsQuery({ flow, status }), placeholderData: keepPreviousData });
  const runs = query.data?.pages.flatMap((page) => page.runs) ?? [];
  return (
    <>
      <label className="flex w-fit items-center gap-2 text-sm font-medium">
        State
        <Select
          className="w-auto"
          value={status ?? ''}
          onChange={({ target }) =>
            navigate(target.value === '' ? path : `${path}?state=${target.value}`, { replace: true })
          }
        >
          <option value="">All</option>
          {Object.entries(STATUS_WORDS).map(([value, { word }]) => (
            <option key={value} value={value}>
              {word}
            </option>
          ))}
        </Select>
      </label>
      <Card aria-label="Runs" className={runs.length === 0 ? 'min-h-64 overflow-clip' : 'overflow-clip'}>
        {!query.data ? (
          <NotLoaded what="runs" error={query.error} onRetry={() => void query.refetch()} lines={5} />
        ) : runs.length > 0 ? (
          <RunList runs={runs} isOfFlow={flow !== undefined} />
        ) : status ? (
          <EmptyState icon={<SearchX size={22} />} title={`No run has the state “${STATUS_WORDS[status].word}”`} />
        ) : (
          <EmptyState icon={<History size={22} />} title="No runs yet" action={start}>
            Each run of a flow is listed here, with the inputs, outputs and time of its components.
          </EmptyState>
        )}
      </Card>
      <ShowMore query={query} />
    </>
  );
}
