import { TOOLSETS, type ToolsetName } from '@croft/tools/toolset-names';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { refuseWide } from '../compose/refuse-wide.ts';
import { UsageError } from '../usage-error.ts';
import type { ServingOptions } from '../compose/serving.ts';
import { collectValues } from './collect-values.ts';

/** The flags for workspaces and tools, as commander returns them. */
export interface ServingFlags {
  readonly readOnly?: boolean;
  readonly toolset: ToolsetName;
  readonly user?: string;
  readonly ignore: readonly string[];
  readonly confirm?: 'destructive';
  readonly denyList: boolean;
  readonly deny: readonly string[];
  readonly durable?: boolean;
  readonly quotaBytes?: number;
  readonly quotaFiles?: number;
  readonly trashBytes?: number;
  readonly secondWall: boolean;
  readonly requireSandbox?: boolean;
}

/** Adds the flags for workspaces and tools to a command. */
export function addServingFlags(command: Command): Command {
  return command
    .option('--read-only', 'leave out every tool that changes files')
    .addOption(new Option('--toolset <name>', 'which tools to offer').choices([...TOOLSETS]).default('full'))
    .option('--user <id>', "serve this user's own namespace below the base directory; takes no directory")
    .option('--ignore <name>', 'leave entries with this name out of lists and searches (repeatable)', collectValues, [])
    .addOption(
      new Option('--confirm <what>', 'ask the person before a change that replaces or removes').choices([
        'destructive',
      ]),
    )
    .option('--quota-bytes <n>', 'most bytes the workspace may hold (suffix K, M or G)', parseBytes)
    .option('--quota-files <n>', 'most files the workspace may hold', parseCount)
    .option(
      '--trash-bytes <n>',
      'most bytes of old content kept for undo (default: a quarter of --quota-bytes, else a tenth of the free disk)',
      parseBytes,
    )
    .option('--durable', 'flush every change to the disk before answering')
    .option(
      '--deny <name>',
      "also hide files and directories with this name, like credential files, e.g. '.env.*' (repeatable)",
      collectValues,
      [],
    )
    .option('--no-deny-list', 'also serve credential files (.env, keys, .ssh, .git …)')
    .option('--no-second-wall', 'do not restrict the process with Landlock')
    .option(
      '--require-sandbox',
      'refuse to start without a race-free path resolver and Landlock with a passed self-test',
    );
}

/** Adds `--dir`, for directories that {@link directoriesOf} refuses as arguments. */
export function addDirFlag(command: Command): Command {
  return command.option(
    '--dir <dir>',
    'serve this directory, also if it is the home directory, one above it or the whole disk (repeatable)',
    collectValues,
    [],
  );
}

/**
 * The directories of the arguments and of `--dir`.
 *
 * @throws UsageError for an argument that gives agents more than a project
 */
export function directoriesOf(args: readonly string[], named: readonly string[]): readonly string[] {
  for (const dir of args) refuseWide(dir, 'Name the directory to serve');
  return [...args, ...named];
}

/** Converts the flags to options. Throws UsageError for flags that contradict each other. */
export function toServingOptions(flags: ServingFlags, dirs: readonly string[]): ServingOptions {
  if (flags.deny.length > 0 && !flags.denyList)
    throw new UsageError('--deny adds to the deny-list, which --no-deny-list switches off: give one of them');
  if (flags.requireSandbox && !flags.secondWall)
    throw new UsageError('--require-sandbox needs what --no-second-wall switches off: give one of them');
  return {
    dirs,
    toolset: flags.toolset,
    readOnly: flags.readOnly ?? false,
    user: flags.user,
    ignore: flags.ignore,
    confirm: flags.confirm === 'destructive',
    denyList: flags.deny.length > 0 ? flags.deny : flags.denyList,
    durable: flags.durable ?? false,
    quotaBytes: flags.quotaBytes,
    quotaFiles: flags.quotaFiles,
    trashBytes: flags.trashBytes,
  };
}

export function parseCount(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('Give a whole number.');
  return Number(text);
}

/** Parses `500`, `10K`, `200M` or `2G` to bytes, in powers of 1,024. */
export function parseBytes(text: string): number {
  const parts = /^(\d+)([KMG]?)$/i.exec(text);
  if (!parts) throw new InvalidArgumentError('Give a number of bytes, e.g. 500M.');
  const power = ['', 'K', 'M', 'G'].indexOf((parts[2] ?? '').toUpperCase());
  return Number(parts[1]) * 1024 ** power;
}
