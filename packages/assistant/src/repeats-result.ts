/** A shorter result can occur by chance in a sentence about something else, such as `3` in `3 connections`. */
const MIN_LENGTH = 20;

/**
 * Whether a reply has the result of a run whole, whatever its spaces and marks of Markdown. A page that shows both would
 * show the result twice. A short result has to fill lines of the reply, also behind a label such as `Ran it:`.
 */
export function repeatsResult(reply: string, result: string): boolean {
  const part = plain(result);
  if (part === '') return false;
  return part.length < MIN_LENGTH ? fillsLines(linesOf(reply), linesOf(result)) : isPartOf(plain(reply), part);
}

function fillsLines(reply: string, result: string): boolean {
  const text = `\n${reply}\n`;
  return text.includes(`\n${result}\n`) || text.includes(`: ${result}\n`);
}

function isPartOf(text: string, part: string): boolean {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    const end = at + part.length;
    if (!INSIDE_BEFORE.test(text.slice(Math.max(0, at - 2), at)) && !INSIDE_AFTER.test(text.slice(end, end + 2)))
      return true;
  }
  return false;
}

const plain = (text: string): string => text.replace(/[`*_|>#\s]+/g, ' ').trim();

/** The lines with text, each without the period at its end. */
const linesOf = (text: string): string =>
  text
    .split('\n')
    .map((line) => plain(line).replace(/ ?\.$/, ''))
    .filter((line) => line !== '')
    .join('\n');

/** The part is the rest of a word or of a number: `2` in `42`, `-2` and `0.2`. */
const INSIDE_BEFORE = /[\p{L}\p{N}-]$|\p{N}[.,]$/u;
const INSIDE_AFTER = /^(?:[\p{L}\p{N}]|[.,]\p{N})/u;
