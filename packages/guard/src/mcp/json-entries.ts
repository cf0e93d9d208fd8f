import { endOfString } from '../judge/end-of-string.ts';

/** One member of an object, as written in the text. */
export interface JsonEntry {
  /** The decoded key. */
  readonly key: string;
  /** The value as written. */
  readonly raw: string;
}

/**
 * The members of the outermost object, in order, including duplicates. `JSON.parse` keeps only the last duplicate, and
 * does not keep numbers as written.
 *
 * @param text an object in valid JSON
 */
export function jsonEntries(text: string): readonly JsonEntry[] {
  const entries: JsonEntry[] = [];
  let depth = 0;
  let key: string | undefined;
  let from = -1;
  const end = (at: number): void => {
    if (key !== undefined) entries.push({ key, raw: text.slice(from, at).trim() });
    key = undefined;
  };
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 0x22 /* " */:
        {
          const close = endOfString(text, i);
          if (depth === 1 && key === undefined) {
            key = JSON.parse(text.slice(i, close + 1)) as string;
            from = text.indexOf(':', close) + 1;
          }
          i = close;
          break;
        }
      case 0x7b /* { */:
      case 0x5b /* [ */:
        depth++;
        break;
      case 0x7d /* } */:
      case 0x5d /* ] */:
        depth--;
        if (depth === 0) end(i);
        break;
      case 0x2c /* , */:
        if (depth === 1) end(i);
        break;
    }
  }
  return entries;
}
