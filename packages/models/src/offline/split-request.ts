import { isVerb, mayAct } from './words.ts';

const QUOTED = /"[^"]*"|“[^”]*”|`[^`]*`|(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}])/gu;
/** Spaces are matched from the first one of a run only: from each one, the time would grow with the cube of their number. */
const BREAK =
  /(?:(?:(?<![^\S\n])\s+)?[,;.]|(?<![^\S\n]))\s+(?:and\s+)?(?:then|afterwards|after that)\s+|;\s+|\n+|[.!?]\s+(?=\p{Lu})|(?:,|(?<![^\S\n]))\s+and\s+(?=(\p{Ll}+))/giu;

/** A word before its object, as in "dance a waltz": a verb, also one that no tool knows. */
const ACTS_ON = /^\p{Ll}+\s+(?:an?|the|it|this|that|them|my|me)\b/u;

/**
 * The steps of a request, in order: "read a.txt and then delete it" has two. Text in quotes and JSON is never split.
 */
export function splitRequest(request: string): readonly string[] {
  if (/\{\s*"/.test(request)) return [tidy(request)];
  // Characters of the private use area keep the places of quoted texts.
  const kept: string[] = [];
  const masked = request.replace(QUOTED, (quoted) => `\uE000${kept.push(quoted) - 1}\uE001`);
  const steps: string[] = [];
  let from = 0;
  for (const found of masked.matchAll(BREAK)) {
    const [, next] = found;
    const rest = masked.slice(found.index + found[0].length);
    if (next !== undefined && !isVerb(next) && !(mayAct(next) && ACTS_ON.test(rest))) continue;
    steps.push(masked.slice(from, found.index));
    from = found.index + found[0].length;
  }
  steps.push(masked.slice(from));
  return steps
    .map((step) => tidy(step.replace(/\uE000(\d+)\uE001/g, (_, at: string) => kept[Number(at)] ?? '')))
    .filter((step) => step !== '');
}

const tidy = (step: string): string => step.trim().replace(/^(?:first|next|finally|please)\b,?\s*/i, '');
