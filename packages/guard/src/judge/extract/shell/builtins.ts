import { type Call, type Handler, plainResult, type Result } from './call.ts';
import { goTo, popDirectory } from './directory-builtins.ts';
import { PIPE_FILE } from './evaluate-word.ts';
import { ANY, ATOM, changeDirectory, type Field, STANDARD_INPUT } from './marks.ts';
import { isHarmlessOption } from './kept-state.ts';
import { checkEvaluated } from './subscripts.ts';
import { assignLines, assignRead, checkName, declare, unset } from './variable-builtins.ts';
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
  ['return', ({ state, reader }) => (reader.end('function', state), NOTHING)],
  ['break', ({ state, reader }) => (reader.end('loop', state), NOTHING)],
  ['continue', ({ state, reader }) => (reader.end('loop', state), NOTHING)],
  ...['umask', 'ulimit', 'jobs', 'kill', 'sleep', 'bind', 'complete'].map((name): [string, Handler] => [
    name,
    () => NOTHING,
  ]),
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

function evaluate({ args, state, reader }: Call): readonly string[] {
  return reader.runText([args.map((arg) => arg.value).join(' ')], state, true);
}

function runFile({ args, state, input, reader }: Call): readonly string[] | undefined {
  const file = args[0];
  if (file === undefined) return NOTHING;
  reader.read(state, file);
  if (file.value === PIPE_FILE || file.value.includes(ANY)) {
    reader.undecidable('Commands are read from an unknown source.');
    return undefined;
  }
  if (STANDARD_INPUT.test(file.value)) return (input ?? [ANY]).flatMap((text) => reader.runFile(text, state));
  for (const cwd of state.cwds) {
    const content = state.contents.get(changeDirectory(cwd, file.value));
    if (content !== undefined) return reader.runFile(content, state);
  }
  return undefined;
}

function alias({ args, state, reader }: Call): readonly string[] {
  for (const { value } of args) {
    const match = /^([^=]+)=([^]*)$/.exec(value);
    if (match === null) continue;
    const [, name = '', text = ''] = match;
    // An alias outlives this command line in a session, so read its text now too.
    reader.runText([text], state.copy(), true);
    state.aliases.set(name, text);
  }
  return NOTHING;
}

function setOptions({ args, state, reader }: Call): readonly string[] {
  for (const [index, { value }] of args.entries()) {
    const [, sign, letters = ''] = /^([-+])([A-Za-z]+)$/.exec(value) ?? [];
    for (const letter of letters) if (letter !== 'o') setOption(state, letter, sign === '-', reader);
    const [, before] = /^([-+])\w*o$/.exec(args[index - 1]?.value ?? '') ?? [];
    if (before !== undefined) setOption(state, value, before === '-', reader);
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
    setOption(state, value, !isOff, reader);
  }
  return NOTHING;
}

/** Options with which wildcards match names that the reader otherwise excludes, such as `.git`. */
const WILDCARD_OPTION = /^(?:dotglob|globdots|extglob|extendedglob|kshglob|nocaseglob)$/;

/** Options that later lines must be read without, and that change nothing of this one: more is exported, wildcards are text. */
const HARMLESS_HERE = /^(?:a|allexport|f|noglob)$/;

function setOption(state: ShellState, name: string, isOn: boolean, reader: Call['reader']): void {
  if (!isOn) state.options.delete(name);
  else if (!isHarmlessOption(name)) {
    state.options.add(name);
    if (HARMLESS_HERE.test(name)) return;
    const isWildcard = WILDCARD_OPTION.test(name.toLowerCase().replaceAll('_', ''));
    reader.undecidable(
      `The option '${name}' changes ${isWildcard ? 'which files wildcards match' : 'what commands mean'}.`,
    );
  }
}

/** A trap runs later, between other commands. Its command is read now, and again in every other state of the shell. */
function trap({ args, state, reader }: Call): readonly string[] {
  const text = args.find((arg) => arg.value !== '--');
  if (text === undefined) return NOTHING;
  const then = state.copy();
  const output = reader.runText([text.value], then, true);
  reader.leave(then);
  const isAtEnd = args.every((arg) => arg === text || /^(?:--|0|(?:SIG)?EXIT)$/i.test(arg.value));
  state.traps = [...state.traps, { text: text.value, isAtEnd }];
  return output;
}

function shift({ args, state }: Call): readonly string[] {
  const count = Number(args[0]?.value ?? 1);
  if (state.parameters !== undefined) state.parameters = state.parameters.slice(Number.isInteger(count) ? count : 1);
  return NOTHING;
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
