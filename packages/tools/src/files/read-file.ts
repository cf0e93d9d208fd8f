import type { ReadTextOptions, TextWindow, Workspace } from '@croft/workspace';
import { z } from 'zod';
import { fitLines, jsonBytes } from '../fit-result.ts';
import { READS, type Tool, type ToolResult } from '../tool.ts';
import { type FileToolkit, pathArgument, workspaceOf } from './toolkit.ts';

/** What `full` shows of a file when no limit is named: a log read whole would fill a model's memory. */
const DEFAULT_LINES = 2_000;

const input = z.strictObject({
  path: pathArgument,
  offset: z.number().int().nullish().describe('1-based line number to start reading from.'),
  limit: z.number().int().nullish().describe('Maximum number of lines to return.'),
});

/** Reads a window of a text file with line numbers. In `full` a file of any size, with its version. */
export function readFileTool(kit: FileToolkit): Tool<z.infer<typeof input>> {
  const full = kit.flavour === 'full';
  return {
    name: 'read_file',
    title: 'Read file',
    description:
      'Read a text file. Each line is prefixed with its number and an arrow; total_lines, start_line and num_lines say which part it is. ' +
      (full
        ? 'Without limit the first 2,000 lines are shown; use offset and limit for another part. When truncated is true, continue at next_offset. version identifies this content for expected_version. '
        : '') +
      'Binary files are refused.',
    tags: ['read_file'],
    input,
    annotations: READS,
    async run(given, context) {
      const workspace = workspaceOf(kit);
      return toResult(
        given,
        await workspace.readText(given.path, { ...optionsOf(given, workspace, full), signal: context.signal }),
        workspace,
        full,
      );
    },
    runNow(given) {
      const workspace = workspaceOf(kit);
      const window = workspace.readTextNow(given.path, optionsOf(given, workspace, full));
      return window && toResult(given, window, workspace, full);
    },
    paths: (given) => [given.path],
  };
}

type Given = z.infer<typeof input>;

function optionsOf({ offset, limit }: Given, workspace: Workspace, full: boolean): ReadTextOptions {
  return {
    offset: offset ?? undefined,
    limit: limit ?? (full ? DEFAULT_LINES : undefined),
    lineRule: full ? 'newline' : 'universal',
    anySize: full,
    maxBytes: workspace.limits.maxResultBytes,
  };
}

function toResult({ path, limit }: Given, window: TextWindow, workspace: Workspace, full: boolean): ToolResult {
  const fitted = fitLines(window.lines, window.startLine, workspace.limits.maxResultBytes - jsonBytes(path));
  const wanted = Math.min(limit ?? Number.POSITIVE_INFINITY, Math.max(0, window.totalLines - window.startLine + 1));
  const cut = fitted.lineCut || fitted.shown < wanted;
  return {
    ok: true,
    bytes: fitted.shown === window.totalLines ? window.sizeBytes : Buffer.byteLength(fitted.content),
    data: {
      status: 'ok',
      path,
      content: fitted.content,
      total_lines: window.totalLines,
      start_line: window.startLine,
      num_lines: fitted.shown,
      ...(full && { version: window.version }),
      ...(full && window.encoding !== 'utf-8' && { encoding: window.encoding }),
      ...(cut && { truncated: true }),
      // After a last line that is itself too long there is nothing to go on to.
      ...(fitted.shown < wanted && { next_offset: window.startLine + fitted.shown }),
      ...(fitted.lineCut && { line_truncated: true }),
    },
  };
}
