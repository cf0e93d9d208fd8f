import type { Call } from './call.ts';
import { parseOptions } from './options.ts';

/** Commands that read all their operands and have no option with a value. */
const PLAIN =
  'less more tac rev zcat bzcat xzcat comm cmp eza exa expand unexpand sha1sum sha512sum b2sum look tokei bc';

/** Commands that read no files. */
const WITHOUT_FILES =
  'tr ps df free uptime pgrep pkill killall lsof netstat ping dig nslookup host man help expr clear';

/** Other commands that only read: the number of operands before the files, and the options with a value. */
const READERS = new Map<string, readonly [number, string]>([
  ...PLAIN.split(' ').map((name) => [name, [0, '']] as const),
  ...WITHOUT_FILES.split(' ').map((name) => [name, [Infinity, '']] as const),
  ...Object.entries({
    bat: [0, '-l -r --language --pager'],
    head: [0, '-n -c --lines --bytes'],
    tail: [0, '-n -c --lines --bytes --pid'],
    nl: [0, '-b -v -w'],
    od: [0, '-A -t -N -j'],
    hexdump: [0, '-n -s -e'],
    strings: [0, '-n'],
    grep: [1, '-e -f -m -A -B -C --include --exclude --exclude-dir --color'],
    egrep: [1, '-e -f -m -A -B -C'],
    fgrep: [1, '-e -f -m'],
    rg: [1, '-e -f -g -t -T -m -A -B -C -r -j --glob --type --type-not --max-count --pre --hostname-bin'],
    ag: [1, '-G -A -B -C -m --pager'],
    ack: [1, '-A -B -C --pager'],
    zgrep: [1, '-e -A -B -C'],
    cut: [0, '-d -f -c -b --delimiter --fields'],
    paste: [0, '-d'],
    join: [0, '-1 -2 -t -o'],
    diff: [0, '-U -I -x --exclude'],
    file: [0, '-m'],
    stat: [0, '-c -f --format --printf'],
    ls: [0, '-I'],
    tree: [0, '-L -I -P'],
    du: [0, '-d --max-depth --exclude'],
    column: [0, '-t -s'],
    fold: [0, '-w'],
    fmt: [0, '-w'],
    jq: [1, '--arg --argjson --slurpfile --rawfile --indent -f'],
    shasum: [0, '-a'],
  } satisfies Record<string, readonly [number, string]>),
]);

/** Whether a command of this name is known to read its operands. */
export function isReader(name: string): boolean {
  return READERS.has(name);
}

/** Records the operands of a command that is known to read. @returns whether it is one. */
export function readsOf(call: Call): boolean {
  const known = READERS.get(call.name);
  if (known === undefined) return false;
  const { operands, has, values } = parseOptions(call.args, { values: known[1] });
  const skips = known[0] === 1 && has('-e', '-f', '--regexp', '--file') ? 0 : known[0];
  for (const field of operands.slice(skips)) call.reader.read(call.state, field);
  for (const pre of values('--pre', '--pager', '--hostname-bin', '--diff-program'))
    call.reader.undecidable(`'${pre.value}' is run.`);
  if (/^(?:less|more)$/.test(call.name) && call.args.some((arg) => /^\+(?!(?:[GF]|\d+|\/[^!|]*)$)/.test(arg.value)))
    call.reader.undecidable(`'${call.name}' gets commands to run as an argument.`);
  if (call.name === 'man' && call.args.some((arg) => /^(?:-H.|--html=)/.test(arg.value)))
    call.reader.undecidable('An option of man runs a command.');
  if (call.name === 'tree' || call.name === 'bat')
    for (const field of parseOptions(call.args, { values: '-o' }).values('-o')) call.reader.write(call.state, field);
  if (call.name === 'less' || call.name === 'more') {
    for (const field of parseOptions(call.args, { values: '-o -O --log-file --LOG-FILE' }).values(
      '-o',
      '-O',
      '--log-file',
      '--LOG-FILE',
    ))
      call.reader.write(call.state, field);
  }
  return true;
}
