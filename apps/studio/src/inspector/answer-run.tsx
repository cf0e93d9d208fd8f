import { createContext, type ReactNode } from 'react';
import { type RunStore, RunStoreContext } from '../canvas/run-store.ts';

/** How a page answers its run. Both throw `ApiError`. */
export interface AnswerRun {
  /** Answers a question. The run continues. */
  readonly answer: (key: string, choice: string, comment: string) => Promise<void>;
  /** Decides about an effect that may have happened or not. */
  readonly decide: (key: string, decision: 'repeat' | 'skip') => Promise<void>;
}

/** The run of the page around a component. */
export const AnswerRunContext = createContext<AnswerRun>({
  answer: () => Promise.resolve(),
  decide: () => Promise.resolve(),
});

/** Gives the components inside the state of a run and its answers. */
export function RunProvider({
  running,
  children,
}: {
  running: AnswerRun & { readonly store: RunStore };
  children: ReactNode;
}) {
  return (
    <RunStoreContext value={running.store}>
      <AnswerRunContext value={running}>{children}</AnswerRunContext>
    </RunStoreContext>
  );
}
