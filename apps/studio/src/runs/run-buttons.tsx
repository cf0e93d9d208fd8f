import type { FlowDocument } from '@croft/flow';
import { useQueryClient } from '@tanstack/react-query';
import { RotateCcw, Square, Trash2, Workflow } from 'lucide-react';
import { useMemo, useState } from 'react';
import { api } from '../api/api.ts';
import type { ComponentsRegistry } from '../api/flows.ts';
import { isOpen, RUNS_KEY, runQuery, type RunRecord } from '../api/runs.ts';
import { queueRun, startRun } from '../canvas/follow-run.ts';
import { asksPerson } from '../canvas/run-fields.ts';
import { Link } from '../routing/link.tsx';
import { navigate } from '../routing/location.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { sentenceOf } from '../ui/state.tsx';
import { toast } from '../ui/toast.tsx';
import { leftOut, sameInput } from './same-input.ts';

/** The actions on a run: stop it, run it again with the same input, open its flow, delete it. */
export function RunButtons({
  run: { id, flowId, status, source, timeline },
  document,
  registry,
  isGone,
}: {
  run: RunRecord;
  /** Absent while they load, and of a flow that was deleted. */
  document: FlowDocument | undefined;
  registry: ComponentsRegistry | undefined;
  /** The flow was deleted. */
  isGone: boolean;
}) {
  const client = useQueryClient();
  const [busy, setBusy] = useState<'again' | 'stop' | 'delete'>();
  const [isDeleting, setIsDeleting] = useState(false);
  const inputs = useMemo(
    () => document && registry && sameInput(document, registry, timeline),
    [document, registry, timeline],
  );
  const absent = useMemo(
    () => (document && registry ? leftOut(timeline, document, registry) : []),
    [document, registry, timeline],
  );
  const [isWhole, setIsWhole] = useState(false);
  async function attempt(name: NonNullable<typeof busy>, failed: string, work: () => Promise<void>) {
    setBusy(name);
    try {
      await work();
    } catch (error) {
      toast({ tone: 'bad', text: `${failed} ${sentenceOf(error)}` });
    }
    setBusy(undefined);
    await client.invalidateQueries({ queryKey: RUNS_KEY });
  }
  const again = () =>
    attempt('again', 'The run was not started.', async () => {
      setIsWhole(false);
      if (!document || !registry) return;
      const isQueued = source !== 'direct' || asksPerson(document, registry);
      navigate(`/runs/${await (isQueued ? queueRun : startRun)(flowId, { inputs: inputs ?? {} })}`);
    });
  const stop = () =>
    attempt('stop', 'The run was not stopped.', async () => {
      await api('POST /api/v1/runs/{id}/cancel', { params: { id } });
    });
  const remove = () =>
    attempt('delete', 'The run was not deleted.', async () => {
      setIsDeleting(false);
      await api('DELETE /api/v1/runs/{id}', { params: { id } });
      navigate(isGone ? '/runs' : `/flows/${flowId}/runs`);
      client.removeQueries({ queryKey: runQuery(id).queryKey });
      toast({ text: 'Deleted the run.' });
    });
  return (
    <>
      {!isGone && flowId !== '' && (
        <Link to={`/flows/${flowId}`} className={buttonClass()}>
          <Workflow size={16} aria-hidden="true" /> Open the flow
        </Link>
      )}
      <Button busy={busy === 'delete'} onClick={() => setIsDeleting(true)}>
        <Trash2 size={16} aria-hidden="true" /> <span className="max-sm:sr-only">Delete</span>
      </Button>
      {isOpen(status) ? (
        <Button busy={busy === 'stop'} onClick={() => void stop()}>
          <Square size={15} aria-hidden="true" /> Stop
        </Button>
      ) : inputs ? (
        <Button
          look="primary"
          busy={busy === 'again'}
          onClick={() => (absent.length > 0 ? setIsWhole(true) : void again())}
        >
          <RotateCcw size={15} aria-hidden="true" /> Run again
        </Button>
      ) : (
        document &&
        registry && (
          <Link
            to={`/flows/${flowId}/play`}
            title="The history has shortened the input of this run, so it cannot be repeated from here"
            className={buttonClass('primary')}
          >
            Run with another input
          </Link>
        )
      )}
      {isWhole && (
        <ConfirmDialog
          title="Run the whole flow?"
          about={`This run did not reach all of it. ${listOf(absent)} will run, too.`}
          action="Run the whole flow"
          look="primary"
          busy={busy === 'again'}
          onConfirm={() => void again()}
          onClose={() => setIsWhole(false)}
        />
      )}
      {isDeleting && (
        <ConfirmDialog
          title="Delete this run?"
          about={
            isOpen(status)
              ? 'The run is stopped. You cannot restore its record.'
              : 'You cannot restore its record. Messages of its chat stay.'
          }
          action="Delete run"
          busy={busy === 'delete'}
          onConfirm={() => void remove()}
          onClose={() => setIsDeleting(false)}
        />
      )}
    </>
  );
}

/** At most three names. */
function listOf(names: readonly string[]): string {
  const more = names.length - 3;
  return more > 0 ? `${names.slice(0, 3).join(', ')} and ${more} more` : names.join(', ');
}
