import { useEffect, useRef, useState } from 'react';
import { api } from '../api/api.ts';
import { sentenceOf } from '../ui/state.tsx';
import { toast } from '../ui/toast.tsx';
import { findRunUnderWay, followRun, type RunRequest, startRun } from './follow-run.ts';
import { NO_RUN, STARTING } from './run-state.ts';
import { createRunStore } from './run-store.ts';

/** Runs a flow and follows the run. A run that is under way when the page opens is followed from its beginning. */
export function useFlowRun(flowId: string) {
  const [store] = useState(createRunStore);
  const runId = useRef<string>(undefined);
  const leave = useRef<() => void>(undefined);
  const isGone = useRef(false);
  function follow(id: string) {
    // The page may have been left before the server answered.
    if (isGone.current) return;
    leave.current?.();
    runId.current = id;
    leave.current = followRun(id, store);
  }
  useEffect(() => {
    isGone.current = false;
    void findRunUnderWay(flowId).then(
      (id) => {
        if (id === undefined || isGone.current || store.get() !== NO_RUN) return;
        store.set(STARTING);
        follow(id);
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
    async run(request: RunRequest) {
      store.set(STARTING);
      runId.current = undefined;
      try {
        follow(await startRun(flowId, request));
      } catch (error) {
        store.set({ ...NO_RUN, status: 'failed', failure: { message: sentenceOf(error) } });
      }
    },
    async stop() {
      const id = runId.current;
      if (id === undefined) return;
      try {
        await api('POST /api/v1/runs/{id}/cancel', { params: { id } });
      } catch (error) {
        toast({ tone: 'bad', text: `The run was not stopped. ${sentenceOf(error)}` });
      }
    },
  };
}
