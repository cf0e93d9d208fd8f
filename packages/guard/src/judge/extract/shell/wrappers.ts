import { enterDirectory } from './enter-directory.ts';
import { type Call, type Handler, mayNotRun, plainResult, type Result } from './call.ts';
import { checkAssignment } from './environment.ts';
import { ANY, type Field } from './marks.ts';
import { parseOptions } from './options.ts';
import { checkPackage } from './tools/check-package.ts';

/** How to read a command that runs another one. */
interface Wrapper {
  readonly values?: string;
  /** Number of operands before the command. */
  readonly skips?: number;
  /** Options whose value is written. */
  readonly writes?: string;
  /** Options whose value is the directory in which the command runs. */
  readonly into?: string;
  /** The words are joined and passed to a shell. */
  readonly isText?: boolean;
  readonly undecidable?: string;
}

const TABLE: Readonly<Record<string, Wrapper>> = {
  sudo: {
    values: '-u -g -h -p -C -r -t -T -U -D -R --user --group --host --prompt --chdir --chroot',
    into: '-D --chdir',
  },
  doas: { values: '-u -C' },
  nohup: {},
  setsid: {},
  time: { values: '-f -o --format --output', writes: '-o --output' },
  timeout: { values: '-s -k --signal --kill-after', skips: 1 },
  nice: { values: '-n --adjustment' },
  ionice: { values: '-c -n -p -t --class --classdata' },
  chrt: { skips: 1 },
  taskset: { skips: 1 },
  stdbuf: { values: '-i -o -e --input --output --error' },
  unbuffer: {},
  builtin: {},
  exec: { values: '-a' },
  noglob: {},
  nocorrect: {},
  busybox: {},
  toybox: {},
  strace: { values: '-o -e -s -p -u -E -P', writes: '-o' },
  ltrace: { values: '-o -e -s -p -u', writes: '-o' },
  watch: { values: '-n --interval', isText: true },
  caffeinate: { values: '-t -w' },
  winpty: {},
  rlwrap: {},
  xvfb: {},
  'xvfb-run': { values: '-n -s -f -e -w --server-args' },
  dotenv: { values: '-e -f' },
  'cross-env': {},
  'dbus-run-session': {},
  'systemd-run': {
    values: '-p -u -E -M -H --unit --property --setenv --uid --gid --slice --working-directory',
    undecidable: 'systemd-run starts a process outside this one.',
  },
  unshare: { values: '--map-user --map-group --root --wd' },
  nsenter: { values: '-t', undecidable: 'The command runs in another namespace.' },
  chroot: { values: '--userspec --groups', skips: 1, undecidable: 'The command runs below another root.' },
  su: { values: '-c -s --command --shell', undecidable: 'The command runs as another user.' },
  runuser: { values: '-c -s -u --command', undecidable: 'The command runs as another user.' },
  proot: { undecidable: 'The command runs below another root.' },
  firejail: {},
  npx: { values: '-p --package -c --call --prefix' },
  bunx: { values: '-p --package' },
  pnpx: { values: '-p --package' },
  uvx: { values: '--from --with -p --python' },
  hyperfine: {
    values:
      '-w -r -m -M -n -L -P -s -p -c --export-json --export-csv --export-markdown --warmup --runs --min-runs --prepare --setup --cleanup --conclude',
    writes: '--export-json --export-csv --export-markdown',
    isText: true,
  },
  script: { values: '-c --command -E -I -O -B -T -o', writes: '-I -O -B -T' },
  entr: {},
  parallel: {
    values: '-j -a -S -P --jobs --arg-file --joblog --results --colsep --tmpdir -I -N -n',
    writes: '--joblog --results',
    undecidable: 'parallel adds operands that are not known.',
  },
};

/** Commands that run another command. */
export const WRAPPERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ...Object.entries(TABLE).map(([name, wrapper]): [string, Handler] => [name, (call) => unwrap(call, wrapper)]),
  ['command', runCommand],
  ['env', runEnv],
  ['printenv', () => [ANY]],
  ['flock', runLocked],
  ['tmux', runInTerminal],
  ['screen', runInTerminal],
]);

function unwrap(call: Call, wrapper: Wrapper): Result {
  const { args, state, input, reader } = call;
  const { operands, values, isOpen } = parseOptions(args, { values: wrapper.values, stopsAtOperand: true });
  const named = (names: string | undefined): Field[] => (names === undefined ? [] : values(...names.split(' ')));
  for (const field of named(wrapper.writes)) reader.write(state, field);
  const output = named('-c --call --command').filter(() => /^(?:su|runuser|npx|script)$/.test(call.name));
  for (const text of output) reader.runText([text.value], state.copy());
  if (call.name === 'entr' && args.some((arg) => /^-[a-z]*s$/.test(arg.value)))
    reader.runText([operands.map((one) => one.value).join(' ')], state.copy());
  if (/^(?:npx|bunx|pnpx|uvx)$/.test(call.name))
    for (const spec of [operands[0], ...named('-p --package --from --with')])
      if (spec !== undefined) checkPackage(spec, reader);
  if (call.name === 'hyperfine')
    for (const text of named('-p -s -c --prepare --setup --cleanup --conclude'))
      reader.runText([text.value], state.copy());
  if (wrapper.undecidable !== undefined && (operands.length > 0 || output.length > 0))
    reader.undecidable(wrapper.undecidable);
  if (isOpen && operands.length === 0) reader.undecidable('The command that runs is not known.');
  let inner = operands.slice(wrapper.skips ?? 0);
  if (call.name === 'script' && operands[0] !== undefined) {
    // The first operand is the recording; on macOS the rest is the command.
    reader.write(state, operands[0]);
    inner = operands.slice(1);
  }
  while (inner[0] !== undefined && /^[A-Za-z_]\w*=/.test(inner[0].value))
    inner = inner.slice(noteAssignment(inner[0], reader));
  if (inner.length === 0) {
    // The program starts a shell, which reads the input.
    if (
      input !== undefined &&
      /^(?:sudo|doas|su|runuser|unshare|nsenter|chroot|firejail|proot|parallel|dbus-run-session)$/.test(call.name)
    )
      reader.runText(input, state.copy());
    return plainResult(state, [ANY]);
  }
  // `builtin -x` fails, and a shell that `exec` ends changes its directory no more.
  const isInShell = (call.name === 'builtin' && args[0] === inner[0]) || call.name === 'noglob';
  const own = isInShell ? state : state.copy();
  const [directory] = named(wrapper.into);
  if (directory !== undefined) own.cwds = own.cwds.map((cwd) => enterDirectory(state, cwd, directory.value));
  if (wrapper.isText === true)
    return plainResult(state, reader.runText([inner.map((one) => one.value).join(' ')], own));
  const result = reader.runWords(inner, own, input, call.name.startsWith('no') && isInShell);
  return own === state ? result : plainResult(state, result.output);
}

/** `sudo A=1 cmd` and `env A=1 cmd`: the number of words in the assignment. */
function noteAssignment({ value }: Field, reader: Call['reader']): number {
  const equals = value.indexOf('=');
  const reason = checkAssignment(value.slice(0, equals), [value.slice(equals + 1)]);
  if (reason !== undefined) reader.undecidable(reason);
  return 1;
}

function runCommand({ args, state, input, reader }: Call): Result {
  const { operands, options, has } = parseOptions(args, { stopsAtOperand: true });
  if (has('-v', '-V')) return plainResult(state, [operands[0] === undefined ? ANY : `${ANY}/${operands[0].value}`]);
  // With another option than `-p` it fails.
  const before = options.every((option) => option.name === '-p') ? undefined : state.copy();
  const result = reader.runWords(operands, state, input);
  return before === undefined ? result : mayNotRun(result, before);
}

function runEnv({ args, state, input, reader }: Call): Result {
  const { operands, values } = parseOptions(args, {
    values: '-u -C -S --unset --chdir --split-string',
    stopsAtOperand: true,
  });
  const own = state.copy();
  for (const directory of values('-C', '--chdir'))
    own.cwds = own.cwds.map((cwd) => enterDirectory(state, cwd, directory.value));
  let inner = operands;
  while (inner[0] !== undefined && /^[A-Za-z_]\w*=/.test(inner[0].value)) {
    noteAssignment(inner[0], reader);
    const equals = inner[0].value.indexOf('=');
    own.assign(inner[0].value.slice(0, equals), [inner[0].value.slice(equals + 1)]);
    own.exported.add(inner[0].value.slice(0, equals));
    inner = inner.slice(1);
  }
  for (const text of values('-S', '--split-string')) {
    return plainResult(state, reader.runText([[text.value, ...inner.map((one) => one.value)].join(' ')], own));
  }
  return inner.length === 0 ? plainResult(state, [ANY]) : plainResult(state, reader.runWords(inner, own, input).output);
}

function runLocked({ args, state, input, reader }: Call): Result {
  const { operands, values } = parseOptions(args, { values: '-w -E -c --command --timeout', stopsAtOperand: true });
  for (const text of values('-c', '--command')) reader.runText([text.value], state.copy());
  const [lock, ...inner] = operands;
  if (lock !== undefined && !/^\d+$/.test(lock.value)) reader.write(state, lock);
  if (inner[0]?.value === '-c' && inner[1] !== undefined)
    return plainResult(state, reader.runText([inner[1].value], state.copy()));
  return inner.length === 0
    ? plainResult(state, [''])
    : plainResult(state, reader.runWords(inner, state.copy(), input).output);
}

/** A terminal multiplexer: text typed into it, or a program started in it, is a command. */
function runInTerminal({ name, args, state, reader }: Call): readonly string[] {
  const words = args.map((arg) => arg.value);
  for (const [index, arg] of args.entries()) if (args[index - 1]?.value === '-Logfile') reader.write(state, arg);
  const sends = words.findIndex((word) => word === 'send-keys' || word === 'send' || word === 'stuff' || word === '-X');
  const runs =
    /^(?:new|new-session|neww|new-window|split-window|splitw|respawn-pane|run-shell|run|if-shell|pipe-pane)$/;
  if (words.some((word) => /^(?:save-buffer|saveb)$/.test(word)))
    for (const file of args.slice(-1)) if (file.value !== '-') reader.write(state, file);
  const at = sends === -1 ? words.findIndex((word) => runs.test(word)) : sends;
  if (at === -1 && name === 'tmux') return [ANY];
  const { operands } = parseOptions(args.slice(at + 1), { values: '-t -s -n -c -x -y -F -e -S -p -l' });
  const typed = operands.map((field) => field.value).filter((word) => !/^(?:Enter|C-m|C-c|stuff)$/.test(word));
  if (typed.length === 0) return [ANY];
  const pane = state.copy();
  reader.runText([typed.join(' ').replace(/\\n|\^M/g, '\n')], pane);
  reader.leave(pane);
  return [ANY];
}
