import { type Call, type Handler, plainResult, type Result } from './call.ts';
import { goTo, popDirectory } from './directory-builtins.ts';
import { checkAssignment } from './environment.ts';
import { PIPE_FILE } from './evaluate-word.ts';
import { ANY, ATOM, changeDirectory, type Field, STANDARD_INPUT } from './marks.ts';
import { isHarmlessOption } from './kept-state.ts';
import { parseOptions } from './options.ts';
import { lookUp } from './parameter.ts';
import { checkEvaluated } from './subscripts.ts';
import type { ShellState } from './state.ts';

const NOTHING: readonly string[] = [''];

/** Shell builtins that affect later commands. */
export const BUILTINS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['cd', (call) => goTo(call, false)],
  ['chdir', (call) => goTo(call, false)],
  ['z', (call) => goTo(call, false)],
  ['pushd', (call) => goTo(call, true)],
  ['popd', popDirectory],
  ['set-location', (call) => goTo(call, false)],
  ['export', declare],
  ['declare', declare],
  ['typeset', declare],
  ['local', declare],
  ['readonly', declare],
  ['unset', unset],
  ['eval', evaluate],
  ['source', runFile],
  ['.', runFile],
  ['trap', trap],
  ['alias', alias],
  ['set', setOptions],
  ['shift', shift],
  ['read', assignRead],
  ['mapfile', assignLines],
  ['readarray', assignLines],
  ['getopts', assignRead],
  ['exit', exit],
  ['true', ({ state }) => ({ success: state, failure: undefined, output: NOTHING })],
  [':', ({ state }) => ({ success: state, failure: undefined, output: NOTHING })],
  ['false', ({ state }) => ({ success: undefined, failure: state, output: NOTHING })],
  ['let', readNames],
  ['test', readTest],
  ['[', readTest],
  ['hash', ({ args, reader }) => (args.some((arg) => arg.value === '-p') ? openEnd(reader, 'hash -p') : NOTHING)],
  ['enable', enable],
  ['disable', enable],
  ['zmodload', ({ reader }) => openEnd(reader, 'zmodload')],
  ['autoload', ({ reader }) => openEnd(reader, 'autoload')],
  ['wait', readVariables],
  ['history', history],
  ['fc', ({ args, reader }) => (args.some((arg) => arg.value === '-l') ? NOTHING : openEnd(reader, 'fc'))],
  ['shopt', setShellOptions],
  ['setopt', setShellOptions],
  // After `return` the caller continues, and bash continues behind one outside of a function.
  ...['return', 'umask', 'ulimit', 'jobs', 'kill', 'sleep', 'bind', 'complete', 'break', 'continue'].map(
    (name): [string, Handler] => [name, () => NOTHING],
  ),
]);

/** `exit --help` prints a text, and `exit 1 2` an error: the shell continues after both. */
function exit({ args: [status, ...others] }: Call): Result | readonly string[] {
  if (others.length > 0 || (status !== undefined && /^-|[^\d\uE001]/.test(status.value))) return NOTHING;
  return { success: undefined, failure: undefined, output: NOTHING };
}

/** `enable -n cd` switches a builtin off, so that a program runs in its place. */
function enable({ name, args, reader }: Call): readonly string[] {
  if (args.some((arg) => arg.value === '-f')) return openEnd(reader, 'enable -f');
  return args.some((arg) => BUILTINS.has(arg.value)) ? openEnd(reader, name) : NOTHING;
}

function openEnd(reader: Call['reader'], what: string): readonly string[] {
  reader.undecidable(`'${what}' changes which code runs.`);
  return [''];
}

function declare({ name: command, args, state, reader }: Call): Result {
  const { operands, has } = parseOptions(args, {});
  const isReadonly = command === 'readonly' || has('-r');
  if (has('-n')) reader.undecidable('A name becomes an alias of another variable.');
  const isNumber = has('-i');
  // With a name that is not valid, that is read-only, or that `-p` or `-f` does not find.
  let mayFail = args.some((arg) => /^[-+]/.test(arg.value) && !/^-[xrgia]+$/.test(arg.value));
  for (const { value, written } of operands) {
    const equals = value.indexOf('=');
    checkName(isNumber || equals === -1 ? value : value.slice(0, equals), reader);
    if (isNumber) checkEvaluated(value.slice(equals + 1), state, (reason) => reader.undecidable(reason));
    const match = /^([A-Za-z_]\w*)(\+?)=([^]*)$/.exec(value);
    mayFail ||= match === null ? !/^[A-Za-z_]\w*$/.test(value) : state.readonly.has(match[1] ?? '');
    if (match === null) {
      if (value.includes(ANY)) reader.undecidable(`It is not known which variable '${written}' sets.`);
      if (isReadonly) state.readonly.add(value);
      continue;
    }
    const [, name = '', plus, text = ''] = match;
    const reason = checkAssignment(name, [text]);
    if (reason !== undefined) reader.undecidable(reason);
    state.assign(name, plus === '+' ? [ANY] : [text]);
    if (isReadonly) state.readonly.add(name);
  }
  return { success: state, failure: mayFail ? state : undefined, output: [''] };
}

function unset({ args, state, reader }: Call): readonly string[] {
  for (const { value } of args) {
    checkName(value, reader);
    state.functions.delete(value);
    // `PWD`, `HOME` and similar variables have values that the command line did not set.
    if (lookUp(state, value) !== undefined) state.assign(value, ['']);
  }
  return NOTHING;
}

function evaluate({ args, state, reader }: Call): readonly string[] {
  return reader.runText([args.map((arg) => arg.value).join(' ')], state);
}

function runFile({ args, state, input, reader }: Call): readonly string[] | undefined {
  const file = args[0];
  if (file === undefined) return NOTHING;
  reader.read(state, file);
  if (file.value === PIPE_FILE || file.value.includes(ANY)) {
    reader.undecidable('Commands are read from an unknown source.');
    return undefined;
  }
  if (STANDARD_INPUT.test(file.value)) return reader.runText(input ?? [ANY], state);
  for (const cwd of state.cwds) {
    const content = state.contents.get(changeDirectory(cwd, file.value));
    if (content !== undefined) return reader.runText([content], state);
  }
  return undefined;
}

function alias({ args, state, reader }: Call): readonly string[] {
  for (const { value } of args) {
    const match = /^([^=]+)=([^]*)$/.exec(value);
    if (match === null) continue;
    const [, name = '', text = ''] = match;
    // An alias outlives this command line in a session, so read its text now too.
    reader.runText([text], state.copy());
    state.aliases.set(name, text);
  }
  return NOTHING;
}

function setOptions({ args, state }: Call): readonly string[] {
  for (const [index, { value }] of args.entries()) {
    const [, sign, letters = ''] = /^([-+])([A-Za-z]+)$/.exec(value) ?? [];
    for (const letter of letters) if (letter !== 'o') setOption(state, letter, sign === '-');
    const [, before] = /^([-+])\w*o$/.exec(args[index - 1]?.value ?? '') ?? [];
    if (before !== undefined) setOption(state, value, before === '-');
    if (value === '--') {
      state.parameters = args.slice(index + 1);
      break;
    }
    if (!/^[-+]/.test(value) && !/^[-+]\w*o$/.test(args[index - 1]?.value ?? '')) {
      state.parameters = args.slice(index);
      break;
    }
  }
  return NOTHING;
}

/** `shopt -s name`, and `setopt name` of zsh. */
function setShellOptions({ name, args, state, reader }: Call): readonly string[] {
  const isOff = args.some((arg) => /^-\w*u/.test(arg.value));
  if (name === 'shopt' && !isOff && !args.some((arg) => /^-\w*s/.test(arg.value))) return NOTHING;
  for (const { value } of args.filter((arg) => !arg.value.startsWith('-'))) {
    if (!isOff && WILDCARD_OPTION.test(value.toLowerCase().replaceAll('_', '')))
      reader.undecidable(`The option '${value}' changes which files wildcards match.`);
    setOption(state, value, !isOff);
  }
  return NOTHING;
}

/** Options with which wildcards match names that the reader otherwise excludes, such as `.git`. */
const WILDCARD_OPTION = /^(?:dotglob|globdots|extglob|extendedglob|kshglob|nocaseglob)$/;

function setOption(state: ShellState, name: string, isOn: boolean): void {
  if (!isOn) state.options.delete(name);
  else if (!isHarmlessOption(name)) state.options.add(name);
}

/** A trap runs later, between other commands. Its command, and the directory it leaves the shell in, are read now. */
function trap({ args, state, reader }: Call): readonly string[] {
  const text = args.find((arg) => arg.value !== '--');
  if (text === undefined) return NOTHING;
  const then = state.copy();
  const output = reader.runText([text.value], then);
  reader.leave(then);
  return output;
}

function shift({ args, state }: Call): readonly string[] {
  const count = Number(args[0]?.value ?? 1);
  if (state.parameters !== undefined) state.parameters = state.parameters.slice(Number.isInteger(count) ? count : 1);
  return NOTHING;
}

function assignRead(call: Call): readonly string[] {
  return assignOperands(call, '-d -n -N -p -t -u -i');
}

/** `mapfile`: its `-t` takes no value, unlike the `-t` of `read`. */
function assignLines(call: Call): readonly string[] {
  return assignOperands(call, '-d -n -O -s -u -c -C');
}

function assignOperands({ args, state, reader }: Call, values: string): readonly string[] {
  const { operands, has } = parseOptions(args, { values });
  if (has('-C')) reader.undecidable('A command is run for each line that is read.');
  for (const { value } of operands) {
    checkName(value, reader);
    if (/^[A-Za-z_]\w*$/.test(value)) state.assign(value, [ANY]);
  }
  return NOTHING;
}

/** A variable name may have a subscript, which the shell evaluates. */
function checkName(value: string, reader: Call['reader']): void {
  if (/\$\(|`/.test(value)) reader.undecidable('A subscript that is evaluated runs a command.');
}

/** `wait -p`: a variable name, which may have a subscript. */
function readVariables({ args, reader }: Call): readonly string[] {
  for (const { value } of args) checkName(value, reader);
  return NOTHING;
}

function readNames({ args, state, reader }: Call): readonly string[] {
  for (const { value } of args) checkEvaluated(value, state, (reason) => reader.undecidable(reason));
  return NOTHING;
}

function readTest({ args, state, reader }: Call): Result {
  for (const [index, { value }] of args.entries())
    if (/^-[vR]$/.test(args[index - 1]?.value ?? '')) checkName(value, reader);
  return plainResult(state, ['']);
}

function history({ args, state, reader }: Call): readonly string[] {
  const option = args.findIndex((arg) => /^-[awnr]$/.test(arg.value));
  const file: Field | undefined = option === -1 ? undefined : args[option + 1];
  if (file !== undefined) reader.write(state, file);
  return [ATOM];
}
