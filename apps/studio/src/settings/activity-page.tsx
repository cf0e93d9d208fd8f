import type { ApiResponse } from '@croft/server/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { Card, CardHead } from '../ui/card.tsx';
import { NameText } from '../ui/name-text.tsx';
import { SkeletonLines } from '../ui/skeleton.tsx';
import { ErrorState } from '../ui/state.tsx';
import { formatWhen } from '../files/format.ts';

type Change = ApiResponse<'GET /api/v1/activity/changes'>['changes'][number];

/** Below `files`, so that a change of files loads it again. */
const recentChangesQuery = queryOptions({
  queryKey: ['files', 'recent-changes'],
  queryFn: ({ signal }) => api('GET /api/v1/activity/changes', { signal }),
});

const SOURCE: Record<Change['via'], string> = {
  mcp: 'MCP client',
  page: 'This page',
  api: 'API key',
  gateway: 'Gateway',
  cli: 'Command line',
};

/** The verb of each tool. Other tools are shown by their names. */
const DONE: Readonly<Record<string, string>> = {
  upload: 'Uploaded',
  write_file: 'Wrote',
  edit_file: 'Edited',
  append_file: 'Appended to',
  create_dir: 'Created',
  move_path: 'Moved',
  copy_path: 'Copied',
  delete_path: 'Deleted',
  undo: 'Undid a change of',
};

/** Tools whose second path is the new one. */
const HAS_TARGET: ReadonlySet<string> = new Set(['move_path', 'copy_path']);

/** The latest changes of the user's files: what, who and when. */
export function ActivityPage() {
  const { data, error, refetch } = useQuery(recentChangesQuery);
  return (
    <Card aria-label="Recent changes">
      <CardHead
        title="Recent changes"
        about="The latest changes to your files, by you, your agents and your programs."
      />
      {data ? (
        <ul className="border-t border-line">
          {data.changes.length === 0 && <li className="px-5 py-3 text-soft">No changes yet.</li>}
          {data.changes.map((change) => (
            <li key={change.id} className="border-b border-line px-5 py-3 last:border-0">
              <p className="[overflow-wrap:anywhere]">
                <span className="text-soft">{DONE[change.tool] ?? change.tool}</span>{' '}
                <NameText name={change.paths.join(HAS_TARGET.has(change.tool) ? ' → ' : ', ')} />
                {change.morePaths > 0 && ` and ${change.morePaths} more`}
              </p>
              <p className="text-sm text-soft">
                {(change.via === 'mcp' && change.client) || SOURCE[change.via]} · {formatWhen(change.time)}
              </p>
            </li>
          ))}
        </ul>
      ) : error ? (
        <ErrorState title="The changes cannot be shown" error={error} onRetry={() => void refetch()} />
      ) : (
        <div className="p-5">
          <SkeletonLines label="Loading the changes" lines={4} />
        </div>
      )}
    </Card>
  );
}
