import { useQuery } from '@tanstack/react-query';
import { Copy, Download, Ellipsis, History, MessageSquare, Pencil, Tag, Trash2 } from 'lucide-react';
import type { ApiResponse } from '@croft/server/contract';
import { type FlowSummary, latestRunsQuery } from '../api/flows.ts';
import { formatExactly, formatWhen } from '../files/format.ts';
import { Link } from '../routing/link.tsx';
import { navigate } from '../routing/location.ts';
import { Badge } from '../ui/badge.tsx';
import { IconButton } from '../ui/button.tsx';
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx';
import { NameText } from '../ui/name-text.tsx';
import { spelledName } from '../ui/unseen-characters.ts';
import { FlowThumb } from './flow-thumb.tsx';
import { FlowTriggers } from './flow-triggers.tsx';

/** The actions of a row. */
export interface FlowRowActions {
  onRename: (flow: FlowSummary) => void;
  onTag: (flow: FlowSummary) => void;
  onDuplicate: (flow: FlowSummary) => void;
  onExport: (flow: FlowSummary) => void;
  onDelete: (flow: FlowSummary) => void;
}

/** The flows, the latest change first. */
export function FlowList({ flows, ...actions }: FlowRowActions & { flows: readonly FlowSummary[] }) {
  return (
    <ul className="@container">
      {flows.map((flow) => (
        <FlowRow key={flow.id} flow={flow} {...actions} />
      ))}
    </ul>
  );
}

function FlowRow({ flow, ...actions }: FlowRowActions & { flow: FlowSummary }) {
  return (
    <li className="relative flex items-center gap-3 border-b border-line px-4 py-3 last:border-0 has-[a:hover]:bg-hover md:px-5">
      <FlowThumb id={flow.id} />
      <div className="flex min-w-0 grow items-center gap-x-4 gap-y-1.5 @max-[40rem]:flex-col @max-[40rem]:items-stretch">
        <div className="min-w-0 grow">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <Link
              to={`/flows/${flow.id}`}
              className="min-w-0 truncate rounded-sm font-medium after:absolute after:inset-0 after:content-['']"
            >
              <NameText name={flow.name} />
            </Link>
            {flow.access !== 'owner' && (
              <Badge>
                {spelledName(flow.ownerName)} shares it{flow.access === 'read' ? ', read-only' : ''}
              </Badge>
            )}
            {flow.tags.map((tag) => (
              <Badge key={tag}>
                <Tag size={11} aria-hidden="true" /> {tag}
              </Badge>
            ))}
          </div>
          <p className="truncate text-sm text-soft">
            <time dateTime={flow.updatedAt} title={formatExactly(flow.updatedAt)}>
              Changed {formatWhen(flow.updatedAt)}
            </time>
            <LastRun flow={flow.id} />
            {flow.description && <> · {flow.description}</>}
          </p>
        </div>
        <FlowTriggers flow={flow} />
      </div>
      <div className="relative">
        <FlowMenu flow={flow} {...actions} />
      </div>
    </li>
  );
}

type RunStatus = ApiResponse<'GET /api/v1/runs'>['runs'][number]['status'];

const WORDS: Readonly<Record<RunStatus, string>> = {
  queued: 'Waits to run since',
  running: 'Runs since',
  waiting: 'Waits for you since',
  needs_attention: 'Needs attention since',
  completed: 'Ran',
  failed: 'Failed',
  cancelled: 'Stopped',
  timed_out: 'Timed out',
  interrupted: 'Interrupted',
};

function LastRun({ flow }: { flow: string }) {
  const { data } = useQuery(latestRunsQuery);
  const run = data?.[flow];
  if (run === undefined) return null;
  const isBad = run.status === 'failed' || run.status === 'timed_out' || run.status === 'needs_attention';
  return (
    <>
      {' · '}
      <time dateTime={run.startedAt} title={formatExactly(run.startedAt)} className={isBad ? 'text-bad' : undefined}>
        {WORDS[run.status]} {formatWhen(run.startedAt)}
      </time>
    </>
  );
}

function FlowMenu({ flow, onRename, onTag, onDuplicate, onExport, onDelete }: FlowRowActions & { flow: FlowSummary }) {
  return (
    <Menu
      trigger={
        <IconButton label={`Actions for ${spelledName(flow.name)}`} className="text-soft">
          <Ellipsis size={17} />
        </IconButton>
      }
    >
      <MenuItem onSelect={() => navigate(`/flows/${flow.id}/play`)}>
        <MessageSquare size={16} aria-hidden="true" /> Open the playground
      </MenuItem>
      <MenuItem onSelect={() => navigate(`/flows/${flow.id}/runs`)}>
        <History size={16} aria-hidden="true" /> Show its runs
      </MenuItem>
      <MenuLine />
      {flow.access !== 'read' && (
        <MenuItem onSelect={() => onRename(flow)}>
          <Pencil size={16} aria-hidden="true" /> Rename
        </MenuItem>
      )}
      <MenuItem onSelect={() => onDuplicate(flow)}>
        <Copy size={16} aria-hidden="true" /> Duplicate
      </MenuItem>
      {flow.access !== 'read' && (
        <MenuItem onSelect={() => onTag(flow)}>
          <Tag size={16} aria-hidden="true" /> Edit tags
        </MenuItem>
      )}
      <MenuItem onSelect={() => onExport(flow)}>
        <Download size={16} aria-hidden="true" /> Export
      </MenuItem>
      {flow.access === 'owner' && (
        <>
          <MenuLine />
          <MenuItem danger onSelect={() => onDelete(flow)}>
            <Trash2 size={16} aria-hidden="true" /> Delete
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
