import { type Workspace, WorkspaceError } from '@croft/workspace';
import { z } from 'zod';
import { cutText } from '../fit-result.ts';
import { contentNotReceived } from '../refuse-oversized.ts';
import { READS, REPLACES, type AnyTool, type Tool, type ToolResult } from '../tool.ts';
import type { WorkspaceSource } from '../workspace-source.ts';

// Created on demand, so that other toolsets do not pay for these schemas at the start.
const readInput = () =>
  z.strictObject({ path: z.string().describe('Path to the file to read, absolute or relative to the workspace.') });
const writeInput = () =>
  z.strictObject({
    path: z.string().describe('Path to the file to write. Parent directories are made.'),
    content: z.string().describe('Content to write to the file.'),
  });
const listInput = () =>
  z.strictObject({
    // The contract: no path and an empty path both mean the workspace.
    path: z.string().nullish().describe('Path to list; the workspace itself when left out.'),
  });

/** The three plain-text tools for a restricted agent. docs/contracts/restricted-tools.md has their fixed texts. */
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
        // The contract has two kinds: everything that is not a directory is a file.
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

/** The contract's sentence for a missing argument, instead of the schema's. */
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

/** Runs one operation and reports its failure with the contract's texts. Passes other errors on to `callTool`. */
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

/** Cuts a text and says so in the text, because plain text has no other field. */
function cutBytes(text: string, workspace: Workspace): string {
  const shown = cutText(text, workspace.limits.maxResultBytes - 200);
  return shown === text
    ? text
    : `${shown}\n[truncated: this is the beginning, ${Buffer.byteLength(shown)} of ${Buffer.byteLength(text)} bytes; this tool cannot show the rest]`;
}
