import type { Call } from './call.ts';
import { ANY, ATOM, type Field, field, HOME, NO_FILE, withValue, withoutGlobMarks } from './marks.ts';

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
    if (text.length > MAX_TEXT || isTold || text.includes('\n')) continue;
    for (const piece of piecesOf(text)) {
      if (NO_FILE.test(piece) || piece.startsWith('//')) continue;
      const isPlain = !/[/\\~]/.test(piece) && !piece.startsWith(HOME);
      if (isPlain && (plain += 1) > MAX_PLAIN_WORDS) continue;
      reader.give(state, withValue(arg, piece), name);
    }
  }
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
