import type { Call, Handler } from './call.ts';
import { printDirectory } from './directory-builtins.ts';
import { enterDirectory } from './enter-directory.ts';
import { ANY, ATOM, changeDirectory, GLOB, HAS_MARK, MAYBE } from './marks.ts';
import { parseOptions } from './options.ts';
import { fromRoot } from './parameter.ts';

/** Commands that write nothing and whose output is known: it may become a path through `$(…)` or a pipe. */
export const KNOWN_OUTPUT: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['echo', echo],
  ['printf', print],
  ['pwd', printDirectory],
  ['cat', cat],
  ['basename', baseName],
  ['dirname', directoryName],
  ['realpath', realPath],
  ['readlink', realPath],
  ['date', date],
  ['which', which],
  ['type', which],
  ['seq', ({ args }) => (args.length === 1 && Number(args[0]?.value) <= 20 ? [upTo(Number(args[0]?.value))] : [ANY])],
  ...['whoami', 'hostname', 'nproc', 'uname', 'arch', 'tty', 'wc', 'id', 'uuidgen', 'md5sum', 'sha256sum', 'cksum'].map(
    (name): [string, Handler] => [name, plainWord],
  ),
]);

function upTo(last: number): string {
  return Array.from({ length: Math.max(0, last) }, (_, n) => String(n + 1)).join('\n');
}

function plainWord({ name, args, state, reader }: Call): readonly string[] {
  for (const arg of args) if (!arg.value.startsWith('-')) reader.read(state, arg);
  return name.endsWith('sum') || (name === 'wc' && args.some((arg) => !arg.value.startsWith('-')))
    ? [`${ATOM} ${ANY}`]
    : [MAYBE + ATOM];
}

function echo({ args }: Call): readonly string[] {
  let rest = args;
  let escapes = false;
  let newline = '\n';
  while (rest[0] !== undefined && /^-[neE]+$/.test(rest[0].value)) {
    if (rest[0].value.includes('e')) escapes = true;
    if (rest[0].value.includes('n')) newline = '';
    rest = rest.slice(1);
  }
  const text = rest.map((arg) => arg.value).join(' ');
  if (!text.includes('\\')) return [text + newline];
  // `sh` and zsh interpret escapes without -e, so both readings are possible.
  const read = unescapeText(text);
  return escapes ? [read + newline] : [...new Set([text + newline, read + newline])];
}

function unescapeText(text: string): string {
  return text.replace(
    /\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|0?([0-7]{1,3})|([abefnrtv\\"]))/g,
    (_, hex, unicode, octal, letter) => {
      if (hex !== undefined || unicode !== undefined) return String.fromCharCode(Number.parseInt(hex ?? unicode, 16));
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 255);
      return { n: '\n', t: '\t', '\\': '\\', '"': '"' }[letter as string] ?? '';
    },
  );
}

function print({ args, state, reader }: Call): readonly string[] {
  let rest = args;
  if (rest[0]?.value === '-v') {
    const name = rest[1]?.value ?? '';
    if (/^[A-Za-z_]\w*$/.test(name)) state.assign(name, [ANY]);
    else reader.undecidable('It is not known which variable is set.');
    rest = rest.slice(2);
  }
  if (rest[0]?.value === '--') rest = rest.slice(1);
  const format = unescapeText(rest[0]?.value ?? '');
  const values = rest.slice(1).map((arg) => arg.value);
  let used = 0;
  let text = '';
  do {
    const before = used;
    text += format.replace(
      /%(?:%|[-+ 0#]*\d*(?:\.\d+)?([sbdiuxXoqcf])|\([^)]*\)T)/g,
      (match: string, kind: string | undefined) => {
        if (match === '%%') return '%';
        if (kind === undefined) return ATOM;
        const value = values[used] ?? '';
        used += 1;
        if (kind === 's' && /^%s$/.test(match)) return value;
        if (kind === 'b') return unescapeText(value);
        return kind === 'd' || kind === 'i' ? (/^\d+$/.test(value) && match === '%d' ? value : ATOM) : ANY;
      },
    );
    if (used === before) break;
  } while (used < values.length && text.length < 20_000);
  return [text];
}

function cat({ args, state, input, reader }: Call): readonly string[] {
  const files = args.filter((arg) => !/^-./.test(arg.value) && arg.value !== '-');
  for (const file of files) reader.read(state, file);
  if (files.length === 0) return input ?? [ANY];
  const [file] = files;
  const [cwd] = state.cwds;
  if (files.length > 1 || file === undefined || cwd === undefined) return [ANY];
  return [state.contents.get(changeDirectory(cwd, file.value)) ?? ANY];
}

function baseName({ args }: Call): readonly string[] {
  const { operands, has, values } = parseOptions(args, { values: '-s --suffix' });
  const [path, second] = operands;
  const takesMany = has('-a', '--multiple', '-s', '--suffix');
  if (path === undefined || (takesMany && second !== undefined)) return [ANY];
  if (path.value.includes(ANY)) return [ATOM];
  const base = path.value.replace(/(?<=.)\/+$/, '').replace(/^.*\/(?=.)/s, '');
  if (/^[\uE003-\uE005]$/.test(base)) return [ATOM];
  const end = (takesMany ? values('-s', '--suffix').at(-1) : second)?.value ?? '';
  return [end !== '' && base !== end && base.endsWith(end) ? base.slice(0, -end.length) : base];
}

function directoryName({ args }: Call): readonly string[] {
  const path = onlyOperand(args);
  if (path === undefined || path.includes(ANY)) return [ANY];
  const cut = path.replace(/(?<=.)\/+$/, '');
  if (/^[\uE003-\uE005]$/.test(cut)) return [`${cut}/..`];
  const slash = cut.lastIndexOf('/');
  return [slash === -1 ? '.' : slash === 0 ? '/' : cut.slice(0, slash)];
}

function realPath({ name, args, state }: Call): readonly string[] {
  // Without such an option, `readlink` prints the text of the link, which starts at the link's directory.
  if (name === 'readlink' && !args.some((arg) => /^-[a-z]*[fem]|^--c/.test(arg.value))) return [ANY];
  const operand = onlyOperand(args);
  if (operand === undefined || operand.includes(ANY)) return [ANY];
  // `--relative-to` and `--relative-base` print a path from another directory.
  if (args.some((arg) => arg.value.startsWith('--r'))) return [ANY];
  return state.cwds.map((cwd) => fromRoot(enterDirectory(state, cwd, operand)));
}

/** The one path that a command gets; undefined if it prints a line for each of several. */
function onlyOperand(args: Call['args']): string | undefined {
  const { operands, isOpen } = parseOptions(args, {});
  return operands.length === 1 && !isOpen ? operands[0]?.value : undefined;
}

function date({ args }: Call): readonly string[] {
  const format = args.map((arg) => arg.value).filter((value) => !value.startsWith('--date') && !/^-[uRI]/.test(value));
  const isPlain = format.every((value) => !value.startsWith('+') || /^\+(?:[\w%:+,-]|(?<!\.)\.(?!\.)| )*$/.test(value));
  if (!isPlain) return [format.length === 1 && !(format[0] ?? '%').includes('%') ? (format[0] ?? '').slice(1) : ANY];
  return format.some((value) => value.includes(' ') || value.includes('%c')) || format.length === 0
    ? [`${ATOM} ${ATOM}`]
    : [ATOM];
}

function which({ args }: Call): readonly string[] {
  const names = args.filter((arg) => !arg.value.startsWith('-'));
  const [name] = names;
  if (names.length !== 1 || name === undefined || HAS_MARK.test(name.value) || name.value.includes(GLOB)) return [ANY];
  return [`${ANY}/${name.value}`];
}
