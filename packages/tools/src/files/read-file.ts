import { type ReadTextOptions, SYNC_BYTES, type TextWindow, type Workspace } from '@croft/workspace';
import { z } from 'zod';
import { ENVELOPE_BYTES, fitLines, jsonBytes } from '../fit-result.ts';
import { type CallContext, READS, type Tool, type ToolResult } from '../tool.ts';
import { type FileToolkit, pathArgument, workspaceOf } from './toolkit.ts';

/** Default limit of `full`: a complete log file would fill a model's context. */
const DEFAULT_LINES = 2_000;

const base = {
  path: pathArgument,
  offset: z.number().int().nullish().describe('1-based line number to start reading from.'),
  limit: z.number().int().nullish().describe('Maximum number of lines to return.'),
};
const files = z.strictObject(base);
const full = z.strictObject({
  ...base,
  column: z
    .number()
    .int()
    .nullish()
    .describe('1-based character to start from, in the line at offset. Only that line is shown.'),
});
type Given = z.infer<typeof full>;

/** Reads a window of a text file with line numbers. `full` reads files of any size and returns the version. */
export function readFileTool(kit: FileToolkit): Tool<Given> {
  const isFull = kit.flavour === 'full';
  return {
    name: 'read_file',
    title: 'Read file',
    description:
      'Read a text file. Each line is prefixed with its number and an arrow; total_lines, start_line and num_lines say which part it is. ' +
      (isFull
        ? 'Without limit the first 2,000 lines are shown; use offset and limit for another part. When truncated is true, continue at next_offset, or in a very long line at next_column. version identifies this content for expected_version. '
        : '') +
      'Binary files are refused.',
    tags: ['read_file'],
    input: isFull ? full : files,
    annotations: READS,
    run(given, context) {
      const workspace = workspaceOf(kit);
      const window = workspace.readText(given.path, optionsOf(given, workspace, isFull, context));
      return window instanceof Promise
        ? window.then((read) => toResult(given, read, workspace, isFull))
        : toResult(given, window, workspace, isFull);
    },
    paths: (given) => [given.path],
  };
}

function optionsOf(given: Given, workspace: Workspace, isFull: boolean, context: CallContext): ReadTextOptions {
  const { offset, limit, column } = given;
  return {
    offset: offset ?? undefined,
    column: column ?? undefined,
    limit: limit ?? (isFull ? DEFAULT_LINES : undefined),
    lineRule: isFull ? 'newline' : 'universal',
    anySize: isFull,
    maxBytes: workspace.limits.maxResultBytes,
    asBytes: isFull && context.takesBytes === true && fitsWhole(given, workspace),
    signal: context.signal,
  };
}

/** Whether a file that is read at once fits into a result with all its lines, even if each byte takes six in JSON. */
function fitsWhole({ path, limit }: Given, { limits }: Workspace): boolean {
  const most = (SYNC_BYTES + DEFAULT_LINES * 8) * 6 + jsonBytes(path);
  return (limit ?? undefined) === undefined && most <= limits.maxResultBytes - ENVELOPE_BYTES;
}

function toResult(given: Given, window: TextWindow, workspace: Workspace, isFull: boolean): ToolResult {
  const { path, limit, column } = given;
  if (window.utf8) {
    const { utf8: bytes, totalLines: lines, version } = window;
    const after = { total_lines: lines, start_line: 1, num_lines: lines, version };
    return {
      ok: true,
      bytes: window.sizeBytes,
      data: { status: 'ok', path, total_lines: lines, start_line: 1, num_lines: lines, version },
      wholeFile: { bytes, before: { status: 'ok', path }, after },
    };
  }
  const fitted = fitLines(window.lines, window.startLine, workspace.limits.maxResultBytes - jsonBytes(path));
  const wanted = Math.min(limit ?? Number.POSITIVE_INFINITY, Math.max(0, window.totalLines - window.startLine + 1));
  const { shown, cutAt } = fitted;
  const whole = shown === window.totalLines && cutAt === undefined && !column;
  return {
    ok: true,
    bytes: whole ? window.sizeBytes : Buffer.byteLength(fitted.content),
    data: {
      status: 'ok',
      path,
      content: fitted.content,
      total_lines: window.totalLines,
      start_line: window.startLine,
      num_lines: shown,
      ...(isFull && { version: window.version }),
      ...(isFull && window.startLine > Math.max(1, window.totalLines) && { note: pastEnd(window) }),
      ...(isFull && window.encoding !== 'utf-8' && { encoding: window.encoding }),
      ...((cutAt !== undefined || shown < wanted) && { truncated: true }),
      // After a cut last line there are no further lines.
      ...(shown < wanted && { next_offset: window.startLine + shown }),
      ...(cutAt !== undefined && { line_truncated: true }),
      ...(cutAt !== undefined && isFull && { next_column: Math.max(1, column ?? 1) + cutAt }),
    },
  };
}

function pastEnd({ startLine, totalLines }: TextWindow): string {
  return `Nothing is at line ${startLine}: the file has ${totalLines} line${totalLines === 1 ? '' : 's'}`;
}
