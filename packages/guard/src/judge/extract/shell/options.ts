import { ANY, type Field, SPLIT, withValue } from './marks.ts';

/** One option of a command line: its name with the dashes, and its value where it takes one. */
export interface Option {
  readonly name: string;
  readonly value: Field | undefined;
}

/** A command line taken apart. */
export interface ParsedOptions {
  readonly options: readonly Option[];
  readonly operands: readonly Field[];
  /** A word is not known and may be an option, or more than one word. */
  readonly isOpen: boolean;
  has(...names: string[]): boolean;
  values(...names: string[]): Field[];
}

/** How a command reads its options. */
export interface OptionStyle {
  /** The options that take a value, blank between. A short one in a cluster too. */
  readonly values?: string | undefined;
  /** Long options start with one dash (`find`, `openssl`, `java`); there are no clusters. */
  readonly singleDash?: boolean | undefined;
  /** Options end at the first operand (wrappers). */
  readonly stopsAtOperand?: boolean | undefined;
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

/** Takes words apart into options and operands, as getopt does: clusters, `--name=value`, shortened long names, `--`. */
export function parseOptions(args: readonly Field[], style: OptionStyle): ParsedOptions {
  const { values, long } = setOf(style.values ?? '');
  const options: Option[] = [];
  const operands: Field[] = [];
  let isOpen = false;
  let at = 0;
  const next = (): Field | undefined => {
    at += 1;
    return args[at];
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
      const name = values.has(written)
        ? written
        : (long.find((one) => written.length > 3 && one.startsWith(written)) ?? written);
      if (equals !== -1) options.push({ name, value: withValue(arg, value.slice(equals + 1)) });
      else options.push({ name, value: values.has(name) ? next() : undefined });
      continue;
    }
    for (let letter = 1; letter < value.length; letter += 1) {
      const name = `-${value[letter]}`;
      if (!values.has(name)) {
        options.push({ name, value: undefined });
        continue;
      }
      const rest = value.slice(letter + 1);
      options.push({ name, value: rest === '' ? next() : withValue(arg, rest) });
      break;
    }
  }
  return {
    options,
    operands,
    isOpen,
    has: (...names) => options.some((option) => names.includes(option.name)),
    values: (...names) =>
      options.flatMap((option) => (names.includes(option.name) && option.value !== undefined ? [option.value] : [])),
  };
}
