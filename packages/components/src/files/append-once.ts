import { type Workspace, WorkspaceError, whenReady } from '@croft/workspace';
import { ComponentError, type Services } from '../services.ts';
import { storedBytes } from './stored-text.ts';

/** A file before an addition; the version is null if the file did not exist. */
type Before = { readonly version: string | null; readonly sizeBytes: number };

/** Each failed try is an addition of another run. */
const MAX_TRIES = 100;

/** A text to append, or what makes it from the content that the file has. */
export type Appended = string | ((before: Buffer) => Promise<string>);

export interface Addition {
  readonly stepKey: string;
  readonly path: string;
  readonly content: Appended;
  /** Aborts while the addition waits: nothing is written. */
  readonly signal: AbortSignal;
}

/**
 * Appends a text once for a step, however often the step runs: the file's state before the first attempt is kept with the
 * run. Other additions after this one do no harm. A run that keeps no facts appends each time.
 *
 * @throws ComponentError where the file changed otherwise, so that the addition may have happened or not
 */
export async function appendOnce(
  { remember }: Services,
  workspace: Workspace,
  { stepKey, path, content, signal }: Addition,
): Promise<{ readonly text: string; readonly version: string }> {
  const append = async () => {
    if (typeof content !== 'string')
      return inTurn(`${workspace.root}/${path}`, () => appendMade(workspace, path, content, signal));
    return { text: content, version: (await whenReady(() => workspace.append(path, content), signal)).version };
  };
  if (remember === undefined) return append();
  let isFirst = false;
  const before = await remember(stepKey, () => {
    isFirst = true;
    return stateOf(workspace, path);
  });
  // No earlier attempt can have added the text, so a version that changed since is an addition of others.
  if (isFirst || stateOf(workspace, path).version === before.version) return append();
  const { bytes, version } = await workspace.readBytes(path);
  const text = typeof content === 'string' ? content : await content(bytes.subarray(0, before.sizeBytes));
  const added = storedBytes(text, bytes);
  if (bytes.subarray(before.sizeBytes, before.sizeBytes + added.length).equals(added)) return { text, version };
  throw new ComponentError(
    `'${path}' changed while this step was interrupted, so the text may have been added or not.`,
    'Check the end of the file, add the text if it is missing, and run the rest of the flow.',
  );
}

const turns = new Map<string, Promise<unknown>>();

/** Lets one run of this process add to a file at a time: a try that fails reads the whole file again. */
function inTurn<Result>(file: string, act: () => Promise<Result>): Promise<Result> {
  const turn = (turns.get(file) ?? Promise.resolve()).then(act, act);
  turns.set(file, turn);
  const forget = () => {
    if (turns.get(file) === turn) turns.delete(file);
  };
  void turn.then(forget, forget);
  return turn;
}

/** Appends to the content that the text was made from: two runs that begin a file would both write its header. */
async function appendMade(
  workspace: Workspace,
  path: string,
  make: (before: Buffer) => Promise<string>,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly version: string }> {
  for (let tries = 1; ; tries++) {
    signal.throwIfAborted();
    const { bytes, version: expectedVersion } = await contentOf(workspace, path);
    const text = await make(bytes);
    try {
      const { version } = await whenReady(() => workspace.append(path, text, { expectedVersion }), signal);
      return { text, version };
    } catch (error) {
      if (!hasCode(error, 'changed') || tries === MAX_TRIES) throw error;
    }
  }
}

async function contentOf(workspace: Workspace, path: string): Promise<{ bytes: Buffer; version: string }> {
  try {
    return await workspace.readBytes(path);
  } catch (error) {
    if (hasCode(error, 'not_found')) return { bytes: Buffer.alloc(0), version: 'absent' };
    throw error;
  }
}

const hasCode = (error: unknown, code: string): boolean => error instanceof WorkspaceError && error.code === code;

function stateOf(workspace: Workspace, path: string): Before {
  try {
    const { version, sizeBytes } = workspace.info(path);
    return { version, sizeBytes };
  } catch (error) {
    if (hasCode(error, 'not_found')) return { version: null, sizeBytes: 0 };
    throw error;
  }
}
