import { api } from '../api/api.ts';
import { withoutInterrupted, withoutQuestion } from '../canvas/run-state.ts';
import type { RunStore } from '../canvas/run-store.ts';
import { sentenceOf } from '../ui/state.tsx';
import { toast } from '../ui/toast.tsx';

/** The actions of a person on a run under way. `idOf` gives its id; without one, nothing happens. */
export function runActions(store: RunStore, idOf: () => string | undefined) {
  return {
    /** Answers a question of the run. @throws ApiError */
    async answer(key: string, choice: string, comment: string) {
      const id = idOf();
      if (id === undefined) return;
      await api('POST /api/v1/runs/{id}/answer', { params: { id }, body: { key, choice, comment } });
      store.set(withoutQuestion(store.flush(), key));
    },
    /** Decides about an interrupted effect. @throws ApiError */
    async decide(key: string, decision: 'repeat' | 'skip') {
      const id = idOf();
      if (id === undefined) return;
      await api('POST /api/v1/runs/{id}/decide', { params: { id }, body: { key, decision } });
      store.set(withoutInterrupted(store.flush(), key));
    },
    async stop() {
      const id = idOf();
      if (id === undefined) return;
      try {
        await api('POST /api/v1/runs/{id}/cancel', { params: { id } });
      } catch (error) {
        toast({ tone: 'bad', text: `The run was not stopped. ${sentenceOf(error)}` });
      }
    },
  };
}
