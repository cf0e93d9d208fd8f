import type { Reader } from './call.ts';
import { MAX_COMMANDS, TooLong } from './limits.ts';
import { ANY, ATOM, changeDirectory, type Field, GLOB, HOME, ROOT } from './marks.ts';
import { readPowerShell } from './powershell.ts';
import type { ShellState } from './state.ts';

interface Word {
  readonly text: string;
  readonly isRedirect: boolean;
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

/** Reads a command line of Windows' `cmd` with its own tokenizer: `^`, quotes, `%NAME%`, redirections, `&`, `|`. */
export function readCmd(source: string, state: ShellState, reader: Reader): void {
  let left = MAX_COMMANDS;
  for (const line of source.split(/\r?\n/)) {
    if (/^\s*(?:::|@?rem\b)/i.test(line)) continue;
    for (const words of tokenize(line)) {
      left -= 1;
      if (left < 0) throw new TooLong(`it runs more than ${MAX_COMMANDS} commands`);
      readWords(words, state, reader);
    }
  }
}

function tokenize(line: string): Word[][] {
  const commands: Word[][] = [[]];
  let text = '';
  let started = false;
  let redirects = false;
  let isQuoted = false;
  const flush = (): void => {
    if (started) commands.at(-1)?.push({ text, isRedirect: redirects });
    if (started) redirects = false;
    text = '';
    started = false;
  };
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at] ?? '';
    if (char === '"') {
      isQuoted = !isQuoted;
      started = true;
    } else if (isQuoted) text += char;
    else if (char === '^') {
      at += 1;
      text += line[at] ?? '';
      started = true;
    } else if (char === '>' || char === '<') {
      if (/^\d$/.test(text)) {
        text = '';
        started = false;
      }
      flush();
      if (line[at + 1] === '>') at += 1;
      if (line[at + 1] === '&') at += 2;
      else redirects = char === '>';
    } else if (char === '&' || char === '|' || char === '(' || char === ')') {
      flush();
      commands.push([]);
    } else if (/[\s,;=]/.test(char)) flush();
    else {
      text += char;
      started = true;
    }
  }
  flush();
  return commands.filter((words) => words.length > 0);
}

/** The place of the command behind the condition of `if`. `=` separates words, so `a==b` is two of them. */
function afterCondition(words: readonly string[]): number {
  let at = 0;
  while (/^(?:\/i|not)$/i.test(words[at] ?? '')) at += 1;
  const isCompared = /^(?:equ|neq|lss|leq|gtr|geq)$/i.test(words[at + 1] ?? '');
  return at + (isCompared ? 3 : 2);
}

function readWords(words: readonly Word[], state: ShellState, reader: Reader): void {
  for (const { text, isRedirect } of words) if (isRedirect && !/^nul:?$/i.test(text)) reader.write(state, place(text));
  const plain = words.filter((word) => !word.isRedirect).map((word) => word.text);
  const [first = '', ...rest] = plain;
  const name = first
    .replace(/^@/, '')
    .toLowerCase()
    .replace(/\.(?:exe|com|cmd|bat)$/, '');
  if (name === '') return;
  if (/^(?:if|for|call|start|do|else)$/.test(name)) {
    if (name === 'for') reader.undecidable('A loop of cmd is not followed.');
    const options =
      name === 'start' ? rest.findIndex((text) => !text.startsWith('/')) : name === 'if' ? afterCondition(rest) : 0;
    const inner = options === -1 ? [] : rest.slice(options).map((text) => ({ text, isRedirect: false }));
    if (inner.length > 0) readWords(inner, state, reader);
    // The first word may be the title of a window.
    if (name === 'start' && inner.length > 1)
      readWords(inner.slice(inner[1]?.text.startsWith('/') === true ? 2 : 1), state, reader);
    return;
  }
  if (/[%!]\w+[%!]|^%/.test(first)) reader.undecidable('The command that runs is not known.');
  if (name === 'cd' || name === 'chdir' || name === 'pushd') {
    const to = rest.find((text) => !/^\/d$/i.test(text));
    if (name === 'pushd') state.stack.push(state.cwds);
    if (to !== undefined) state.cwds = state.cwds.map((cwd) => changeDirectory(cwd, place(to).value));
    return;
  }
  if (name === 'popd') {
    state.cwds = state.stack.pop() ?? [ANY];
    return;
  }
  if (name === 'set' && /^(?:path|pathext|comspec|node_options|git_\w+)$/i.test(rest[0] ?? '') && rest.length > 1)
    reader.undecidable(`%${rest[0]}% decides what runs.`);
  if (name === 'wmic' && rest.some((text) => /^(?:call|create|delete|set)$/i.test(text)))
    reader.undecidable('wmic starts another program, or changes the machine.');
  const writes = COMMANDS[name];
  if (PUTS.test(name)) putFiles(name, rest, state, reader);
  const operands = rest.filter((text) => !/^\/[a-z?][\w:+-]*$/i.test(text));
  if (writes === 'all') for (const text of operands) reader.write(state, place(text));
  if (writes === 'last' && operands.length > 0) reader.write(state, place(operands.at(-1) ?? ''));
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

/** Commands that create files under the names of their sources. */
const PUTS = /^(?:copy|xcopy|robocopy|move|ren|rename|replace|mklink)$/;

/** Records the files that appear in a directory under the names of the sources; whole trees with xcopy and robocopy. */
function putFiles(name: string, rest: readonly string[], state: ShellState, reader: Reader): void {
  const operands = rest.filter((text) => !/^\/[a-z?-][\w:+-]*$/i.test(text) && text !== '+');
  const isTree = name === 'robocopy' || rest.some((text) => /^\/(?:s|e|mir)$/i.test(text));
  const target = name === 'robocopy' ? operands[1] : operands.at(-1);
  if (target === undefined || operands.length < (name === 'xcopy' || name === 'copy' ? 1 : 2)) return;
  const to = operands.length === 1 ? place('.') : place(target);
  // A wildcard in the new name is filled from the old name, so the result may be any name.
  if (to.value.includes(GLOB))
    return reader.write(state, { ...to, value: to.value.replaceAll(GLOB, ''), written: target }, 'appears');
  if (isTree) reader.write(state, to, 'fills');
  const sources = name === 'robocopy' ? operands.slice(2) : operands.length === 1 ? operands : operands.slice(0, -1);
  for (const source of sources) {
    const from = place(source);
    const base =
      from.value
        .replace(/(?<![\\/])[\\/]+$/, '')
        .split(/[\\/:]/)
        .at(-1) ?? '';
    const slash = /[\\/]$/.test(to.value) ? '' : '/';
    if (base === '' || base === '.') reader.write(state, to, 'fills');
    else reader.write(state, { value: `${to.value}${slash}${base}`, written: `${target}/${base}` }, 'appears');
    // A moved directory replaces another one or goes into it.
    if (name === 'move' || name === 'mklink') reader.write(state, to, 'replaces');
  }
}

function place(text: string): Field {
  const value = text.replace(
    /%([\w()]+)(?::[^%]*)?%|!(\w+)!|%~?\w*\d/g,
    (_, percent: string | undefined, bang: string | undefined) => {
      const name = (percent ?? bang ?? '').toLowerCase();
      if (/^(?:userprofile|homepath|home)$/.test(name)) return HOME;
      if (/^(?:appdata|localappdata)$/.test(name)) return `${HOME}/.config`;
      if (/^(?:temp|tmp)$/.test(name)) return '/tmp';
      if (
        /^(?:windir|systemroot|programfiles|programdata|systemdrive|public|allusersprofile|programfiles\(x86\))$/.test(
          name,
        )
      )
        return 'C:/Windows';
      if (name === 'cd') return ROOT;
      return /^(?:random|date|time)$/.test(name) ? ATOM : ANY;
    },
  );
  const slashed = value.includes('\\') && !/^(?:[A-Za-z]:|\\)/.test(value) ? value.replaceAll('\\', '/') : value;
  // The commands expand wildcards themselves.
  return { value: slashed.replace(/[*?]/g, `${GLOB}$&`), written: text };
}
