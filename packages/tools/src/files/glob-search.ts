import type { WorkspaceError } from '@croft/workspace';
import { z } from 'zod';
import { fitItems } from '../fit-result.ts';
import { READS, type Tool } from '../tool.ts';
import { stoppedHint } from './grep-search.ts';
import { type FileToolkit, workspaceOf } from './toolkit.ts';

const base = {
  pattern: z.string().describe("Glob pattern, e.g. '**/*.py'."),
  path: z.string().nullish().describe('Optional sub-directory to scope the search.'),
};
const files = z.strictObject(base);
const full = z.strictObject({
  ...base,
  include_ignored: z.boolean().optional().describe('Also look at what .gitignore leaves out.'),
});

/** Finds files and directories by name. */
export function globSearchTool(kit: FileToolkit): Tool<z.infer<typeof full>> {
  const isFull = kit.flavour === 'full';
  return {
    name: 'glob_search',
    title: 'Find files by name',
    description:
      'List files and directories whose path matches a glob pattern, sorted; ** crosses directories' +
      (isFull ? ', {a,b} are alternatives, files named by .gitignore are left out' : '') +
      '. At most 100 are returned: when truncated, truncated_branches names the top directories with more, so narrow with path.',
    tags: ['glob_search'],
    input: isFull ? full : files,
    annotations: READS,
    async run({ pattern, path, include_ignored }, context) {
      const workspace = workspaceOf(kit);
      const found = await workspace.glob(pattern, {
        path: path ?? undefined,
        braces: isFull,
        gitignore: isFull && !include_ignored,
        caller: context.caller,
        signal: context.signal,
        onProgress: context.onProgress,
      });
      // A hundred paths of maximal length do not fit into one result.
      const matches = fitItems(found.matches, workspace.limits.maxResultBytes / 2);
      const branches = fitItems(found.truncatedBranches, workspace.limits.maxResultBytes / 4);
      const truncated = found.truncated || matches.length < found.matches.length;
      const data = { status: 'ok', pattern, matches, truncated, truncated_branches: branches };
      if (!isFull || found.stoppedAfterMs === undefined) return { ok: true, data };
      return { ok: true, data: { ...data, hint: stoppedHint(found.stoppedAfterMs) } };
    },
    failure(error, { pattern, path }) {
      const { code, message } = error as WorkspaceError;
      if (code === 'not_directory' || code === 'not_found')
        return { error: `Base path is not a directory: ${path || '.'}`, pattern };
      return { error: message, pattern, path: path ?? null };
    },
    paths: (given) => (given.path ? [given.path] : []),
    pattern: (given) => given.pattern,
  };
}
