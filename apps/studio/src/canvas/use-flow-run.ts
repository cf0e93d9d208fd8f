import { useEffect, useRef, useState } from 'react';
import { runActions } from '../runs/run-actions.ts';
import { sentenceOf } from '../ui/state.tsx';
import { begunFlow } from './changed-since.ts';
import type { EditState } from './edit-state.ts';
import { findLatestRun, followRun, queueRun, type RunRequest, startRun } from './follow-run.ts';
import { isUnderWay, NO_RUN, type RunState, STARTING } from './run-state.ts';
import { createRunStore } from './run-store.ts';
import { useChanged } from './use-changed.ts';

/**
 * Runs a flow and follows the run. A run that is under way when the page opens is followed from its beginning.
 *
 * @param flow as the page shows it
 * @param from the page, for the history
 */
export function useFlowRun(
  flowId: string,
  flow: Pick<EditState, 'document' | 'version'>,
  from: NonNullable<RunRequest['from']>,
) {
  const [store] = useState(createRunStore);
  const latest = useRef(flow);
  latest.current = flow;
  const begin = (inputs?: RunState['inputs'], version?: number) =>
    store.set({ ...STARTING, begun: begunFlow(latest.current.document), knows: version, inputs });
  const runId = useRef<string>(undefined);
  const leave = useRef<() => void>(undefined);
  const isGone = useRef(false);
  useChanged(store, flow);
  function follow(id: string) {
    leave.current?.();
    runId.current = id;
    store.set({ ...store.flush(), stored: id });
    // The page may have been left before the server answered.
    if (!isGone.current) leave.current = followRun(id, store);
  }
  useEffect(() => {
    isGone.current = false;
    // The page was hidden because the session ended. The events begin again.
    const shown = store.flush();
    if (runId.current !== undefined && isUnderWay(shown)) {
      const { begun, changed, inputs, knows } = shown;
      store.set({ ...STARTING, begun, changed, inputs, knows });
      follow(runId.current);
    }
    void findLatestRun(flowId).then(
      (latest) => {
        if (latest === undefined || isGone.current || store.get() !== NO_RUN) return;
        if (!latest.isUnderWay) return store.set({ ...NO_RUN, stored: latest.id });
        begin();
        follow(latest.id);
      },
      () => undefined,
    );
    return () => {
      isGone.current = true;
      leave.current?.();
    };
  }, [flowId, store]);
  return {
    store,
    /** Shows a run that another client began, such as the assistant, with at least this version of the flow. */
    follow(id: string, version: number) {
      begin(undefined, version);
      follow(id);
    },
    /**
     * Starts a run, and does nothing while one is under way. `isQueued`: the run can wait for a person. `prepare` resolves before the
     * run starts; with false, no run starts.
     */
    async run(request: RunRequest, isQueued: boolean, prepare?: () => Promise<boolean>) {
      const before = store.flush();
      if (isUnderWay(before)) return;
      begin(request.inputs ?? {});
      runId.current = undefined;
      if (prepare) {
        const isReady = await prepare();
        // Another client began a run meanwhile, which the page shows.
        if (runId.current !== undefined) return;
        if (!isReady) return store.set(before);
        begin(request.inputs ?? {});
      }
      try {
        follow(await (isQueued ? queueRun : startRun)(flowId, { ...request, from }));
      } catch (error) {
        store.set({ ...NO_RUN, status: 'failed', failure: { message: sentenceOf(error) } });
      }
    },
    ...runActions(store, () => runId.current),
  };
}
