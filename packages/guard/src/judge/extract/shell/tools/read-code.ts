import type { Call } from '../call.ts';
import { ANY, field, withValue } from '../marks.ts';
import type { Language } from './languages.ts';
import { isPlainCode } from './plain-code.ts';

/**
 * AppleScript that only shows, plays or says something to a person: words and strings, and no requests to other
 * programs.
 */
const SHOWS_ONLY =
  /^\s*(?:display (?:notification|dialog|alert)|say|beep)(?:\s+(?:"(?:[^"\\]|\\.)*"|with|title|subtitle|sound|name|message|as|critical|informational|warning|buttons|default|button|answer|giving|up|after|icon|note|stop|caution|using|and|\d+|\{(?:\s*"(?:[^"\\]|\\.)*"\s*,?)*\}))*\s*$/;

/**
 * Words that indicate writing, running or removing; with one of them, an outside path in the text counts as a write.
 */
const WRITING =
  /write|append|open|unlink|remove|rename|replace|rmtree|rmdir|mkdir|makedirs|touch|chmod|chown|link|copy|move|truncate|save|dump|create|system|exec|spawn|popen|subprocess|run|delete|cp\b|mv\b|rm\b|fs\.|shutil|>|do shell script/i;

/** Reads a program in the command line: it is harmless if it is plain code; else its paths are checked. */
export function readCode(code: string, language: Language, { state, reader, name }: Call): void {
  const text = code.replaceAll(/[\uE002]/g, '');
  for (const [, , path = ''] of text.matchAll(/(["'`])((?:~|\/|\.{1,2}\/|[A-Za-z]:[\\/])?[\w.~@/\\ -]{1,300}?)\1/g)) {
    if (/[/.~\\]/.test(path))
      reader.read(state, withValue(field(path), path.startsWith('~') ? `\uE003${path.slice(1)}` : path));
  }
  if (!text.includes(ANY) && (name === 'osascript' ? SHOWS_ONLY.test(text) : isPlainCode(language.kind, text))) return;
  reader.undecidable(`A program is written into the command line of '${name}'.`);
  if (!WRITING.test(text)) return;
  const path =
    /(?<![\w.:/\\<*)\]}~-])(~(?:\w*)\/[^\s"'`,;)\\]*|\/(?!\/)(?:[\w.@+-]+\/)*[\w.@+-]+|(?:\.\.\/)+[^\s"'`,;)]*|[A-Za-z]:[\\/][^\s"'`,;)]*)/g;
  for (const [, found = ''] of text.matchAll(path)) {
    const isQuoted =
      /["'`]\s*$/.test(text.slice(0, text.indexOf(found))) || /^(?:~|\.\.)/.test(found) || found.split('/').length > 2;
    if (isQuoted)
      reader.write(state, { value: found.startsWith('~') ? `\uE003${found.slice(1)}` : found, written: found });
  }
  if (/expanduser|homedir\(\)|Path\.home|\$?ENV\[?\{?["']?HOME|environ\W+HOME|process\.env\.HOME/.test(text))
    reader.write(state, { value: '\uE003', written: 'the home directory' });
}
