import { useQuery } from '@tanstack/react-query';
import { CircleAlert, Redo2 } from 'lucide-react';
import { recentChangesQuery } from '../api/activity.ts';
import { Button } from '../ui/button.tsx';
import { cn } from '../ui/class-names.ts';
import type { ChatParts } from './assistant-flow.ts';
import { costText, countText } from './cost-text.ts';
import { RevertButton, StayingFiles } from './revert-button.tsx';
import { runFilesText } from './run-files.ts';
import { untouchedCount } from './turn-versions.ts';
import { outcomeOf, statusOf } from './turn-status.ts';
import { changedCanvas, hasChanges, type TurnView } from './turn-view.ts';
import { canRevert } from './undone-turns.ts';

/** The evidence of a message, its cost, and how to take its changes back. */
export function TurnFoot({ turns, flow, store }: Pick<ChatParts, 'flow' | 'store'> & { turns: readonly TurnView[] }) {
  const status = statusOf(turns, flow.version);
  if (status === undefined) return null;
  const isLatest = flow.version <= Math.max(...turns.map((turn) => turn.version ?? 0));
  const isDone = outcomeOf(turns) === 'done' || turns.some((turn) => turn.isReverted);
  const ids = flow.document.nodes.map(({ id }) => id);
  const untouched = isLatest ? untouchedCount(turns, ids) : undefined;
  const changed = turns.filter((turn) => turn.id !== undefined && hasChanges(turn));
  const reverted = changed.findLast((turn) => turn.isReverted && !turn.isUndone && changedCanvas(turn));
  const applied = changed.findLast(canRevert);
  const run = turns.findLast((turn) => turn.run !== undefined)?.run?.id;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line pt-2 text-xs text-soft">
      <p className={cn('min-w-0 flex-[1_1_12rem]', !isDone && 'font-medium text-warn')}>
        {!isDone && <CircleAlert size={14} aria-hidden="true" className="mr-1 inline-block align-text-bottom" />}
        {status}
        {untouched !== undefined && ` ${countText(untouched, 'other component')} untouched.`}
      </p>
      <CostBadge turns={turns} />
      {!flow.isReadOnly && applied && <RevertButton run={run} onRevert={() => store.revert(applied.key)} />}
      {!flow.isReadOnly && !applied && reverted && (
        <Button small look="quiet" className="-my-1" onClick={() => void store.restore(reverted.key, flow.version)}>
          <Redo2 size={14} aria-hidden="true" /> Undo the revert
        </Button>
      )}
      {run !== undefined && turns.some((turn) => turn.isReverted) && <RunFiles run={run} />}
    </div>
  );
}

/** The files of its run, which a reverted message leaves. */
function RunFiles({ run }: { run: string }) {
  const { data } = useQuery(recentChangesQuery({ run }));
  const files = data && runFilesText(data.changes);
  if (files === undefined) return null;
  return (
    <p className="w-full">
      <StayingFiles files={files} run={run} />
    </p>
  );
}

/** Time, tokens and model of all turns. The rules of croft/offline cost no tokens. */
function CostBadge({ turns }: { turns: readonly TurnView[] }) {
  const seconds = turns.reduce((sum, turn) => sum + (turn.durationSeconds ?? 0), 0);
  const tokens = turns.reduce((sum, turn) => sum + (turn.usage?.total_tokens ?? 0), 0);
  const model = turns.findLast((turn) => turn.model !== undefined)?.model;
  if (model === undefined) return null;
  return <p className="[overflow-wrap:anywhere]">{costText(seconds, tokens, model)}</p>;
}
