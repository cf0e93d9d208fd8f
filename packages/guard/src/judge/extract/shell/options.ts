import { ANY, type Field, SPLIT, withValue } from './marks.ts';

/** One option of a command line: its name with the dashes, and its value if it takes one. */
export interface Option {
  /** The complete name, if an abbreviation could be resolved. */
  readonly name: string;
  readonly written: string;
  /** The option is not abbreviated, as far as known. */
  readonly isWhole: boolean;
  readonly value: Field | undefined;
}

/** A command line split into options and operands. */
export interface ParsedOptions {
  readonly options: readonly Option[];
  readonly operands: readonly Field[];
  /** A word is unknown and may be an option, or more than one word. */
  readonly isOpen: boolean;
  has(...names: string[]): boolean;
  values(...names: string[]): Field[];
}

/** How a command parses its options. */
export interface OptionStyle {
  /** The options that take a value, separated by blanks. Short ones also in a cluster. */
  readonly values?: string | undefined;
  /** Long options without a value whose names are prefixes of options that take one. */
  readonly flags?: string | undefined;
  /** The value of a short option may follow `=`, as programs in Go parse it. */
  readonly isGo?: boolean | undefined;
  /** Long options start with one dash (`find`, `openssl`, `java`); there are no clusters. */
  readonly singleDash?: boolean | undefined;
  /** Options end at the first operand (wrappers). */
  readonly stopsAtOperand?: boolean | undefined;
}

/** Words whose meaning the handler of their command knows. */
const understood = new WeakSet<Field>();

/**
 * Marks words that are not paths of unknown use. `parseOptions` marks those that hold a listed option with its value, or
 * are its value.
 */
export function understand(...words: readonly Field[]): void {
  for (const word of words) understood.add(word);
}

/** Whether the handler of its command knows what this word means. */
export function isUnderstood(word: Field): boolean {
  return understood.has(word);
}

const sets = new Map<string, { values: Set<string>; long: string[] }>();

function setOf(text: string): { values: Set<string>; long: string[] } {
  let found = sets.get(text);
  if (found === undefined) {
    const values = new Set(text.split(' ').filter((name) => name !== ''));
    found = { values, long: [...values].filter((name) => name.startsWith('--')) };
    sets.set(text, found);
  }
  return found;
}

/** Splits words into options and operands, as getopt does: clusters, `--name=value`, abbreviated long names, `--`. */
export function parseOptions(args: readonly Field[], style: OptionStyle): ParsedOptions {
  const { values, long } = setOf(style.values ?? '');
  const options: Option[] = [];
  const operands: Field[] = [];
  let isOpen = false;
  let at = 0;
  const next = (): Field | undefined => {
    at += 1;
    const found = args[at];
    if (found !== undefined) understand(found);
    return found;
  };
  for (; at < args.length; at += 1) {
    const arg = args[at] as Field;
    const { value } = arg;
    if (value.startsWith(ANY) || value.includes(SPLIT)) isOpen = true;
    if (value === '--') {
      operands.push(...args.slice(at + 1));
      if (args.slice(at + 1).some((rest) => rest.value.includes(SPLIT))) isOpen = true;
      break;
    }
    if (!value.startsWith('-') || value === '-') {
      operands.push(arg);
      if (style.stopsAtOperand !== true) continue;
      operands.push(...args.slice(at + 1));
      break;
    }
    if (value.startsWith('--') || style.singleDash === true) {
      const equals = value.indexOf('=');
      const written = equals === -1 ? value : value.slice(0, equals);
      const isWhole = values.has(written) || setOf(style.flags ?? '').values.has(written);
      const meant = isWhole || written.length < 3 ? [] : long.filter((one) => one.startsWith(written));
      const name = meant[0] ?? written;
      // `--backup` may be an option itself, or an abbreviation of `--backup-dir`: the next word counts as value and as
      // operand.
      const isEither = meant.some((one) => one.startsWith(`${written}-`));
      if (equals !== -1 && values.has(name)) understand(arg);
      if (equals !== -1) options.push({ name, written, isWhole, value: withValue(arg, value.slice(equals + 1)) });
      else if (isEither) options.push({ name, written, isWhole, value: args[at + 1] });
      else options.push({ name, written, isWhole, value: values.has(name) ? next() : undefined });
      continue;
    }
    for (let letter = 1; letter < value.length; letter += 1) {
      const name = `-${value[letter]}`;
      if (!values.has(name)) {
        options.push({ name, written: name, isWhole: true, value: undefined });
        continue;
      }
      // Behind another character than letters, this one belongs to the value of an option before it.
      if (/^-[A-Za-z]*$/.test(value.slice(0, letter))) understand(arg);
      const rest = value.slice(letter + (style.isGo === true && value[letter + 1] === '=' ? 2 : 1));
      options.push({ name, written: name, isWhole: true, value: rest === '' ? next() : withValue(arg, rest) });
      break;
    }
  }
  return {
    options,
    operands,
    isOpen,
    has: (...names) => options.some((option) => means(option, names)),
    values: (...names) =>
      options.flatMap((option) => (option.value !== undefined && means(option, names) ? [option.value] : [])),
  };
}

/** Whether an option is one of these. A long name may be abbreviated. */
function means({ name, written, isWhole }: Option, names: readonly string[]): boolean {
  if (names.includes(name) || names.includes(written)) return true;
  return !isWhole && written.startsWith('--') && written.length > 2 && names.some((one) => one.startsWith(written));
}
