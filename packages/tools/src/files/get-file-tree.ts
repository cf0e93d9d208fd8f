import { basename } from 'node:path';
import { z } from 'zod';
import { drawTree } from '../draw-tree.ts';
import { jsonBytes } from '../fit-result.ts';
import { READS, type Tool } from '../tool.ts';
import { type FileToolkit, workspaceOf } from './toolkit.ts';

const input = z.strictObject({
  path: z.string().default('.').describe('Directory to draw.'),
  depth: z.number().int().min(1).max(20).default(3).describe('Levels to show.'),
  limit: z.number().int().min(1).max(5_000).default(500).describe('Most entries to show.'),
});

/** Directories with dependencies and caches: large and seldom wanted in a tree. */
const NOISE: ReadonlySet<string> = new Set([
  'node_modules',
  '__pycache__',
  '.venv',
  'venv',
  '.cache',
  '.turbo',
  '.next',
]);

/** Draws a directory tree as indented text. */
export function getFileTreeTool(kit: FileToolkit): Tool<z.infer<typeof input>> {
  return {
    name: 'get_file_tree',
    title: 'Draw directory tree',
    description:
      'Draw a directory as indented text, directories first. Start shallow and go into sub-directories with path. Dependency and cache directories (node_modules and the like) are left out; name one in path to see it.',
    tags: ['get_file_tree'],
    input,
    annotations: READS,
    run({ path, depth, limit }) {
      const workspace = workspaceOf(kit);
      const { entries, truncated } = workspace.tree(path, { maxDepth: depth, maxEntries: limit, excludeNames: NOISE });
      const { tree, shown } = drawTree(
        basename(path),
        entries,
        truncated,
        workspace.limits.maxResultBytes - 2 * jsonBytes(path),
      );
      return {
        ok: true,
        data: { status: 'ok', path, tree, entries: shown, truncated: truncated || shown < entries.length },
      };
    },
    paths: (given) => [given.path],
  };
}
