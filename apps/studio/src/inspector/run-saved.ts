import type { useFlowRun } from '../canvas/use-flow-run.ts';
import { toast } from '../ui/toast.tsx';
import { whenSaved } from './when-saved.ts';

/** Runs the flow after its latest changes are saved. */
export function runSaved(
  edits: Parameters<typeof whenSaved>[0],
  { run }: Pick<ReturnType<typeof useFlowRun>, 'run'>,
  ...[request, isQueued]: Parameters<typeof run>
): Promise<void> {
  return run(request, isQueued, async () => {
    const isSaved = await whenSaved(edits);
    if (!isSaved) toast({ tone: 'bad', text: 'The flow was not run, because its latest changes are not saved.' });
    return isSaved;
  });
}
