import { type DoubleQuotedChild, type ParsedScript, parse, type Word, type WordPart } from 'unbash';
import { orUnknown } from './or-unknown.ts';
import { append, closed, type Draft, finish, joinWords, splitInto } from './draft.ts';
import { expandBraces } from './expand-braces.ts';
import { fedScript } from './fed-script.ts';
import { literal, literals } from './literal.ts';
import { ANY, ATOM, type Field, GLOB, HOME, SPLIT } from './marks.ts';
import { type Expanded, expandParameter, itemOf, lookUp } from './parameter.ts';
import { checkArithmetic, checkEvaluated } from './subscripts.ts';
import type { ShellState } from './state.ts';
import { visitArithmetic } from './substitutions.ts';

/** The path that represents the descriptor of a process substitution. */
export const PIPE_FILE = '/dev/fd/63';

const MAX_ALTERNATIVES = 16;

/** The parts of the reader that the expansion of a word needs. */
export interface Expander {
  readonly state: ShellState;
  /** Reads the commands of a substitution. @returns what they may print. */
  substitute(script: ParsedScript | undefined): readonly string[];
  undecidable(reason: string): void;
}

/**
 * Expands a word into fields, as the shell would: braces, tilde, parameters, commands, arithmetic, splitting. Wildcards
 * stay, marked.
 *
 * @returns the alternatives, each a list of fields; one of them holds. If there are too many: any words.
 */
export function evaluateWord(word: Word, expander: Expander): Field[][] {
  const unknown = [[{ value: ANY + SPLIT, written: word.text }]];
  return orUnknown(() => expandWord(word, expander), unknown, expander.undecidable);
}

function expandWord(word: Word, expander: Expander): Field[][] {
  const { parts, text } = word;
  if (parts === undefined) return literals(text, word.value, expander.state).map((value) => [{ value, written: text }]);
  if (parts.some((part) => part.type === 'BraceExpansion')) {
    let alternatives: Field[][] = [[]];
    for (const one of expandBraces(text)) {
      const found =
        one === '' ? [[]] : evaluateText(one, expander).map((fields) => fields.map((f) => ({ ...f, written: text })));
      alternatives = alternatives.flatMap((before) => found.map((fields) => [...before, ...fields]));
      if (alternatives.length > MAX_ALTERNATIVES) throw new Error('too many possible words');
    }
    return alternatives;
  }
  return expandParts(parts, expander, true).map((draft) => finish(draft).map((value) => ({ value, written: text })));
}

/** Expands the text of a word whose braces are expanded already. */
function evaluateText(text: string, expander: Expander): Field[][] {
  const command = parse(`: ${text}`).commands[0]?.command;
  if (command?.type !== 'Command') return [[{ value: ANY, written: text }]];
  let alternatives: Field[][] = [[]];
  for (const item of command.args) {
    if (item.type !== 'Word') return [[{ value: ANY, written: text }]];
    const hasBraces = item.parts?.some((part) => part.type === 'BraceExpansion') === true;
    // Text that still looks like braces is not a group (`a{b}`): plain text.
    const found = hasBraces
      ? expandParts((item.parts ?? []).map(asLiteral), expander, true).map((draft) =>
          finish(draft).map((value) => ({ value, written: text })),
        )
      : evaluateWord(item, expander);
    alternatives = alternatives.flatMap((before) => found.map((fields) => [...before, ...fields]));
  }
  return alternatives;
}

function asLiteral(part: WordPart): WordPart {
  return part.type === 'BraceExpansion'
    ? { type: 'Literal', pos: part.pos, end: part.end, text: part.text, value: part.text }
    : part;
}

/** @returns the possible values of a word that the shell does not split: an assignment, a here-string, a pattern. */
export function evaluateValue(word: Word, expander: Expander): readonly string[] {
  const { parts } = word;
  if (parts === undefined) return [literal(word.text, word.value).replace(/:~(?=[/:]|$)/g, `:${HOME}`)];
  const expand = () => [...new Set(expandParts(parts, expander, false).map((draft) => finish(draft).join(' ')))];
  return orUnknown(expand, [ANY], expander.undecidable);
}

/** @returns the possible values of a here-document's body or of a double-quoted part. */
export function evaluateQuoted(parts: readonly WordPart[], expander: Expander): readonly string[] {
  return orUnknown(() => expandQuoted(parts, expander), [ANY], expander.undecidable);
}

function expandQuoted(parts: readonly WordPart[], expander: Expander): readonly string[] {
  let values: string[] = [''];
  for (const part of parts) {
    const options = optionsOf(quotedPart(part as DoubleQuotedChild, expander), part.text, expander);
    values = values.flatMap((value) => options.map((option) => value + option));
    if (values.length > MAX_ALTERNATIVES) throw new Error('too many possible texts');
  }
  return values;
}

function optionsOf(expanded: Expanded, text: string, { state }: Expander): readonly string[] {
  if (!('items' in expanded)) return expanded;
  return JOINED.test(text) ? joinWords(expanded.items, state) : [expanded.items.join(' ')];
}

const JOINED = /^\$\*$|^\$\{[^}]*\*\]?\}$/;

function expandParts(parts: readonly WordPart[], expander: Expander, splits: boolean): readonly Draft[] {
  let drafts: readonly Draft[] = [{ done: [], current: undefined }];
  for (const [index, part] of parts.entries()) {
    const isFirst = index === 0 || (index === 1 && parts[0]?.type === 'Literal' && parts[0].text === '');
    drafts = addPart(drafts, part, isFirst, expander, splits);
    if (drafts.length > MAX_ALTERNATIVES) throw new Error('too many possible words');
  }
  return drafts;
}

function addPart(
  drafts: readonly Draft[],
  part: WordPart,
  isFirst: boolean,
  expander: Expander,
  splits: boolean,
): readonly Draft[] {
  switch (part.type) {
    case 'Literal':
      return append(drafts, isFirst ? literals(part.text, part.value, expander.state) : [part.value]);
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return append(drafts, [part.value]);
    case 'Glob':
    case 'ExtendedGlob':
      if (part.type === 'ExtendedGlob') {
        // In zsh `*(e:command:)` runs the command, and `*(+name)` a function.
        if (/^(?:[^|)]*e[:'"{[|]|\+\w)/.test(part.pattern))
          expander.undecidable('A pattern with a qualifier may run a command.');
      }
      return append(drafts, [GLOB + part.text]);
    case 'DoubleQuoted':
    case 'LocaleString':
      return addQuoted(drafts, part.parts, expander);
    case 'ProcessSubstitution':
      expander.substitute(fedScript(part.text) ?? part.script);
      return append(drafts, [PIPE_FILE]);
    case 'BraceExpansion':
      return append(drafts, [part.text]);
    default: {
      const expanded = quotedPart(part, expander);
      if (!splits) return append(drafts, optionsOf(expanded, part.text, expander));
      return 'items' in expanded
        ? drafts.map((draft) =>
            expanded.items.reduce((d, item, n) => splitInto(n === 0 ? d : closed(d), item, expander.state), draft),
          )
        : drafts.flatMap((draft) => expanded.map((option) => splitInto(draft, option, expander.state)));
    }
  }
}

function addQuoted(
  drafts: readonly Draft[],
  parts: readonly DoubleQuotedChild[],
  expander: Expander,
): readonly Draft[] {
  if (parts.length === 0) return append(drafts, ['']);
  let found = drafts;
  for (const part of parts) {
    const expanded = quotedPart(part, expander);
    if (!('items' in expanded)) found = append(found, expanded);
    else if (JOINED.test(part.text)) found = append(found, joinWords(expanded.items, expander.state));
    else {
      found = found.map((draft) =>
        expanded.items.reduce<Draft>((d, item, n) => {
          const base = n === 0 ? d : closed(d);
          return { done: base.done, current: (base.current ?? '') + item };
        }, draft),
      );
    }
    if (found.length > MAX_ALTERNATIVES) throw new Error('too many possible words');
  }
  return found;
}

/** @returns the possible values of one part inside quotes. */
function quotedPart(part: DoubleQuotedChild | WordPart, expander: Expander): Expanded {
  switch (part.type) {
    case 'Literal':
      return [part.value];
    case 'SimpleExpansion': {
      const value = lookUp(expander.state, part.text.slice(1));
      if (value === undefined) return [ANY];
      if (!('items' in value)) return value;
      if (part.text === '$@' || part.text === '$*') return { items: value.items.map((item) => item.value) };
      return itemOf(value, undefined);
    }
    case 'ParameterExpansion': {
      visitIndex(part.index, expander);
      if (part.index !== undefined && part.index.text !== '@' && part.index.text !== '*')
        checkArithmetic(part.index.text, expander.state, expander.undecidable);
      if (part.operation?.type === 'Slice') {
        for (const bound of [part.operation.offset, part.operation.length])
          if (bound !== undefined) checkArithmetic(bound.text, expander.state, expander.undecidable);
      }
      if (part.prefix === '!') {
        const named = lookUp(expander.state, part.parameter);
        if (named !== undefined && !('items' in named))
          for (const text of named) checkEvaluated(text, expander.state, expander.undecidable);
      }
      if (part.text.endsWith('@P}')) {
        const value = lookUp(expander.state, part.parameter);
        if (value === undefined || 'items' in value || value.some((one) => /\$\(|`|\uE000/.test(one)))
          expander.undecidable('A text is expanded as a prompt, which runs commands in it.');
      }
      return expandParameter(part, expander.state, (word) => evaluateValue(word, expander));
    }
    case 'CommandExpansion':
      return expander.substitute(part.script);
    case 'ArithmeticExpansion':
      visitArithmetic(part.expression, expander);
      checkArithmetic(part.text.slice(2), expander.state, expander.undecidable);
      return [ATOM];
    default:
      return [part.text];
  }
}

function visitIndex(index: Word | undefined, expander: Expander): void {
  if (index?.parts !== undefined && /[$`]/.test(index.text)) evaluateValue(index, expander);
}

/** Checks the subscript of an assignment: arithmetic, whose commands run. */
export function checkSubscript(index: Word | string, expander: Expander): void {
  if (typeof index !== 'string') visitIndex(index, expander);
  checkArithmetic(typeof index === 'string' ? index : index.text, expander.state, expander.undecidable);
}
