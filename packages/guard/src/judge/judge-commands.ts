import { type Dialect, type Dialects, dialectsOf } from './dialect.ts';
import { asCwd, directoriesOutside } from './directory-arguments.ts';
import type { Findings } from './extract/findings.ts';
import type { JudgeContext } from './judge-own-paths.ts';
import { judgePath, shorten } from './judge-path.ts';
import { judgeCommands, loadedVariables } from './judge-shell.ts';
import { allow, block, type Part, pathsPart, undecided, worst } from './part.ts';
import { programLines } from './program-tools.ts';
import { deniedRead } from './read-rules.ts';
import { isPlainAnswer, shellTexts } from './shell-texts.ts';
import type { ToolName } from './tool-kind.ts';

/** Judges the command lines in the arguments of a call. */
export function judgeShell(context: JudgeContext, found: Findings, name: ToolName, args: unknown): Part[] {
  const isShell = name.kind === 'shell';
  if (name.kind === 'code')
    return [undecided('undecidable-command', 'It is not known what a program given as text writes')];
  // `{"command": "view", "path": …}` is a call of an editor.
  const isOperation = !isShell && found.operations.size > 0;
  const commands = [
    ...found.commands.filter(
      (command) => !(isOperation && typeof command === 'string' && /^[\w-]+$/.test(command.trim())),
    ),
    ...(isShell ? shellTexts(args, found.commands.length > 0) : []),
    ...(name.program === undefined ? [] : programLines(name.program, args)),
  ];
  if (commands.length === 0) return [];
  const bases = found.candidates.filter((candidate) => candidate.role === 'base' && candidate.weight !== 'guess');
  const cwds: string[] = [];
  for (const base of bases) {
    const at = judgePath(base, context.place, context.protect);
    if (at.problem) return [block(at.problem.rule, at.problem.reason, [at.verdict])];
    cwds.push(at.path === undefined || at.path === '.' ? '' : at.path);
  }
  const reason = loadedVariables(args);
  const dialects = dialectsOf(name, args);
  const parts = [shellPart(context, commands, cwds.length > 0 ? [...new Set(cwds)] : [''], dialects)];
  if (isShell || found.commands.length > 0) {
    const elsewhere = directoriesOutside(args, commands, context.place, context.protect).find((directory) =>
      mayWriteIn(directory, context, commands, dialects),
    );
    if (elsewhere !== undefined)
      parts.push(
        undecided(
          'undecidable-command',
          `The command may run in '${shorten(elsewhere)}', which is outside the project directory`,
        ),
      );
  }
  if (reason !== undefined) parts.push(undecided('undecidable-command', reason));
  if (name.isInput && !commands.every(isPlainAnswer))
    parts.push(undecided('undecidable-command', 'It is not known which program reads this input'));
  return parts;
}

/** Whether a command would not be allowed in this directory outside: it names relative paths. */
function mayWriteIn(
  directory: string,
  context: JudgeContext,
  commands: readonly (string | readonly string[])[],
  dialects: Dialects,
): boolean {
  return shellPart(context, commands, [asCwd(directory, context.place)], dialects).outcome !== 'allow';
}

/** If several shells are possible, the call is judged by what each would write. */
export function shellPart(
  context: JudgeContext,
  commands: readonly (string | readonly string[])[],
  cwds: readonly string[],
  { meant, orPosix }: Dialects,
): Part {
  const other = orPosix ? partIn(context, commands, cwds, 'posix') : undefined;
  if (other?.outcome === 'block') return other;
  return worst(meant.map((dialect) => partIn(context, commands, cwds, dialect)));
}

function partIn(
  context: JudgeContext,
  commands: readonly (string | readonly string[])[],
  cwds: readonly string[],
  dialect: Dialect,
): Part {
  const reading = judgeCommands(
    commands,
    cwds,
    context.place,
    context.protect,
    dialect === 'posix' ? undefined : dialect,
  );
  const written = pathsPart(reading.writes);
  if (written.outcome === 'block') return written;
  const secret = reading.reads.map((path) => deniedRead(context.denyRead, path, context.place)).find(Boolean);
  if (secret) return block('denied-read', secret);
  if (reading.cut !== undefined)
    return block('too-large', `The command is too long to be judged: ${reading.cut}`, written.paths);
  if (reading.undecidable.length > 0)
    return undecided(
      'undecidable-command',
      `It is not known what the command writes: ${shorten(reading.undecidable[0] as string)}`,
      written.paths,
    );
  return written.paths.length > 0 ? written : allow('The command writes nothing outside the project directory');
}
