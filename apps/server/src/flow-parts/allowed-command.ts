import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { ComponentError, splitCommand } from '@croft/components';

/** Which commands a run may start as MCP servers. */
export interface CommandRules {
  /** Command lines that the administrator allowed. */
  readonly allowed: readonly string[];
  /** Commands that an administrator confirmed as they were resolved. */
  readonly confirmed?: readonly ResolvedCommand[];
  /** Directories that flows write to. A command that runs a file in one of them would run what a flow wrote. */
  readonly writable: readonly string[];
  /** Says how to allow a command. */
  readonly howToAllow: string;
}

/** A program by its real path, with its arguments. */
export interface ResolvedCommand {
  readonly file: string;
  readonly args: readonly string[];
}

/**
 * The program and arguments of a command that is allowed: one with the same real program and the same arguments is in the
 * list.
 *
 * @throws ComponentError without a path of the host
 */
export function allowedCommand(
  argv: readonly string[],
  { allowed, confirmed = [], writable, howToAllow }: CommandRules,
  path = process.env['PATH'] ?? '',
): ResolvedCommand {
  const command = resolveCommand(argv, path);
  const isThis = (other: ResolvedCommand | undefined) => command !== undefined && isSameCommand(other, command);
  const isListed = confirmed.some(isThis) || allowed.some((line) => isThis(resolveCommand(splitCommand(line), path)));
  if (command === undefined || !isListed)
    throw new ComponentError(`The command '${argv.join(' ')}' is not allowed.`, howToAllow);
  const own = [command.file, ...command.args].find((part) => writable.some((dir) => isInside(part, dir)));
  if (own !== undefined)
    throw new ComponentError(
      `The command '${argv.join(' ')}' uses a file in the directory of the flow, which flows can change.`,
      'Move the program to another directory, or run the flow in another one.',
    );
  return command;
}

export const isSameCommand = (one: ResolvedCommand | undefined, { file, args }: ResolvedCommand): boolean =>
  one?.file === file && JSON.stringify(one.args) === JSON.stringify(args);

/** Undefined if the program does not exist. */
export function resolveCommand(
  [program = '', ...args]: readonly string[],
  path = process.env['PATH'] ?? '',
): ResolvedCommand | undefined {
  const places = program.includes('/') || program.includes(sep) ? [''] : path.split(delimiter).filter(isAbsolute);
  for (const place of places) {
    const file = place === '' ? resolve(program) : join(place, program);
    try {
      accessSync(file, constants.X_OK);
      if (statSync(file).isFile()) return { file: realpathSync(file), args };
    } catch {
      // Not there, or not a program: the next directory may have it.
    }
  }
  return undefined;
}

/**
 * Whether an argument, or the value of a flag `--name=value`, names something in a directory, or contains a path below it, as in
 * `sh -c` and `--import=file:///…`. A help for administrators and not a bound: a program can find files in other ways.
 */
function isInside(part: string, dir: string): boolean {
  if ([dir, realOf(dir)].some((each) => part.includes(each + sep))) return true;
  return [part, part.slice(part.indexOf('=') + 1)].some((each) => {
    const way = relative(realOf(dir), realOf(resolve(each)));
    const exists = way !== '' && !way.startsWith('..') && !isAbsolute(way);
    return exists && isThere(resolve(each));
  });
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function isThere(path: string): boolean {
  try {
    statSync(path);
    return true;
  } catch {
    return false;
  }
}
