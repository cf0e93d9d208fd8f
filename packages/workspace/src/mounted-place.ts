import { WorkspaceError } from './errors.ts';
import type { Workspace } from './workspace.ts';

/** A workspace and the name it goes by as the first component of every path. */
export interface Mount {
  readonly name: string;
  readonly workspace: Workspace;
}

/** What a path from the top names: a mount, and a path below it. */
export interface Place extends Mount {
  readonly rest: string;
}

/** Runs an operation in one workspace; its messages name the path as the caller wrote it. */
export function named<T>(path: string, { workspace, rest }: Place, act: (workspace: Workspace, rest: string) => T): T {
  return renamed([[rest, path]], () => act(workspace, rest));
}

/** Runs an operation; where its message ends in a path below one workspace, the caller reads the path he wrote. */
export function renamed<T>(paths: readonly (readonly [below: string, written: string])[], act: () => T): T {
  const rename = (error: unknown): never => {
    if (!(error instanceof WorkspaceError)) throw error;
    const { code, message, extra, operatorMessage } = error;
    const found =
      paths.find(([below]) => message.endsWith(`: ${below}`)) ??
      paths.find(([below]) => below !== '.' && message.includes(below));
    if (!found || found[0] === found[1]) throw error;
    // The last one: what comes before may hold the same letters.
    const at = message.lastIndexOf(found[0]);
    const text = message.slice(0, at) + found[1] + message.slice(at + found[0].length);
    throw new WorkspaceError(code, text, { extra: { ...extra }, operatorMessage, cause: error });
  };
  try {
    const running = act();
    return running instanceof Promise ? (running.catch(rename) as T) : running;
  } catch (error) {
    return rename(error);
  }
}
