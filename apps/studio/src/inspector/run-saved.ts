import { createContext, useContext } from 'react';
import { useCanStartAt } from '../canvas/run-store.ts';
import type { useFlowRun } from '../canvas/use-flow-run.ts';
import { toast } from '../ui/toast.tsx';
import { whenSaved } from './when-saved.ts';

/** Runs the flow after its latest changes are saved. */
export async function runSaved(
  edits: Parameters<typeof whenSaved>[0],
  { run }: Pick<ReturnType<typeof useFlowRun>, 'run'>,
  ...request: Parameters<typeof run>
): Promise<void> {
  if (await whenSaved(edits)) await run(...request);
  else toast({ tone: 'bad', text: 'The flow was not run, because its latest changes are not saved.' });
}

/** Runs a component and what follows it. Undefined where the flow waits for a person, which such a run cannot. */
export const RunFromContext = createContext<((id: string) => void) | undefined>(undefined);

/** Runs this component and what follows it; undefined while that is not possible. */
export function useRunFrom(id: string): (() => void) | undefined {
  const runFrom = useContext(RunFromContext);
  const canStart = useCanStartAt(id);
  return runFrom && canStart ? () => runFrom(id) : undefined;
}
