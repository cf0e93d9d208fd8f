import { type Workspace, whenReady } from '@croft/workspace';
import { ComponentError, type Services } from '../services.ts';

/** A file before an addition; the version is null if the file did not exist. */
type Before = { readonly version: string | null; readonly sizeBytes: number };

/** A text to append, or what makes it from the content that the file has. */
export type Appended = string | ((before: Buffer) => Promise<string>);

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
  content: Appended,
): Promise<{ readonly text: string; readonly version: string }> {
  const append = async () => {
    const text = typeof content === 'string' ? content : await content(await contentOf(workspace, path));
    return { text, version: (await whenReady(() => workspace.append(path, text))).version };
  };
  if (remember === undefined) return append();
  const before = await remember(stepKey, () => stateOf(workspace, path));
  const now = stateOf(workspace, path);
  if (now.version === before.version) return append();
  const { bytes, version } = await workspace.readBytes(path);
  const text = typeof content === 'string' ? content : await content(bytes.subarray(0, before.sizeBytes));
  const added = Buffer.from(text);
  if (bytes.subarray(before.sizeBytes, before.sizeBytes + added.length).equals(added)) return { text, version };
  throw new ComponentError(
    `'${path}' changed while this step was interrupted, so the text may have been added or not.`,
    'Check the end of the file, add the text if it is missing, and run the rest of the flow.',
  );
}

async function contentOf(workspace: Workspace, path: string): Promise<Buffer> {
  return stateOf(workspace, path).version === null ? Buffer.alloc(0) : (await workspace.readBytes(path)).bytes;
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
