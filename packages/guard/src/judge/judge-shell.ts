import { TOP } from './extract/shell/marks.ts';
import { readCommand } from './extract/shell/read-command.ts';
import type { ShellPath } from './extract/shell/shell-reading.ts';
import { judgePath, type PathFinding, shorten } from './judge-path.ts';
import type { Place } from './spot.ts';
import type { PathRules } from './protect.ts';
import { isProtected, judgeShellPath } from './judge-shell-path.ts';

/** The result of judging the command lines of a call. */
export interface ShellFinding {
  readonly writes: readonly PathFinding[];
  readonly reads: readonly string[];
  readonly undecidable: readonly string[];
  /** The limit that a command line exceeds; then a part of it was not read. */
  readonly cut: string | undefined;
}

/** Variables that change what other programs do, or where they write. */
const LOADED =
  /^(?:BASH_ENV|ENV|LD_PRELOAD|LD_LIBRARY_PATH|LD_AUDIT|DYLD_\w+|GIT_\w+|NODE_OPTIONS|PYTHONSTARTUP|PYTHONPATH|PERL5(?:OPT|LIB|DB)|RUBYOPT|PATH|HOME|SHELL|PROMPT_COMMAND|IFS|CDPATH|EDITOR|VISUAL|PAGER|LESSOPEN)$/i;
/** The start of a command that deletes, and its words up to the end of the command. */
const REMOVES =
  /(?:^|[;&|(\n][^\S\n]*|\bsudo\s+|\s-l?c\s+["']?)(?:rm|rmdir|shred|unlink|trash|del|erase|rd|ri|Remove-Item)\b([^;&|\n]*)/gi;

/** Judges command lines: every path they write must be inside. */
export function judgeCommands(
  commands: readonly (string | readonly string[])[],
  cwds: readonly string[],
  place: Place,
  protect: PathRules,
  dialect?: 'posix' | 'powershell' | 'cmd',
): ShellFinding {
  const writes: PathFinding[] = [];
  const reads: string[] = [];
  const undecidable: string[] = [];
  let cut: string | undefined;
  for (const command of commands) {
    const removed = removedWords(typeof command === 'string' ? command : command.join(' '));
    for (const cwd of cwds) {
      const reading = readCommand(command, {
        cwd,
        ...(dialect ? { dialect } : {}),
        ...(place.temporary === undefined ? {} : { temporary: place.temporary }),
        ...(place.isDirectory ? { isDirectory: place.isDirectory } : {}),
        ...(place.isFile ? { isFile: place.isFile } : {}),
        ...(place.realPath ? { realPath: place.realPath } : {}),
      });
      undecidable.push(...reading.undecidable);
      cut ??= reading.cut;
      reads.push(...reading.reads.map((read) => read.path));
      for (const { path, written, to } of reading.given) {
        const { problem } = judgePath({ written: path, weight: 'path', role: 'base' }, place, protect, {
          isShell: true,
        });
        if (problem?.rule === 'outside-path' || problem?.rule === 'protected-path')
          undecidable.push(`It is not known what '${to}' does with '${written}'.`);
      }
      for (const dir of reading.left) {
        const reason = dir === (cwd || '.') ? undefined : whyNotStay(dir, place, protect);
        if (reason !== undefined) undecidable.push(reason);
      }
      for (const write of reading.writes) {
        const isTaken = reading.taken.has(write.path) || write.uses?.includes('removes') === true;
        const removes = isTaken || removed.has(bare(write.written));
        const isWritten = isTaken && reading.put.has(write.path);
        const found = judgeShellPath(write, { removes, isWritten }, place, protect);
        writes.push(found.problem ? found : withContents(found, write, protect));
        if (write.uses?.includes('fills') === true && found.path === '.' && !found.problem && !protect.isEmpty)
          undecidable.push(
            'It is not known which files appear in the project directory, and some names are protected.',
          );
      }
    }
  }
  return { writes, reads, undecidable, cut };
}

/**
 * The reason why a shell may not stay in a directory. A later command is read as if it ran in the project directory, so
 * its relative paths must get the same decision from both directories. Does not look for links in the directory that
 * lead outside.
 */
function whyNotStay(dir: string, place: Place, protect: PathRules): string | undefined {
  if (dir.startsWith(TOP)) {
    // The top of the work tree is the project directory if that is a repository itself; else it may be above it.
    const isTop = place.kindOf !== undefined && place.kindOf('.git') !== 'nothing';
    return isTop
      ? whyNotStay(`./${dir.slice(TOP.length)}`, place, protect)
      : 'Later commands may run at the top of the repository, which may lie above the project directory.';
  }
  const shown = shorten(dir);
  const found = judgePath({ written: dir, weight: 'path', role: 'base' }, place, protect, { isShell: true });
  if (found.problem?.rule === 'outside-path')
    return `Later commands may run in '${shown}', outside the project directory. Put this command in parentheses, ( … ), or go back at its end.`;
  const { path } = found;
  if (found.problem !== undefined || path === undefined)
    return `Later commands may run in '${shown}', which is protected.`;
  if (path === '.') return undefined;
  const at = found.further === undefined ? path : `${found.further}/${path}`;
  if (protect.below(path) !== undefined || protect.repositories?.refusesFilling(at) !== undefined)
    return `Later commands may run in '${shown}', where the names of protected files do not show that they are protected.`;
  return undefined;
}

/** Files that replace a directory or are added to it may be protected. */
function withContents(found: PathFinding, { uses, written }: ShellPath, protect: PathRules): PathFinding {
  if (found.path === undefined || uses?.some((use) => /^(?:replaces|fills|repository)$/.test(use)) !== true)
    return found;
  const dir = found.further === undefined ? found.path : `${found.further}/${found.path}`;
  for (const use of uses) {
    const glob =
      use === 'repository'
        ? protect.repositories?.refusesMaking(dir)
        : use === 'replaces' || use === 'fills'
          ? (protect.below(found.path) ?? protect.repositories?.refusesFilling(dir))
          : undefined;
    if (glob !== undefined) return isProtected(written, found.path, glob);
  }
  return found;
}

/** The literal operands of deleting commands. The judge refuses the whole root among them. */
function removedWords(text: string): ReadonlySet<string> {
  const words = [...text.slice(0, 100_000).matchAll(REMOVES)].flatMap((match) => (match[1] as string).split(/\s+/));
  return new Set(words.map(bare));
}

function bare(word: string): string {
  return word.replace(/^["')]+|(?<!["')])["')]+$/g, '');
}

/** The reason why environment variables in the call make its command undecidable. */
export function loadedVariables(args: unknown): string | undefined {
  if (typeof args !== 'object' || args === null) return undefined;
  for (const [key, value] of Object.entries(args)) {
    if (!/^(?:env|envs|environment|environmentVariables|env_vars)$/i.test(key)) continue;
    const names = Array.isArray(value)
      ? value.map((item) =>
          typeof item === 'string' ? item.split('=')[0] : String((item as { name?: unknown } | null)?.name),
        )
      : Object.keys((value as object | null) ?? {});
    const bad = names.find((name) => LOADED.test(name ?? ''));
    if (bad !== undefined) return `The variable ${shorten(bad)} changes what the command does`;
  }
  return undefined;
}
