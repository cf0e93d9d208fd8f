import type { ParameterExpansionPart, ParameterOperation, Word } from 'unbash';
import { ANY, ATOM, GLOB, HAS_MARK, HOME, MAYBE, ROOT, isAbsolute } from './marks.ts';
import type { ShellState, Value } from './state.ts';

/** Variables of shells whose values are numbers or plain names. Most of them are empty in some shells. */
const PLAIN =
  /^(?:[?#$!-]|RANDOM|SECONDS|LINENO|UID|EUID|PPID|BASHPID|EPOCHSECONDS|EPOCHREALTIME|SRANDOM|OSTYPE|HOSTTYPE|HOSTNAME|HOST|USER|LOGNAME|USERNAME|BASH_VERSION|SHLVL|COLUMNS|LINES)$/;

/**
 * @returns the possible values of a variable; undefined if this program has not set it and nothing is known about it.
 */
export function lookUp(state: ShellState, name: string): Value | undefined {
  const own = state.variables.get(name);
  if (own !== undefined) return own;
  if (PLAIN.test(name)) return [/^(?:[?#$]|PPID)$/.test(name) ? ATOM : MAYBE + ATOM];
  if (name === '0') return [state.zeroth?.value ?? ANY];
  if (/^\d+$/.test(name))
    return [state.parameters === undefined ? '' : (state.parameters[Number(name) - 1]?.value ?? '')];
  switch (name) {
    case 'HOME':
    case 'USERPROFILE':
      return [HOME];
    case 'PWD':
      return state.cwds.map(fromRoot);
    case 'OLDPWD':
      return state.previous.map(fromRoot);
    // The value is unknown but is the previous one.
    case 'PATH':
      return ['/usr/local/bin:/usr/bin:/bin'];
    case 'IFS':
      return [' \t\n'];
    case 'TMPDIR':
    case 'TEMP':
    case 'TMP':
      return [state.temporary];
    case 'XDG_CONFIG_HOME':
    case 'APPDATA':
    case 'LOCALAPPDATA':
      return [`${HOME}/.config`];
    case 'XDG_CACHE_HOME':
      return [`${HOME}/.cache`];
    case 'XDG_DATA_HOME':
      return [`${HOME}/.local/share`];
    case '@':
    case '*':
      return { items: state.parameters ?? [] };
    default:
      return undefined;
  }
}

/** @returns a directory as `$PWD` holds it: absolute. */
export function fromRoot(cwd: string): string {
  if (isAbsolute(cwd) || cwd.startsWith(ANY)) return cwd;
  return cwd === '' ? ROOT : `${ROOT}/${cwd}`;
}

/** The result of an expansion: possible values, of which one holds, or the words of an array. */
export type Expanded = readonly string[] | { readonly items: readonly string[] };

/** @returns the possible results of `${…}`. `textOf` returns the values of a word inside it, wildcards marked. */
export function expandParameter(
  part: ParameterExpansionPart,
  state: ShellState,
  textOf: (word: Word) => readonly string[],
): Expanded {
  if (part.prefix === '#') return [ATOM];
  let value = lookUp(state, part.parameter);
  if (part.prefix === '!') {
    if (part.operation?.type === 'Names' || part.index !== undefined) return [ANY];
    const name = value !== undefined && !('items' in value) && value.length === 1 ? value[0] : undefined;
    if (name === undefined || HAS_MARK.test(name)) return [ANY];
    value = lookUp(state, name);
  }
  const index = part.index?.text;
  if (value !== undefined && 'items' in value) {
    const items = value.items.map((item) => item.value);
    const isAll = part.parameter === '@' || part.parameter === '*' || index === '@' || index === '*';
    if (isAll) {
      if (part.operation === undefined) return { items };
      const { operation } = part;
      return operation.type === 'Slice'
        ? [ANY]
        : { items: items.flatMap((item) => operate([item], operation, part, state, textOf)) };
    }
    value = itemOf(value, index);
  } else if (index !== undefined && value !== undefined && !/^[0@*]$/.test(index)) {
    value = [ANY, ...value];
  }
  if (part.operation === undefined) return value ?? [ANY];
  return operate(value, part.operation, part, state, textOf);
}

const MAX_ITEMS = 8;

/**
 * @returns the possible values of one item of an array. bash counts from 0, zsh from 1, and in zsh the bare name means
 * all items.
 */
export function itemOf(
  { items, isLoose }: Extract<Value, { readonly items: unknown }>,
  index: string | undefined,
): readonly string[] {
  const texts = items.map((item) => item.value);
  const at = isLoose !== true && index !== undefined && /^(?:0|[1-9]\d*)$/.test(index) ? Number(index) : undefined;
  const meant = at === undefined ? texts : [texts[at] ?? '', ...(at > 0 ? [texts[at - 1] ?? ''] : [])];
  const all = [...new Set(meant)];
  return all.length === 0 ? [''] : all.length > MAX_ITEMS ? [ANY] : all;
}

function operate(
  value: readonly string[] | undefined,
  operation: ParameterOperation,
  part: ParameterExpansionPart,
  state: ShellState,
  textOf: (word: Word) => readonly string[],
): readonly string[] {
  switch (operation.type) {
    case 'Default':
      return orDefault(value, operation.operator, () => textOf(operation.operand), part.parameter, state);
    case 'Remove': {
      const patterns = patternsOf(operation.operand, textOf);
      return each(value, (text) => patterns.map((pattern) => remove(text, pattern, operation.operator)));
    }
    case 'Replace': {
      const patterns = patternsOf(operation.pattern, textOf);
      const replacements = textOf(operation.replacement);
      return each(value, (text) =>
        patterns.flatMap((pattern) => replacements.map((by) => replace(text, pattern, by, operation.operator))),
      );
    }
    case 'Slice': {
      const from = Number(operation.offset.text);
      const length = operation.length === undefined ? undefined : Number(operation.length.text);
      if (!Number.isInteger(from) || (length !== undefined && !(Number.isInteger(length) && length >= 0))) return [ANY];
      return each(value, (text) => {
        if (HAS_MARK.test(text)) return [ANY];
        const rest = from < 0 ? text.slice(Math.max(0, text.length + from)) : text.slice(from);
        return [length === undefined ? rest : rest.slice(0, length)];
      });
    }
    case 'CaseModification': {
      const { operator } = operation;
      if (operation.operand !== undefined && operation.operand.text !== '') return [ANY];
      return each(value, (text) => {
        const turn = (part: string): string => (operator.startsWith('^') ? part.toUpperCase() : part.toLowerCase());
        return [operator.length === 2 ? turn(text) : turn(text.slice(0, 1)) + text.slice(1)];
      });
    }
    default:
      return [ANY];
  }
}

function each(value: readonly string[] | undefined, turn: (text: string) => readonly string[]): readonly string[] {
  return value === undefined ? [ANY] : [...new Set(value.flatMap(turn))];
}

function orDefault(
  value: readonly string[] | undefined,
  operator: string,
  operand: () => readonly string[],
  name: string,
  state: ShellState,
): readonly string[] {
  const isEmpty = (text: string): boolean => operator.startsWith(':') && text === '';
  if (operator.endsWith('?')) return value ?? [ANY];
  if (operator.endsWith('+'))
    return value === undefined ? ['', ...operand()] : value.flatMap((v) => (isEmpty(v) ? [''] : operand()));
  const values =
    value === undefined ? [...operand(), ANY] : value.flatMap((text) => (isEmpty(text) ? operand() : [text]));
  if (operator.endsWith('=')) state.assign(name, values);
  return values;
}

/** A pattern as parts: literal text, or one wildcard. Undefined if the pattern is not supported. */
function patternsOf(word: Word, textOf: (word: Word) => readonly string[]): readonly (RegExp | undefined)[] {
  return textOf(word).map((text) => {
    if (text.includes(ANY) || text.includes('(') || text.length > 200) return undefined;
    let stars = 0;
    let source = '';
    for (let at = 0; at < text.length; at += 1) {
      if (text[at] !== GLOB) {
        source += (text[at] ?? '').replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
        continue;
      }
      at += 1;
      if (text[at] === '*') {
        stars += 1;
        source += '[^]*';
      } else if (text[at] === '?') source += '[^]';
      else return undefined;
    }
    return stars > 2 ? undefined : new RegExp(`^${source}$`, 'u');
  });
}

function remove(text: string, pattern: RegExp | undefined, operator: string): string {
  if (pattern === undefined || text.includes(ANY) || text.length > 256) return ANY;
  const isPrefix = operator.startsWith('#');
  // From an unknown name only whole directories can be removed safely: `${f#x}` of `x..` is `..`.
  const takesDirectory = /^\^(?:\[\^\]\*|[^\\[])*\\\/\$$/.test(pattern.source);
  if (/[\uE003-\uE005]/.test(text))
    return isPrefix && operator === '##' && takesDirectory && !text.includes('/..') ? ATOM : ANY;
  if (HAS_MARK.test(text) && (isPrefix ? !takesDirectory : /(?:^|\/)\.[^/]*[\uE001\uE002]/.test(text))) return ANY;
  const isLongest = operator.length === 2;
  // From the shortest piece to the longest, or back.
  for (let step = 0; step <= text.length; step += 1) {
    const length = isLongest ? text.length - step : step;
    const piece = isPrefix ? text.slice(0, length) : text.slice(text.length - length);
    if (pattern.test(piece)) return isPrefix ? text.slice(length) : text.slice(0, text.length - length);
  }
  return text;
}

function replace(text: string, pattern: RegExp | undefined, by: string, operator: string): string {
  if (pattern === undefined || HAS_MARK.test(text) || HAS_MARK.test(by) || by.includes('&') || text.length > 256)
    return ANY;
  const source = pattern.source.slice(1, -1);
  if (source === '') return text;
  const bounded = operator === '/#' ? `^(?:${source})` : operator === '/%' ? `(?:${source})$` : source;
  return text.replace(new RegExp(bounded, operator === '//' ? 'gu' : 'u'), () => by);
}
