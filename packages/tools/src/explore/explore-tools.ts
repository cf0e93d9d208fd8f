import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { WorkspaceError } from '@croft/workspace';
import { z } from 'zod';
import { drawTree } from '../draw-tree.ts';
import { cutText, echoed, fitItems, jsonBytes } from '../fit-result.ts';
import { type AnyTool, READS, type Tool } from '../tool.ts';
import type { WorkspaceSource } from '../workspace-source.ts';

/** Names left out on a server. */
// biome-ignore format: a list
export const SERVER_EXCLUDES = ['node_modules', '.git', 'dist', '.next', '__pycache__', '.cache', '.turbo', 'coverage', '.venv', 'venv', '.idea', '.vscode'] as const;
/** Names left out by a daemon, which scans whole projects. */
export const DAEMON_EXCLUDES = [...SERVER_EXCLUDES, 'build', '.nuxt', '.output', '.svelte-kit'] as const;

const MAX_READ_BYTES = 512 * 1024;
const MAX_TREE_ENTRIES = 200;
const MAX_LISTED = 10_000;
const MAX_LINE_CHARS = 500;
/** Matches that a search counts. It returns at most 100 of them. */
const MAX_COUNTED = 1_000;
/** Longest query; the limit of regular expressions applies to literal text too. */
const MAX_QUERY_CHARS = 1_024;

// Created on demand, so that other toolsets do not pay for these schemas at the start.
const directory = () =>
  z.string().describe('Absolute path or ~/relative; a path relative to the shared directory works too.');

const treeInput = () =>
  z.strictObject({
    dirPath: directory(),
    maxDepth: z.number().int().min(0).max(5).default(2).describe('Directory depth to show.'),
  });
const listInput = () =>
  z.strictObject({
    dirPath: directory(),
    pattern: z.string().optional().describe('Glob pattern, e.g. **/*.ts.'),
    type: z.enum(['file', 'directory', 'all']).default('all'),
    recursive: z.boolean().default(true).describe('Recurse into subdirectories.'),
    maxResults: z.number().int().min(1).max(1_000).default(200),
  });
const readInput = () =>
  z.strictObject({
    filePath: z.string().describe('Absolute path or ~/relative; a path relative to the shared directory works too.'),
    startLine: z.number().int().min(1).default(1).describe('1-indexed start line.'),
    maxLines: z.number().int().min(1).max(500).default(200).describe('Lines to read.'),
  });
const searchInput = () =>
  z.strictObject({
    dirPath: directory(),
    query: z.string().max(MAX_QUERY_CHARS).describe('Regex pattern.'),
    filePattern: z.string().optional().describe('File filter, e.g. *.ts.'),
    ignoreCase: z.boolean().default(true),
    maxResults: z.number().int().min(1).max(100).default(50).describe('Most matching lines.'),
  });

/**
 * The four tools for reading a directory that does not belong to the caller. None of them writes.
 *
 * @param excludes names left out of trees, lists and searches; a path inside one can still be read
 */
export function exploreTools(
  source: WorkspaceSource,
  excludes: readonly string[] = SERVER_EXCLUDES,
): readonly AnyTool[] {
  const excludeNames = new Set(excludes);
  return [
    treeTool(source, excludeNames),
    listTool(source, excludeNames),
    readTool(source),
    searchTool(source, excludeNames),
  ];
}

/** Expands `~` in a path. The workspace decides whether the path is inside. */
export function expandHome(path: string): string {
  if (path === '~') return homedir();
  return path.startsWith('~/') ? join(homedir(), path.slice(2)) : path;
}

function treeTool(
  source: WorkspaceSource,
  excludeNames: ReadonlySet<string>,
): Tool<z.infer<ReturnType<typeof treeInput>>> {
  return {
    name: 'get-file-tree',
    title: 'Get file tree',
    description:
      'Get a shallow directory tree as indented text. Start low and drill into subdirectories for deeper exploration.',
    tags: ['get-file-tree'],
    input: treeInput(),
    annotations: READS,
    run({ dirPath, maxDepth }) {
      const workspace = source.acquire();
      const path = expandHome(dirPath);
      // Depth 0 shows the direct children, like depth 1.
      const { entries, truncated } = workspace.tree(path, {
        maxDepth: Math.max(1, maxDepth),
        maxEntries: MAX_TREE_ENTRIES,
        excludeNames,
      });
      const { tree } = drawTree(basename(path), entries, truncated, workspace.limits.maxResultBytes);
      return { ok: true, data: { tree, truncated } };
    },
    failure: (error, { dirPath }) => ({ error: sentence(error, dirPath) }),
    paths: (given) => [given.dirPath],
  };
}

function listTool(
  source: WorkspaceSource,
  excludeNames: ReadonlySet<string>,
): Tool<z.infer<ReturnType<typeof listInput>>> {
  return {
    name: 'list-files',
    title: 'List files',
    description: 'List files and/or directories matching optional filters.',
    tags: ['list-files'],
    input: listInput(),
    annotations: READS,
    run({ dirPath, pattern, type, recursive, maxResults }) {
      const workspace = source.acquire();
      const { entries, truncated } = workspace.tree(expandHome(dirPath), {
        maxDepth: recursive ? workspace.limits.maxDepth : 1,
        maxEntries: MAX_LISTED,
        excludeNames,
        sizes: true,
      });
      const matches = pattern === undefined ? () => true : workspace.matcher(pattern);
      // The contract has two kinds: everything that is not a directory is a file.
      const kindOf = (entry: { type: string }) => (entry.type === 'directory' ? 'directory' : 'file');
      const wanted = entries.filter((entry) => (type === 'all' || kindOf(entry) === type) && matches(entry.path));
      const files = wanted.slice(0, maxResults).map((entry) => ({
        path: entry.path,
        type: kindOf(entry),
        ...(entry.sizeBytes !== undefined && { sizeBytes: entry.sizeBytes }),
      }));
      const shown = fitItems(files, workspace.limits.maxResultBytes);
      return {
        ok: true,
        data: { files: shown, truncated: truncated || shown.length < wanted.length, totalCount: wanted.length },
      };
    },
    failure: (error, { dirPath }) => ({ error: sentence(error, dirPath) }),
    paths: (given) => [given.dirPath],
    pattern: (given) => given.pattern,
  };
}

function readTool(source: WorkspaceSource): Tool<z.infer<ReturnType<typeof readInput>>> {
  return {
    name: 'read-file',
    title: 'Read file',
    description: 'Read the contents of a file with optional line range.',
    tags: ['read-file'],
    input: readInput(),
    annotations: READS,
    async run({ filePath, startLine, maxLines }, context) {
      const workspace = source.acquire();
      const path = expandHome(filePath);
      const notShown = (content: string, truncated: boolean) => ({
        ok: true,
        data: { path: filePath, content, truncated, totalLines: 0 },
      });
      const { sizeBytes } = workspace.info(path);
      if (sizeBytes > MAX_READ_BYTES)
        return notShown(`[File too large: ${Math.round(sizeBytes / 1024)}KB exceeds 512KB limit]`, true);
      try {
        const window = await workspace.readText(path, { offset: startLine, limit: maxLines, signal: context.signal });
        const whole = window.lines.join('\n');
        const content = cutText(whole, workspace.limits.maxResultBytes - 4_096 - jsonBytes(filePath));
        const truncated = content !== whole || startLine - 1 + window.lines.length < window.totalLines;
        return {
          ok: true,
          bytes: Buffer.byteLength(content),
          data: { path: filePath, content, truncated, totalLines: window.totalLines },
        };
      } catch (error) {
        if (error instanceof WorkspaceError && error.code === 'binary')
          return notShown('[Binary file — cannot display]', false);
        throw error;
      }
    },
    failure: (error, { filePath }) => ({ error: sentence(error, filePath) }),
    paths: (given) => [given.filePath],
  };
}

function searchTool(
  source: WorkspaceSource,
  excludeNames: ReadonlySet<string>,
): Tool<z.infer<ReturnType<typeof searchInput>>> {
  return {
    name: 'search-files',
    title: 'Search files',
    description: 'Search file contents for a text pattern or regex.',
    tags: ['search-files'],
    input: searchInput(),
    annotations: READS,
    async run({ dirPath, query, filePattern, ignoreCase, maxResults }, context) {
      const workspace = source.acquire();
      const { matches, truncated } = await workspace.grep({
        pattern: query,
        // An invalid regular expression is searched for as literal text.
        isRegex: compiles(query),
        refusesNested: true,
        caseInsensitive: ignoreCase,
        path: expandHome(dirPath),
        glob: filePattern,
        braces: true,
        excludeNames,
        outputMode: 'content',
        maxMatches: MAX_COUNTED,
        maxLineChars: MAX_LINE_CHARS,
        caller: context.caller,
        signal: context.signal,
        onProgress: context.onProgress,
      });
      const found = matches.slice(0, maxResults).map(({ path, lineNumber, line }) => ({
        path,
        lineNumber,
        line: line?.slice(0, MAX_LINE_CHARS),
      }));
      const isCut = truncated || found.length < matches.length;
      return { ok: true, data: { query, matches: found, truncated: isCut, totalMatches: matches.length } };
    },
    failure: (error, { dirPath }) => ({ error: sentence(error, dirPath) }),
    paths: (given) => [given.dirPath],
    pattern: (given) => given.query,
  };
}

function compiles(query: string): boolean {
  try {
    new RegExp(query);
    return true;
  } catch {
    return false;
  }
}

function sentence(error: Error, path: string): string {
  const outside = error instanceof WorkspaceError && (error.code === 'outside' || error.code === 'link_outside');
  return outside ? `Path "${echoed(path)}" is outside the allowed directory` : error.message;
}
