import { useEffect, useRef, useState } from 'react';
import { api } from '../api/api.ts';
import { sentenceOf } from '../ui/state.tsx';
import { toast } from '../ui/toast.tsx';
import { findRunUnderWay, followRun, queueRun, type RunRequest, startRun } from './follow-run.ts';
import { NO_RUN, resumed, STARTING, withoutQuestion } from './run-state.ts';
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
    /** `isQueued`: the run can wait for a person. */
    async run(request: RunRequest, isQueued: boolean) {
      store.set(STARTING);
      runId.current = undefined;
      try {
        follow(await (isQueued ? queueRun : startRun)(flowId, request));
      } catch (error) {
        store.set({ ...NO_RUN, status: 'failed', failure: { message: sentenceOf(error) } });
      }
    },
    /** Answers a question of the run. @throws ApiError */
    async answer(key: string, choice: string, comment: string) {
      const id = runId.current;
      if (id === undefined) return;
      await api('POST /api/v1/runs/{id}/answer', { params: { id }, body: { key, choice, comment } });
      store.set(withoutQuestion(store.flush(), key));
    },
    /** Decides about an interrupted effect. @throws ApiError */
    async decide(key: string, decision: 'repeat' | 'skip') {
      const id = runId.current;
      if (id === undefined) return;
      await api('POST /api/v1/runs/{id}/decide', { params: { id }, body: { key, decision } });
      store.set(resumed(store.flush()));
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
