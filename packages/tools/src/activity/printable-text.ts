const MAX_CHARS = 300;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to take out
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Text for one line of a terminal: no control characters, no endless names. */
export function clean(text: string, maxChars: number = MAX_CHARS): string {
  const cut = text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
  return cut.replace(UNPRINTABLE, escaped);
}

/** One line of JSON that a terminal can show: what it would act on is escaped, and reads back as it was. */
export function toLine(value: object): string {
  return JSON.stringify(value).replace(UNPRINTABLE, escaped);
}

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
