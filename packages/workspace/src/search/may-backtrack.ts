import type { LinePattern } from './pattern-source.ts';

/**
 * Matches an innermost group that repeats or branches inside and is itself repeated. The contract of the shared file
 * tools defines this rule; the toolset `full` runs such patterns.
 */
const GROUP = /\(([^()]*)\)[+*]/g;

/** The contract's heuristic for catastrophic backtracking. */
export function nestsQuantifiers(pattern: string): boolean {
  for (const group of blankLiterals(pattern).matchAll(GROUP)) {
    if (/[+*|]|\{\d+,\d*\}/.test(group[1] as string)) return true;
  }
  return false;
}

/** Blanks escapes and character classes, which are text, without moving the rest. */
function blankLiterals(pattern: string): string {
  return pattern.replace(/\\./gs, '__').replace(/\[[^\]]*\]/g, (set) => '_'.repeat(set.length));
}

/** A single counted repetition with a larger bound costs V8's linear engine as many states. */
const MAX_COUNT = 50;

/**
 * Whether a search may take V8 very long by the form of its pattern: look-around and back-references, which its linear
 * engine does not run; a repeated group that repeats or branches inside; a large counted repetition. Errs on either side.
 */
export function mayBacktrack({ pattern, isRegex }: LinePattern): boolean {
  if (!isRegex) return false;
  if (/\(\?<?[=!]|\\[1-9]|\\k<|\(\?P=/.test(pattern)) return true;
  const bare = blankLiterals(pattern);
  for (const [, least, most] of bare.matchAll(/\{(\d+)(?:,(\d*))?\}/g))
    if (Math.max(Number(least), Number(most ?? 0)) > MAX_COUNT) return true;
  const groups = [false];
  for (let i = 0; i < bare.length; i++) {
    const rest = bare.slice(i + 1);
    if (bare[i] === '(') groups.push(false);
    else if (bare[i] === ')' && groups.length > 1) {
      const varies = groups.pop() as boolean;
      if (varies && /^(?:[*+]|\{\d)/.test(rest)) return true;
      if (varies) groups[groups.length - 1] = true;
    } else if (/^(?:[*+|]|\{\d)/.test(bare.slice(i))) groups[groups.length - 1] = true;
  }
  return false;
}
