import type { AnyTool } from '../tool.ts';
import { clean } from './printable-text.ts';

/** Longer than any pattern a search takes. */
const MAX_CHARS = 1_024;

/** What follows the name of a secret, what stands between `://user:` and `@`, and long runs of letters and digits. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/((?:passw(?:or)?d|passphrase|secret|token|api[-_]?key)["']?\s*[:=]\s*["']?)[^\s"']+/gi, '$1[redacted]'],
  [/(:\/\/[^\s:/@]*:)[^\s/@]+@/g, '$1[redacted]@'],
  [/(?=[\w+=-]*\d)(?=[\w+=-]*[a-z])[\w+=-]{20,}/gi, '[redacted]'],
];

/** A search's pattern for the log: what looks like a secret is taken out, the rest is cut and printable. */
export function redactedPattern(pattern: string): string {
  const text = SECRETS.reduce((rest, [secret, instead]) => rest.replace(secret, instead), pattern.slice(0, MAX_CHARS));
  return clean(text);
}

/** The pattern of a call that searches, as {@link redactedPattern}. */
export function patternOf(tool: AnyTool | undefined, input: unknown): string | undefined {
  try {
    const pattern = tool?.pattern?.(input as never);
    return typeof pattern === 'string' ? redactedPattern(pattern) : undefined;
  } catch {
    // Arguments that were refused have any shape.
    return undefined;
  }
}
