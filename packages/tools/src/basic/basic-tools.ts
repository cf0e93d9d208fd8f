import { type Workspace, WorkspaceError } from '@croft/workspace';
import { z } from 'zod';
import { cutText } from '../fit-result.ts';
import { contentNotReceived } from '../refuse-oversized.ts';
import { READS, REPLACES, type AnyTool, type Tool, type ToolResult } from '../tool.ts';
import type { WorkspaceSource } from '../workspace-source.ts';

// Made when the set is asked for: every start would pay for schemas that only this set uses.
const readInput = () =>
  z.strictObject({ path: z.string().describe('Path to the file to read, absolute or relative to the workspace.') });
const writeInput = () =>
  z.strictObject({
    path: z.string().describe('Path to the file to write. Parent directories are made.'),
    content: z.string().describe('Content to write to the file.'),
  });
const listInput = () =>
  z.strictObject({
    // As in the reference, no path and an empty one both mean the workspace.
    path: z.string().nullish().describe('Path to list; the workspace itself when left out.'),
  });

/** The three tools for a restricted agent, in plain text and in the reference's words. */
export function basicTools(source: WorkspaceSource): readonly AnyTool[] {
  return [readTool(source), writeTool(source), listTool(source)];
}

function readTool(source: WorkspaceSource): Tool<z.infer<ReturnType<typeof readInput>>> {
  return {
    ...common('read_file', 'Read file', 'Read the contents of a file.'),
    invalid: (input) => missing(input, ['path']),
    input: readInput(),
    annotations: READS,
    async run({ path }, context) {
      if (path === '') return failed('path is required');
      const workspace = source.acquire();
      return guarded('failed to read file', async () => {
        const { text, sizeBytes } = await workspace.readWhole(path, { signal: context.signal });
        return said(cutBytes(text, workspace), sizeBytes);
      });
    },
    paths: (given) => [given.path],
  };
}

function writeTool(source: WorkspaceSource): Tool<z.infer<ReturnType<typeof writeInput>>> {
  return {
    ...common('write_file', 'Write file', 'Write content to a file, creating parent directories as needed.'),
    invalid: (input) => missing(input, ['path', 'content']),
    input: writeInput(),
    annotations: REPLACES,
    run({ path, content }, { journal }) {
      if (path === '') return failed('path is required');
      const workspace = source.acquire();
      return guarded('failed to write file', () => {
        const done = workspace.write(path, content, { journal });
        return { ...said(`File written: ${path}`, done.bytesWritten), forModelOnly: true, changes: done.changes };
      });
    },
    tooLarge: (bytes) => failed(sentence('failed to write file', contentNotReceived(bytes))),
    paths: (given) => [given.path],
  };
}

function listTool(source: WorkspaceSource): Tool<z.infer<ReturnType<typeof listInput>>> {
  return {
    ...common('list_dir', 'List directory', 'List files and directories in a path.'),
    input: listInput(),
    annotations: READS,
    run({ path }) {
      const workspace = source.acquire();
      return guarded('failed to read directory', () => {
        const { entries } = workspace.list(path || '.');
        // Anything that is no directory is listed as a file: the reference knows two kinds.
        const lines = entries.map(({ name, type }) => (type === 'directory' ? `DIR:  ${name}` : `FILE: ${name}`));
        return said(cutBytes(lines.join('\n'), workspace));
      });
    },
    paths: (given) => [given.path || '.'],
  };
}

function common(name: string, title: string, description: string) {
  return { name, title, description, tags: [name, 'plain-text'] };
}

/** The reference's sentences, also where the schema would speak first. */
function missing(input: unknown, required: readonly string[]): string | undefined {
  const given = new Map(Object.entries(input ?? {}));
  const name = required.find((key) => (given.get(key) ?? undefined) === undefined);
  return name && `${name} is required`;
}

function said(text: string, bytes?: number): ToolResult {
  return { ok: true, data: { content: text }, text, ...(bytes !== undefined && { bytes }) };
}

function failed(error: string): ToolResult {
  return { ok: false, data: { error }, text: error };
}

/** Runs one operation and says its failure in the reference's words; other failures go to `callTool`. */
function guarded(what: string, act: () => ToolResult): ToolResult;
function guarded(what: string, act: () => Promise<ToolResult>): Promise<ToolResult>;
function guarded(what: string, act: () => ToolResult | Promise<ToolResult>): ToolResult | Promise<ToolResult> {
  const refuse = (error: unknown): ToolResult => {
    if (!(error instanceof WorkspaceError)) throw error;
    return failed(sentence(what, error));
  };
  try {
    const running = act();
    return running instanceof Promise ? running.catch(refuse) : running;
  } catch (error) {
    return refuse(error);
  }
}

function sentence(what: string, error: WorkspaceError): string {
  switch (error.code) {
    case 'outside':
      return 'access denied: path is outside the workspace';
    case 'link_outside':
      return 'access denied: symlink resolves outside workspace';
    case 'denied':
    case 'invalid':
      return `access denied: ${error.message}`;
    case 'not_directory':
      return what === 'failed to write file'
        ? `failed to create directory: ${error.message}`
        : `${what}: ${error.message}`;
    case 'io':
      if (error.message.startsWith('Cannot create parent directory')) {
        return `failed to create directory: ${error.message.slice('Cannot create parent directory: '.length)}`;
      }
      return `${what}: ${error.message}`;
    default:
      return `${what}: ${error.message}`;
  }
}

/** Plain text has no field to say that it was cut, so the text says it. */
function cutBytes(text: string, workspace: Workspace): string {
  const shown = cutText(text, workspace.limits.maxResultBytes - 200);
  return shown === text
    ? text
    : `${shown}\n[truncated: this is the beginning, ${Buffer.byteLength(shown)} of ${Buffer.byteLength(text)} bytes]`;
}
