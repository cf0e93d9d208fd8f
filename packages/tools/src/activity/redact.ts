import type { AnyTool } from '../tool.ts';
import { clean } from './printable-text.ts';

/** Longest pattern; searches accept no longer one. */
const MAX_CHARS = 1_024;

/** Values after names of secrets, passwords in URLs (`://user:…@`), and long runs of letters and digits. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/((?:passw(?:or)?d|passphrase|secret|token|api[-_]?key)["']?\s*[:=]\s*["']?)[^\s"']+/gi, '$1[redacted]'],
  [/(:\/\/[^\s:/@]*:)[^\s/@]+@/g, '$1[redacted]@'],
  [/(?=[\w+=-]*\d)(?=[\w+=-]*[a-z])[\w+=-]{20,}/gi, '[redacted]'],
];

/** Prepares a search pattern for the log: removes possible secrets, cuts it, and escapes control characters. */
export function redactedPattern(pattern: string): string {
  const text = SECRETS.reduce((rest, [secret, instead]) => rest.replace(secret, instead), pattern.slice(0, MAX_CHARS));
  return clean(text);
}

/** The pattern of a search call, prepared by {@link redactedPattern}. */
export function patternOf(tool: AnyTool | undefined, input: unknown): string | undefined {
  try {
    const pattern = tool?.pattern?.(input as never);
    return typeof pattern === 'string' ? redactedPattern(pattern) : undefined;
  } catch {
    // Refused arguments can have any shape.
    return undefined;
  }
}
