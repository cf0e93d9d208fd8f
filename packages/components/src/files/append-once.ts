import { type Workspace, whenReady } from '@croft/workspace';
import { ComponentError, type Services } from '../services.ts';

/** A file before an addition; the version is null if the file did not exist. */
type Before = { readonly version: string | null; readonly sizeBytes: number };

/**
 * Appends a text once for a step, however often the step runs: the file's state before the first attempt is kept with the
 * run. Other additions after this one do no harm. A run that keeps no facts appends each time.
 *
 * @throws ComponentError where the file changed otherwise, so that the addition may have happened or not
 */
export async function appendOnce(
  { remember }: Services,
  workspace: Workspace,
  stepKey: string,
  path: string,
  content: string,
): Promise<string> {
  const append = async () => (await whenReady(() => workspace.append(path, content))).version;
  if (remember === undefined) return append();
  const before = await remember(stepKey, () => stateOf(workspace, path));
  const now = stateOf(workspace, path);
  if (now.version === before.version) return append();
  const added = Buffer.from(content);
  const { bytes, version } = await workspace.readBytes(path);
  if (bytes.subarray(before.sizeBytes, before.sizeBytes + added.length).equals(added)) return version;
  throw new ComponentError(
    `'${path}' changed while this step was interrupted, so the text may have been added or not.`,
    'Check the end of the file, add the text if it is missing, and run the rest of the flow.',
  );
}

function stateOf(workspace: Workspace, path: string): Before {
  try {
    const { version, sizeBytes } = workspace.info(path);
    return { version, sizeBytes };
  } catch (error) {
    if ((error as { code?: unknown }).code === 'not_found') return { version: null, sizeBytes: 0 };
    throw error;
  }
}
