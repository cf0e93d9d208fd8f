/**
 * The lines of a text that a test keeps, each as it is. The result ends with a line break only where the text does. The test
 * gets a line without its break, its number from 0, and the number of lines.
 */
export function linesThat(text: string, keeps: (line: string, at: number, length: number) => boolean): string {
  const length = countLines(text);
  const parts: string[] = [];
  // Lines beside each other are copied at once: a text may have millions of them.
  let [start, from] = [0, 0];
  for (let at = 0; at < length; at++) {
    const next = text.indexOf('\n', start);
    const end = next === -1 ? text.length : next + 1;
    const line = text.slice(start, next === -1 ? end : text[next - 1] === '\r' ? next - 1 : next);
    if (!keeps(line, at, length)) {
      if (start > from) parts.push(text.slice(from, start));
      from = end;
    }
    start = end;
  }
  parts.push(text.slice(from));
  const kept = parts.join('');
  return text.endsWith('\n') ? kept : kept.replace(/\r?\n$/, '');
}

/** A break at the end of a text begins no line. */
function countLines(text: string): number {
  let breaks = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) breaks++;
  return breaks + (text === '' || text.endsWith('\n') ? 0 : 1);
}
