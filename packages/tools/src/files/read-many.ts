import { type Workspace, WorkspaceError } from '@croft/workspace';
import { z } from 'zod';
import { echoed, fitItems, fitLines, jsonBytes } from '../fit-result.ts';
import { type CallContext, READS, type Tool } from '../tool.ts';
import { binaryHint } from './binary-hint.ts';
import { boundaryHint } from './boundary-hint.ts';
import { type FileToolkit, workspaceOf } from './toolkit.ts';

const MAX_PATHS = 100;

const input = z.strictObject({
  paths: z.array(z.string()).min(1).max(MAX_PATHS).describe(`Files to read, at most ${MAX_PATHS}.`),
  limit: z.number().int().min(1).optional().describe('Most lines of each file.'),
});

/** Reads several text files in one call; a file that fails does not fail the others. */
export function readManyTool(kit: FileToolkit): Tool<z.infer<typeof input>> {
  return {
    name: 'read_many',
    title: 'Read several files',
    description:
      'Read several text files at once, each as read_file shows it or with its own error. not_read lists files that did not fit into this result.',
    tags: ['read_many'],
    input,
    annotations: READS,
    async run({ paths, limit }, context) {
      // Acquired once per call, so that the user cannot change between two files.
      const workspace = workspaceOf(kit);
      const max = workspace.limits.maxResultBytes;
      const reserved = Math.min(jsonBytes(paths.map(echoed).join('","')), max / 4);
      let room = max - 8_192 - reserved;
      const files: Record<string, unknown>[] = [];
      for (const path of paths) {
        context.signal?.throwIfAborted();
        if (room < 8_192) break;
        const file = await readOne(workspace, path, limit, room, context);
        room -= Buffer.byteLength(JSON.stringify(file));
        files.push(file);
      }
      const notRead = paths.slice(files.length).map(echoed);
      const named = fitItems(notRead, reserved + 4_096);
      return {
        ok: true,
        data: { status: 'ok', files, ...(notRead.length > 0 && { truncated: true, not_read: named }) },
      };
    },
    paths: (given) => given.paths,
  };
}

async function readOne(
  workspace: Workspace,
  path: string,
  limit: number | undefined,
  room: number,
  context: CallContext,
): Promise<Record<string, unknown>> {
  try {
    const window = await workspace.readText(path, { limit, anySize: true, maxBytes: room, signal: context.signal });
    const fitted = fitLines(window.lines, 1, room - jsonBytes(path));
    const { shown, cutAt } = fitted;
    return {
      path,
      content: fitted.content,
      total_lines: window.totalLines,
      num_lines: shown,
      version: window.version,
      ...((cutAt !== undefined || shown < window.totalLines) && { truncated: true }),
      ...(shown < window.totalLines && { next_offset: shown + 1 }),
      ...(cutAt !== undefined && { next_column: cutAt + 1 }),
    };
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    const hint = boundaryHint(error) ?? binaryHint(error);
    return { path: echoed(path), error: error.message, ...(hint !== undefined && { hint }) };
  }
}
