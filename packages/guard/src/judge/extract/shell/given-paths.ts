import type { Call } from './call.ts';
import { ANY, ATOM, type Field, field, HOME, NO_FILE, withValue, withoutGlobMarks } from './marks.ts';
import { isUnderstood } from './options.ts';
import { namesOutput } from './other-program.ts';

/** Programs that write nothing with any option, so their operands may be anywhere. */
const READS =
  /^(?:nm|objdump|readelf|size|addr2line|c\+\+filt|whereis|whatis|apropos|getconf|getent|locale|lsblk|lscpu|lsmod|lsusb|lspci|mountpoint|namei|pathchk|zcmp|zdiff|bzgrep|xzgrep|sum|crc32|b3sum|md5|sha\w{1,6}sum|shasum|mdls|mdfind|locate|plocate|dir|vdir|hexyl|printf|echo|kill|renice|pmap|sleep|notify-send|gron|hadolint|yamllint|shellcheck)$/;

/** Whether a program of this name only reads the paths it gets. */
export function onlyReads(name: string): boolean {
  return READS.test(name);
}

/** Options whose value is text for people. */
const PROSE_OPTIONS =
  /^(?:-m|-t|-b|--?(?:message|title|body|comment|description|desc|text|summary|subject|notes?|name|label|grep|pattern|query))$/;
const MAX_PLAIN_WORDS = 40;
const MAX_TEXT = 1000;
/** No system opens a longer path. */
const MAX_PATH = 5000;

function isTooLong(text: string): boolean {
  return text.length > (/\s/.test(text) ? MAX_TEXT : MAX_PATH);
}

/**
 * Records the words of an unknown program that may be paths, because the program may write them: each word, and the
 * parts after `=`, `,`, `:` and `@`. The judge decides whether they are outside.
 */
export function givePaths({ name, args, state, reader }: Call): void {
  if (READS.test(name)) return;
  let plain = 0;
  for (const [index, arg] of args.entries()) {
    const text = withoutGlobMarks(arg.value);
    const isTold = /\s/.test(text) && PROSE_OPTIONS.test(args[index - 1]?.value ?? '');
    if (isTooLong(text) || isTold || text.includes('\n')) continue;
    for (const piece of new Set([...piecesOf(text), ...(/^-./.test(text) ? optionPieces(text) : [])])) {
      if (NO_FILE.test(piece) || piece.startsWith('//')) continue;
      const isPlain = !/[/\\~]/.test(piece) && !piece.startsWith(HOME);
      if (isPlain && (plain += 1) > MAX_PLAIN_WORDS) continue;
      reader.give(state, withValue(arg, piece), name);
    }
  }
}

/** Options whose value may be a path: every one of several letters with one dash, and long ones with such a name. */
const NAMES_PATH = /^-[A-Za-z][A-Za-z_-]+$|^--.*(?:file|dir|path|folder|location|log)/i;
/** Options that name an input, a pattern or a subject in nearly every program that has them. */
const INPUT =
  /^--?(?:in|input|in-?file|input[-_]?file|subj|subject|ca[-_]?(?:file|path|cert\w*)|(?:include|exclude|ignore)(?:[-_]\w+)*)$/i;

/**
 * Records the option values of a command that its handler does not know and that may be paths: joined to the letters,
 * behind `=`, `,` and `:`, or in the next word. Operands are left to the handler.
 */
export function giveOptionValues({ name, args, state, reader }: Call): void {
  for (const [index, arg] of args.entries()) {
    const text = withoutGlobMarks(arg.value);
    if (isUnderstood(arg) || isTooLong(text)) continue;
    for (const piece of /^-./.test(text)
      ? optionPieces(text)
      : valuePieces(text, args[index - 1]?.value ?? '', reader.isRecorded(arg)))
      if (!NO_FILE.test(piece)) reader.give(state, withValue(arg, piece), name);
  }
}

/** The paths in a word behind an option, if it may be the value of that. A handler records the operands it knows. */
function valuePieces(text: string, option: string, isRecorded: boolean): string[] {
  if (!/^-[^=]+$/.test(option) || INPUT.test(option) || PROSE_OPTIONS.test(option)) return [];
  if (isRecorded) return option.length > 2 && namesOutput(option) ? piecesOf(text) : [];
  if (namesOutput(option) || NAMES_PATH.test(option)) return piecesOf(text);
  // `-C incremental=../x`
  return /^[\w.-]+=/.test(text) ? optionPieces(text) : [];
}

/** The letters of an option before a joined value: one, a cluster of two, or all; some have a level (`-V9file`). */
const LETTERS = [/^-./, /^-[A-Za-z]\d+/, /^-[A-Za-z]{2}/, /^-[A-Za-z]+\d*/];

/** The parts of an option that may be paths: behind its letters, and in a list of values. */
function optionPieces(text: string): string[] {
  const [head = '', ...parts] = text.replace(/(?<=[=,:])file:\/\//g, '').split(/[=,]|:(?!\/\/)/);
  if (INPUT.test(head)) return [];
  // A slash alone separates fields (`-F/`).
  const joined =
    /^-[A-Za-z]./.test(head) && head.slice(2) !== '/' ? LETTERS.map((letters) => head.replace(letters, '')) : [];
  return [...new Set([...joined, ...parts])].filter(mayBePath);
}

/** Whether a part of an option may be a path outside or the name of a protected file. */
function mayBePath(text: string): boolean {
  if (text.startsWith(ANY) || text === ATOM || /^[\d.]*\d$/.test(text)) return false;
  return /\s/.test(text) ? /^(?:[/~\uE003]|\.\.?\/)/.test(text) : /[./\\~\uE003]/.test(text);
}

/**
 * The paths a word may contain: the word itself, or a part that begins like a path after an option, `=`, `,`, `:` or
 * `@`.
 */
function piecesOf(text: string): string[] {
  const found: string[] = [];
  if (text !== '' && !text.startsWith('-') && (!/\s/.test(text) || /^(?:[/~\uE003]|\.\.?\/)/.test(text))) {
    const isAddress = /^[a-z][a-z0-9+.-]+:\/\//i.test(text) && !/^file:/i.test(text);
    if (!isAddress) found.push(text.replace(/^file:\/\//i, ''));
  }
  const begins = /(?:[=,:@]|^-{1,2}[A-Za-z]{1,2})((?:file:\/\/)?(?:[~/\uE003]|\.\.(?=\/|$)|[A-Za-z]:[\\/])[^,=]*)/g;
  for (const [, path = ''] of text.matchAll(begins))
    if (!path.startsWith('//')) found.push(path.replace(/^file:\/\//, ''));
  return found.filter((one) => !one.startsWith(ANY) && one !== ATOM);
}

/** Records the working directory of an unknown program, which may write there without naming a path. */
export function giveDirectory({ name, state, reader }: Call): void {
  if (!READS.test(name) && state.cwds.some((cwd) => cwd !== '')) reader.give(state, field('.', name), name);
}

/** Records one path that a program gets, unless it names a device or an open descriptor. */
export function givePath({ name, state, reader }: Call, path: Field): void {
  if (!NO_FILE.test(path.value)) reader.give(state, path, name);
}
