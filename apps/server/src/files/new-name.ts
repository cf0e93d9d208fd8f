import type { Workspace } from '@croft/workspace';
import { Problem } from '../problem.ts';

/** Bytes of one name, on every file system in use. */
const MAX_NAME_BYTES = 255;
const DEVICE = /^(con|prn|aux|nul|com[1-9]|lpt[1-9])(\.|$)/i;

/**
 * The rule for names that people and programs give over pages and REST: a sentence if a name breaks it. A name that keeps it
 * means the same file on Linux, macOS and Windows. docs/server.md has the rule. `nameProblem` of the studio is the same
 * rule; a test compares the two.
 */
export function newNameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'Enter a name.';
  if (name === '.' || name === '..') return 'A name cannot be only dots.';
  if (/[/\\]/.test(name)) return 'A name cannot contain a slash.';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(name)) return 'A name cannot contain a line break or another control character.';
  const bad = /[<>:"|?*]/.exec(name)?.[0];
  if (bad !== undefined) return `A name cannot contain ${bad}`;
  if (/[. ]$/.test(name)) return 'A name cannot end with a dot or a space.';
  if (DEVICE.test(name)) return 'This name is reserved on Windows. Choose another one.';
  if (new TextEncoder().encode(name).length > MAX_NAME_BYTES) return 'The name is too long.';
  return undefined;
}

/**
 * Refuses a path that would create an entry with a name that breaks the rule. Names of folders that exist pass: an agent may
 * have made them.
 *
 * @throws Problem `invalid`
 */
export function refuseNewNames(workspace: Pick<Workspace, 'info'>, path: string): void {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  for (let end = parts.length; end > 0; end--) {
    if (end < parts.length && exists(workspace, parts.slice(0, end).join('/'))) return;
    const name = parts[end - 1] as string;
    // `..` does not create anything; the workspace decides where it leads.
    const problem = name === '..' ? undefined : newNameProblem(name);
    if (problem !== undefined) throw new Problem(400, 'invalid', problem);
  }
}

function exists(workspace: Pick<Workspace, 'info'>, path: string): boolean {
  try {
    workspace.info(path);
    return true;
  } catch {
    return false;
  }
}
