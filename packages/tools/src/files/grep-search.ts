import type { GrepMatch, WorkspaceError } from '@croft/workspace';
import { z } from 'zod';
import { cutText, echoed, fitItems, jsonBytes } from '../fit-result.ts';
import { READS, type Tool } from '../tool.ts';
import { type FileToolkit, workspaceOf } from './toolkit.ts';

const MODES = ['files_with_matches', 'content', 'count'] as const;

const base = {
  pattern: z.string().describe('Text to look for; a regular expression when is_regex is true.'),
  path: z.string().nullish().describe('Optional file or directory to search in.'),
  glob: z.string().nullish().describe("Only files that match, e.g. '*.py'."),
  case_insensitive: z.boolean().default(false),
  // The contract has its own error for a wrong mode, so the tool checks it instead of the schema.
  output_mode: z.string().default('files_with_matches').describe("'files_with_matches', 'content' or 'count'."),
  is_regex: z.boolean().default(false).describe('Treat pattern as a regular expression.'),
};
const files = z.strictObject(base);
const full = z.strictObject({
  ...base,
  include_ignored: z.boolean().optional().describe('Also search what .gitignore leaves out.'),
});

/** Searches file contents. */
export function grepSearchTool(kit: FileToolkit): Tool<z.infer<typeof full>> {
  const isFull = kit.flavour === 'full';
  return {
    name: 'grep_search',
    title: 'Search file contents',
    description:
      `Search file contents line by line. Literal by default; is_regex opts into regular expressions${isFull ? '' : ' (nested unbounded quantifiers are rejected)'}. ` +
      'output_mode: files_with_matches (paths), content (path, line_number, line; at most 250 lines), count (matching lines a file)' +
      (isFull
        ? '. Files named by .gitignore are left out unless include_ignored. skipped counts files and directories that cannot be read.'
        : '.'),
    tags: ['grep_search'],
    input: isFull ? full : files,
    annotations: READS,
    async run(given, context) {
      const { pattern, path, glob, case_insensitive, output_mode, is_regex, include_ignored } = given;
      const mode = MODES.find((known) => known === output_mode);
      if (!mode)
        return {
          ok: false,
          data: {
            error: `Invalid output_mode '${output_mode.slice(0, 100)}'. Must be one of ('files_with_matches', 'content', 'count')`,
            pattern: echoed(pattern),
          },
        };
      const workspace = workspaceOf(kit);
      const found = await workspace.grep({
        pattern,
        path: path ?? undefined,
        glob: glob ?? undefined,
        isRegex: is_regex,
        refusesNested: !isFull,
        lineRule: isFull ? 'newline' : 'universal',
        caseInsensitive: case_insensitive,
        outputMode: mode,
        braces: isFull,
        anySize: isFull,
        gitignore: isFull && !include_ignored,
        ...(isFull && { maxLineChars: 2_000 }),
        caller: context.caller,
        signal: context.signal,
        onProgress: context.onProgress,
      });
      const max = workspace.limits.maxResultBytes;
      let lineCut = false;
      const shaped = found.matches.map((match) => {
        if (mode !== 'content') return shape(match, mode);
        const line = cutText(match.line ?? '', max / 4);
        lineCut ||= line !== match.line;
        return shape({ ...match, line }, mode);
      });
      const matches = fitItems(shaped, max - jsonBytes(echoed(pattern)));
      const truncated = found.truncated || lineCut || matches.length < shaped.length;
      const unread = isFull && found.skipped > 0 && { skipped: found.skipped };
      const data = { status: 'ok', pattern: echoed(pattern), output_mode: mode, matches, truncated, ...unread };
      if (!isFull || found.stoppedAfterMs === undefined) return { ok: true, data };
      const progress = { files_searched: found.filesSearched, hint: stoppedHint(found.stoppedAfterMs) };
      return { ok: true, data: { ...data, ...progress } };
    },
    failure(error, { pattern, path }) {
      const { code, message } = error as WorkspaceError;
      if (code === 'not_found' || code === 'not_directory')
        return { error: `Path does not exist: ${path || '.'}`, pattern };
      if (code === 'invalid' && /^(Regex|Invalid regex|Pattern must)/.test(message)) return { error: message, pattern };
      return { error: message, pattern, path: path ?? null };
    },
    paths: (given) => (given.path ? [given.path] : []),
    pattern: (given) => given.pattern,
  };
}

/** The hint for a search that stopped at its deadline. */
export function stoppedHint(afterMs: number): string {
  const seconds = Math.ceil(afterMs / 1_000);
  return `The search was stopped after ${seconds} s, so matches may be missing. Narrow path, glob or pattern.`;
}

function shape(match: GrepMatch, mode: (typeof MODES)[number]): unknown {
  if (mode === 'files_with_matches') return match.path;
  if (mode === 'count') return { path: match.path, count: match.count };
  return { path: match.path, line_number: match.lineNumber, line: match.line };
}
