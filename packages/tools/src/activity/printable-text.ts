const MAX_CHARS = 300;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to take out
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Prepares text for one line of a terminal: escapes control characters and cuts long text. */
export function clean(text: string, maxChars: number = MAX_CHARS): string {
  const cut = text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
  return cut.replace(UNPRINTABLE, escaped);
}

/** Renders one line of JSON that is safe for a terminal and parses back to the same value. */
export function toLine(value: object): string {
  return JSON.stringify(value).replace(UNPRINTABLE, escaped);
}

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
