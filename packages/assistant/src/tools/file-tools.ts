import type { JsonSchema } from '@croft/models';
import { type AnyTool, callTool } from '@croft/tools';
import { z } from 'zod';
import type { Turn } from '../turn.ts';
import { hideSecrets } from '../hide-secrets.ts';
import type { AssistantTool, ToolArguments, ToolContext, ToolData } from './assistant-tool.ts';

const LABELS: Readonly<Record<string, string>> = {
  read_file: 'Reading',
  glob_search: 'Looking for files',
  grep_search: 'Searching files',
  write_file: 'Writing',
  edit_file: 'Editing',
};
const MAX_CONTENT = 100_000;

/** The tools over the user's files, as the assistant offers them. */
export function fileTools({ files }: Pick<Turn, 'files'>): readonly AssistantTool[] {
  if (files === undefined) return [];
  return files.tools.map(
    (tool): AssistantTool => ({
      name: tool.name,
      description: tool.description,
      parameters: schemaOf(tool),
      ...(isWriter(tool) && { needs: 'write' as const }),
      label: (args) =>
        [LABELS[tool.name] ?? tool.title, args['path']].filter((each) => typeof each === 'string').join(' '),
      run: (args, context) => runFileTool(tool, args, context),
    }),
  );
}

const isWriter = ({ name }: AnyTool): boolean => name === 'write_file' || name === 'edit_file';

const schemas = new WeakMap<AnyTool, JsonSchema>();

function schemaOf(tool: AnyTool): JsonSchema {
  const known = schemas.get(tool);
  if (known !== undefined) return known;
  const { $schema: _, ...schema } = z.toJSONSchema(tool.input, { io: 'input' });
  schemas.set(tool, schema);
  return schema;
}

async function runFileTool(tool: AnyTool, args: ToolArguments, { turn, signal, emit }: ToolContext): Promise<ToolData> {
  const table = turn.files;
  if (table === undefined) return { error: 'There are no files.' };
  const given = withOwnPath(args, turn.filesAt);
  const { ok, data, text } = await callTool(
    table,
    { name: tool.name, input: given },
    { signal, caller: clientOfTurn(turn.id) },
  );
  const path = data['path'];
  const isWrite = isWriter(tool);
  if (ok && isWrite && typeof path === 'string' && isRelative(path)) {
    const shownPath = `${turn.filesAt ?? ''}${path}`;
    const content = args['content'];
    emit({
      event: 'file_written',
      action: tool.name === 'write_file' ? 'write_file' : 'edit_file',
      path: shownPath,
      size: typeof data['bytes_written'] === 'number' ? data['bytes_written'] : 0,
      ...(typeof content === 'string' && { content: hideSecrets(content, turn.secrets).slice(0, MAX_CONTENT) }),
    });
    const inFlows = turn.filesAt === undefined ? {} : { path_in_flows: shownPath };
    return { ...(text === undefined ? data : { text }), ...inFlows, summary: `Wrote ${shownPath}.` };
  }
  if (ok && tool.name === 'glob_search') return { ...data, summary: listedFiles(data, turn.filesAt) };
  if (ok) return text === undefined ? data : { text };
  const error = typeof data['error'] === 'string' ? data['error'] : (text ?? 'The call failed.');
  const where =
    isWrite || turn.filesAt === undefined || !error.startsWith('File not found: ') ? undefined : turn.filesAt;
  if (where === undefined || typeof given['path'] !== 'string') return { ...data, error };
  return { ...data, ...notInOwnFiles(given['path'], where) };
}

/** People write the paths of the tree that they see, in which the assistant's files are in a directory. */
function withOwnPath(args: ToolArguments, filesAt: string | undefined): ToolArguments {
  const { path } = args;
  if (filesAt === undefined || typeof path !== 'string' || !`${path}/`.startsWith(filesAt)) return args;
  return { ...args, path: path.slice(filesAt.length) || '.' };
}

/** The names that a search found, for a person. */
function listedFiles({ matches, truncated }: ToolData, filesAt: string | undefined): string {
  const names = matches as readonly string[];
  const where = filesAt === undefined ? '' : ` in ${filesAt}, where my own files are`;
  const others =
    filesAt === undefined
      ? ''
      : `\n\nI do not see the files outside of ${filesAt}: the page Files shows them, and a flow reads them.`;
  if (names.length === 0) return `I found nothing${where}.${others}`;
  const list = names.map((name) => `- ${filesAt ?? ''}${name}`).join('\n');
  return `I found${where}:\n\n${list}${truncated === true ? '\n- and more' : ''}${others}`;
}

/** A flow reads files that the tools of the assistant do not. */
const notInOwnFiles = (path: string, where: string): ToolData => {
  const error = `File not found: ${path} in ${where}, the assistant's own files. A flow also reads the files outside of ${where}: build one with the component File and the path ${path}.`;
  const summary = `I found no ${path} in ${where}, where my own files are. A flow also reads the files outside of ${where}. Write, for example: build a flow that reads ${path}, then run it.`;
  return { error, text: error, summary };
};

/** The client of a turn in the activity log, by which its changes of files are found again. */
export const clientOfTurn = (turnId: string): string => `assistant ${turnId}`;

const isRelative = (path: string): boolean => path !== '' && !/^([/\\]|[a-z]:)/i.test(path);
