import { DEFAULT_LIMITS } from '../limits.ts';
import type { GrepRequest, SearchScope } from './search-request.ts';

/** For tests: all files of a workspace. */
export const WHOLE: SearchScope = {
  parts: [],
  denyList: true,
  ignoreNames: [],
  gitignore: false,
  masks: [],
  limits: DEFAULT_LIMITS,
};

/** For tests: a search of all files for the lines that match an expression. */
export const grepFor = (pattern: string, parts: Partial<GrepRequest> = {}): GrepRequest => ({
  kind: 'grep',
  scope: WHOLE,
  pattern,
  isRegex: true,
  caseInsensitive: false,
  glob: undefined,
  braces: false,
  outputMode: 'content',
  anySize: false,
  maxMatches: 100,
  maxLineChars: 1_000,
  lineRule: 'newline',
  maxRegexLines: 1_000,
  ...parts,
});
