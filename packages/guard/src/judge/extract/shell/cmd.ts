import type { Reader } from './call.ts';
import { cmdPlace } from './cmd-place.ts';
import { CMD_PUTS, joinSources, putCmdFiles } from './cmd-placed.ts';
import { cmdLines, type CmdWord } from './cmd-tokens.ts';
import { MAX_COMMANDS, TooLong } from './limits.ts';
import { ANY, changeDirectory, currentDirectory, type Field } from './marks.ts';
import { readPowerShell } from './powershell.ts';
import type { ShellState } from './state.ts';

/** Where the words of one line are read. */
interface Line {
  readonly state: ShellState;
  readonly reader: Reader;
  /** The value of `%cd%` in this line. */
  readonly here: string;
}

/** The operands that a command of `cmd` writes: all of them, or the last. */
const COMMANDS: Readonly<Record<string, 'all' | 'last'>> = {
  copy: 'last',
  xcopy: 'last',
  robocopy: 'all',
  move: 'all',
  del: 'all',
  erase: 'all',
  rd: 'all',
  rmdir: 'all',
  md: 'all',
  mkdir: 'all',
  ren: 'all',
  rename: 'all',
  mklink: 'all',
  attrib: 'all',
  icacls: 'all',
  cacls: 'all',
  takeown: 'all',
  fsutil: 'all',
  expand: 'last',
  compact: 'all',
  cipher: 'all',
  replace: 'last',
};

/** Commands of `cmd` itself, whose name also ends before one of `.`, `/`, `\\`, `:`, `+`, `[` and `]`: `cd..`, `rd/s`. */
const BUILT_IN =
  /^(cd|chdir|md|mkdir|rd|rmdir|del|erase|copy|move|ren|rename|type|pushd|popd|mklink|start|call|if|for|do|else)([./\\:+[\]].*)$/i;

/** Programs whose name ends before `/`. */
const PROGRAM =
  /^(attrib|cacls|cipher|cmd|compact|expand|findstr|fsutil|icacls|more|replace|robocopy|takeown|xcopy)(\/.*)$/i;

/** Programs that run other programs or code; the reader of PowerShell knows the same ones. */
const RUNS = /^(?:bitsadmin|cscript|mshta|regsvr32|rundll32|subst|wscript)$/;

/** Options of `start` with a value in the next word. */
const START_VALUES = /^\/(?:d|affinity|node|machine)$/i;

/** Reads a text for Windows' `cmd` with its own tokenizer: `^`, quotes, `%NAME%`, redirections, `&`, `|`. */
export function readCmd(source: string, state: ShellState, reader: Reader): void {
  let left = MAX_COMMANDS;
  const first = state.cwds;
  for (const commands of cmdLines(source)) {
    // `cmd` expands a group in parentheses before it runs any of it.
    const isKnown = state.cwds === first || !source.includes('(');
    const line = { state, reader, here: isKnown ? currentDirectory(state.cwds) : ANY };
    for (const words of commands) {
      left -= 1;
      if (left < 0) throw new TooLong(`it runs more than ${MAX_COMMANDS} commands`);
      readWords(words, line);
    }
  }
}

/** The place of the command behind the condition of `if`. `=` separates words, so `a==b` is two of them. */
function afterCondition(words: readonly string[]): number {
  let at = 0;
  while (/^(?:\/i|not)$/i.test(words[at] ?? '')) at += 1;
  const isCompared = /^(?:equ|neq|lss|leq|gtr|geq)$/i.test(words[at + 1] ?? '');
  return at + (isCompared ? 3 : 2);
}

/** The words of a command behind `@`, with the name of a built-in command apart from what is joined to it. */
function apart([first = '', ...rest]: readonly string[]): readonly string[] {
  const name = first.replace(/^@+/, '');
  if (name === '' && first !== '') return apart(rest);
  const joined = /\.(?:exe|com|cmd|bat)$/i.test(name) ? null : (BUILT_IN.exec(name) ?? PROGRAM.exec(name));
  return joined === null ? [name, ...rest] : [joined[1] ?? '', joined[2] ?? '', ...rest];
}

function readWords(words: readonly CmdWord[], line: Line): void {
  const { state, reader, here } = line;
  const place = (text: string): Field => cmdPlace(text, here, currentDirectory(state.cwds));
  for (const { text, redirect } of words) {
    if (redirect === undefined || /^nul:?$/i.test(text)) continue;
    if (redirect === 'write') reader.write(state, place(text));
    else reader.read(state, place(text));
  }
  const plain = apart(words.filter((word) => word.redirect === undefined).map((word) => word.text));
  const [first = '', ...rest] = plain;
  const name = first.toLowerCase().replace(/\.(?:exe|com|cmd|bat)$/, '');
  if (name === '') return;
  if (/^(?:if|for|call|start|do|else)$/.test(name)) {
    if (name === 'for') reader.undecidable('A loop of cmd is not followed.');
    if (name === 'start') return readStart(rest, line);
    const inner = rest.slice(name === 'if' ? afterCondition(rest) : 0);
    return readWords(inner.map(plainWord), line);
  }
  if (/[%!]\w+[%!]|^%/.test(first)) reader.undecidable('The command that runs is not known.');
  if (readDirectory(name, rest, place, state)) return;
  if (name === 'set' && /^(?:path|pathext|comspec|node_options|git_\w+)$/i.test(rest[0] ?? '') && rest.length > 1)
    reader.undecidable(`%${rest[0]}% decides what runs.`);
  if (name === 'wmic' && rest.some((text) => /^(?:call|create|delete|set)$/i.test(text)))
    reader.undecidable('wmic starts another program, or changes the machine.');
  if (RUNS.test(name)) reader.undecidable(`'${name}' runs code that may write anywhere.`);
  const writes = COMMANDS[name];
  const isOption = (text: string) => /^\/[a-z?-][\w:+-]*$|^(?:\/[a-z?])+$/i.test(text);
  const given = rest.filter((text) => !isOption(text));
  const operands = name === 'copy' ? joinSources(given) : given;
  if (CMD_PUTS.test(name)) {
    const isTree = name === 'robocopy' || rest.some((text) => /^\/(?:s|e|mir)$/i.test(text));
    putCmdFiles(name, { operands, isTree }, place, state, reader);
  }
  if (writes === 'all') for (const text of operands) reader.write(state, place(text));
  const last = operands.at(-1);
  // `copy a + b` appends to `a`.
  if (writes === 'last' && last !== undefined)
    reader.write(state, place(name === 'copy' && operands.length === 1 ? (last.split('+')[0] ?? '') : last));
  if (name === 'type' || name === 'more' || name === 'findstr')
    for (const text of operands) reader.read(state, place(text));
  if (name === 'powershell' || name === 'pwsh') {
    const at = rest.findIndex((text) => /^[-/](?:c|command)$/i.test(text));
    if (at !== -1) return readPowerShell(rest.slice(at + 1).join(' '), state, reader);
  }
  if (writes === undefined)
    reader.runWords(
      plain.map((text) => place(text)),
      state,
      undefined,
    );
}

function plainWord(text: string): CmdWord {
  return { text, redirect: undefined };
}

/** Follows a command that changes the directory. @returns whether it is one */
function readDirectory(
  name: string,
  rest: readonly string[],
  place: (text: string) => Field,
  state: ShellState,
): boolean {
  const go = (to: string): void => {
    state.cwds = state.cwds.map((cwd) => changeDirectory(cwd, place(to).value));
  };
  if (/^[a-z]:$/.test(name)) go(`${name}/`);
  else if (/^(?:cd|chdir|pushd)$/.test(name)) {
    const to = rest.find((text) => !/^\/d$/i.test(text));
    if (to === undefined) return true;
    if (name === 'pushd') state.stack.push(state.cwds);
    go(to);
  } else if (name === 'popd') state.cwds = state.stack.pop() ?? [ANY];
  else return false;
  return true;
}

/** Reads the command of `start`, whose first word may be the title of a window, in a directory of its own. */
function readStart(rest: readonly string[], { state, reader, here }: Line): void {
  const own = state.copy();
  const line = { state: own, reader, here };
  const read = (words: readonly string[]): readonly string[] => {
    let at = 0;
    for (; words[at]?.startsWith('/') === true; at += 1) {
      const option = words[at] ?? '';
      const isSplit = START_VALUES.test(option);
      const value = isSplit ? words[at + 1] : option.slice(2);
      if (/^\/d/i.test(option) && value !== undefined)
        own.cwds = own.cwds.map((cwd) => changeDirectory(cwd, cmdPlace(value, here).value));
      if (isSplit) at += 1;
    }
    const command = words.slice(at);
    const cwds = own.cwds;
    readWords(command.map(plainWord), line);
    own.cwds = cwds;
    return command;
  };
  const [, ...untitled] = read(rest);
  if (untitled.length > 0) read(untitled);
}
