import type { Call } from '../call.ts';
import { field } from '../marks.ts';
import { type ParsedOptions, parseOptions } from '../options.ts';

/** The outputs of a subcommand outside the repository. */
interface Outputs {
  /** Options whose value is written. */
  readonly writes?: string;
  /** Other options with a value. */
  readonly values?: string;
  readonly operands?: 'all' | 'first' | 'second';
  /** Operands are not written with one of these options; with `only`, they are written only with one of those. */
  readonly unless?: string;
  readonly only?: string;
  /** It writes files under names of its own into the current directory. */
  readonly isHere?: boolean;
  readonly undecidable?: string;
}

/** Every parser of diff options takes it: subcommands whose manual does not list it too, such as `git shortlog`. */
const ALWAYS = '--output';
const RUNS_OTHERS = 'runs other programs, or changes settings outside the project.';

const TABLE: ReadonlyMap<string, Outputs> = new Map<string, Outputs>(
  Object.entries({
    'format-patch': { writes: '-o --output-directory', isHere: true },
    archive: { writes: '-o' },
    bugreport: { writes: '-o --output-directory', values: '-s --suffix', isHere: true },
    diagnose: { writes: '-o --output-directory', values: '-s --suffix --mode', isHere: true },
    'index-pack': { writes: '-o', values: '--keep --threads', operands: 'all' },
    mailsplit: { writes: '-o', operands: 'all' },
    mailinfo: { operands: 'all' },
    'merge-file': { values: '-L --marker-size', operands: 'first', unless: '-p --stdout' },
    'merge-one-file': { operands: 'all' },
    'unpack-file': { isHere: true },
    'fast-export': { writes: '--export-marks' },
    'fast-import': { writes: '--export-marks --export-pack-edges', values: '--import-marks' },
    'checkout-index': { writes: '--prefix' },
    'read-tree': { writes: '--index-output' },
    'pack-objects': { operands: 'all' },
    'commit-graph': { writes: '--object-dir' },
    'multi-pack-index': { writes: '--object-dir' },
    'interpret-trailers': { values: '--trailer --where --if-exists --if-missing', operands: 'all', only: '--in-place' },
    'credential-store': { writes: '--file', undecidable: RUNS_OTHERS },
    'credential-cache': { writes: '--socket', undecidable: RUNS_OTHERS },
    'receive-pack': { operands: 'all' },
    cvsimport: { writes: '-C', undecidable: RUNS_OTHERS },
    'send-email': { undecidable: RUNS_OTHERS },
    'for-each-repo': { undecidable: RUNS_OTHERS },
    daemon: { undecidable: RUNS_OTHERS },
    instaweb: { undecidable: RUNS_OTHERS },
    'web--browse': { undecidable: RUNS_OTHERS },
    'http-backend': { undecidable: RUNS_OTHERS },
    shell: { undecidable: RUNS_OTHERS },
    mergetool: { undecidable: RUNS_OTHERS },
    gui: { undecidable: RUNS_OTHERS },
    citool: { undecidable: RUNS_OTHERS },
  } satisfies Record<string, Outputs>),
);

/** Options that name a program for git to run, here or on a remote that may be this machine. */
const PROGRAMS = ['--upload-pack', '--receive-pack', '--exec'];

/** Records what a subcommand of git writes because of its options, and the programs they name. */
export function noteGitOutputs(verb: string, { args, state, reader }: Call): void {
  for (const arg of args) if (/^(?:ext|fd)::/.test(arg.value)) reader.undecidable('A remote of git runs a command.');
  if (/^(?:ls-remote|fetch|pull|push|archive|clone|fetch-pack|send-pack|submodule|remote)$/.test(verb)) {
    const { values } = parseOptions(args, { values: `${PROGRAMS.join(' ')} -o` });
    for (const program of values(...PROGRAMS))
      reader.undecidable(`'${program.written}' names a program that git runs.`);
  }
  const known = TABLE.get(verb) ?? {};
  const split = (text: string | undefined): string[] => text?.split(' ') ?? [];
  const { operands, values, has } = parseOptions(args, {
    values: `${ALWAYS} ${known.writes ?? ''} ${known.values ?? ''}`,
  });
  for (const file of values(ALWAYS, ...split(known.writes))) reader.write(state, file);
  if (known.isHere === true && state.cwds.some((cwd) => cwd !== '')) reader.write(state, field('.', `git ${verb}`));
  if (known.undecidable !== undefined) reader.undecidable(`'git ${verb}' ${known.undecidable}`);
  if (verb === 'fast-import' && has('--allow-unsafe-features'))
    reader.undecidable('The input of git names files that it writes.');
  if (known.unless !== undefined && has(...split(known.unless))) return;
  if (known.only !== undefined && !has(...split(known.only))) return;
  for (const [index, file] of operands.entries())
    if (known.operands === 'all' || (known.operands === 'first' && index === 0)) reader.write(state, file);
}

const LISTS = ['-l', '--list', '--contains', '--no-contains', '--merged', '--no-merged', '--points-at'];

/** Whether a subcommand that usually only reads changes the repository this time. */
export function changesRepository(verb: string, { args }: Call): boolean {
  const parsed: ParsedOptions = parseOptions(args, { values: '--sort --format --file -f --blob --type --default -n' });
  const { operands, has } = parsed;
  const [first, ...rest] = operands.map((one) => one.value);
  switch (verb) {
    case 'branch':
      return has('-d', '-D', '-m', '-M', '-c', '-C', '-u', '--delete', '--move', '--copy', '--set-upstream-to') ||
        has('--unset-upstream', '--edit-description', '--force', '--track', '-t')
        ? true
        : first !== undefined && !has(...LISTS);
    case 'tag':
      return (
        has('-d', '--delete', '-a', '-s', '-m', '-F') || (first !== undefined && !has(...LISTS, '-n', '-v', '--verify'))
      );
    case 'remote':
      return first !== undefined && !/^(?:show|get-url)$/.test(first);
    case 'config':
      return setsConfig(parsed);
    case 'symbolic-ref':
      return has('-d', '--delete') || rest.length > 0;
    case 'reflog':
      return /^(?:expire|delete|drop|write)$/.test(first ?? '');
    case 'hash-object':
      return has('-w');
    case 'fsck':
      return has('--lost-found');
    default:
      return false;
  }
}

/** Whether a `git config` command sets something. */
export function setsConfig({ operands, has }: ParsedOptions): boolean {
  const verb = operands[0]?.value ?? '';
  if (/^(?:set|unset|rename-section|remove-section|edit)$/.test(verb)) return true;
  return (
    has('--add', '--unset', '--unset-all', '--replace-all', '--rename-section', '--remove-section', '--edit', '-e') ||
    (operands.length > 1 &&
      verb !== 'get' &&
      !has('--get', '--get-all', '--get-regexp', '--get-urlmatch', '--list', '-l'))
  );
}
