/**
 * Whether a reply has the result of a run whole, whatever its spaces and marks of Markdown. A page that shows both would
 * show the result twice.
 */
export function repeatsResult(reply: string, result: string): boolean {
  const [text, part] = [plain(reply), plain(result)];
  if (part === '') return false;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    const end = at + part.length;
    if (!INSIDE_BEFORE.test(text.slice(Math.max(0, at - 2), at)) && !INSIDE_AFTER.test(text.slice(end, end + 2)))
      return true;
  }
  return false;
}

const plain = (text: string): string => text.replace(/[`*_|>#\s]+/g, ' ').trim();

/** The part is the rest of a word or of a number: `2` in `42`, `-2` and `0.2`. */
const INSIDE_BEFORE = /[\p{L}\p{N}-]$|\p{N}[.,]$/u;
const INSIDE_AFTER = /^(?:[\p{L}\p{N}]|[.,]\p{N})/u;
