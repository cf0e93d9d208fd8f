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
