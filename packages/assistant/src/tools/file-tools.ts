import type { JsonSchema } from '@croft/models';
import { type AnyTool, callTool } from '@croft/tools';
import { z } from 'zod';
import type { Turn } from '../turn.ts';
import { hasMark, hideSecrets } from '../hide-secrets.ts';
import { markInFileRefused } from '../refuse-secrets.ts';
import { clientOfTurn } from '../turn-files.ts';
import { askUser } from './ask-tools.ts';
import type { AssistantTool, ToolArguments, ToolContext, ToolData } from './assistant-tool.ts';
import { NOT_ALLOWED } from './consent.ts';
import { isLoss } from './lost-file.ts';

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

/** Lets a write through that loses nothing which the user did not name, and asks about any other one. */
async function mayWrite(path: string, context: ToolContext): Promise<boolean> {
  if (!(await isLoss(path, context))) return true;
  const choice = await askUser(
    context,
    {
      kind: 'beyond',
      text: 'Your message does not ask for a change of this file. May I change it?',
      choices: ['Allow', 'Do not allow'],
      default: 'Do not allow',
    },
    path,
  );
  if (choice !== 'Allow') return false;
  context.notes.ownFiles.add(path);
  return true;
}

const schemas = new WeakMap<AnyTool, JsonSchema>();

function schemaOf(tool: AnyTool): JsonSchema {
  const known = schemas.get(tool);
  if (known !== undefined) return known;
  const { $schema: _, ...schema } = z.toJSONSchema(tool.input, { io: 'input' });
  schemas.set(tool, schema);
  return schema;
}

async function runFileTool(tool: AnyTool, args: ToolArguments, context: ToolContext): Promise<ToolData> {
  const { turn, signal, emit, notes } = context;
  const table = turn.files;
  if (table === undefined) return { error: 'There are no files.' };
  if (isWriter(tool) && writesMark(args)) throw markInFileRefused();
  if (isWriter(tool) && typeof args['path'] === 'string' && !(await mayWrite(args['path'], context)))
    return NOT_ALLOWED;
  const call = { name: tool.name, input: args };
  const { ok, data, text } = await callTool(table, call, { signal, caller: clientOfTurn(turn.id) });
  const path = data['path'];
  if (ok && isWriter(tool) && typeof path === 'string' && isRelative(path)) {
    const content = args['content'];
    notes.ownFiles.add(path);
    emit({
      event: 'file_written',
      action: tool.name === 'write_file' ? 'write_file' : 'edit_file',
      path,
      size: typeof data['bytes_written'] === 'number' ? data['bytes_written'] : 0,
      ...(typeof content === 'string' && { content: hideSecrets(content, turn.secrets).slice(0, MAX_CONTENT) }),
    });
    return { ...(text === undefined ? data : { text }), summary: `Wrote ${path}.` };
  }
  if (ok && tool.name === 'glob_search') return { ...data, summary: listedFiles(data) };
  if (ok) return text === undefined ? data : { text };
  const error = typeof data['error'] === 'string' ? data['error'] : (text ?? 'The call failed.');
  return { ...data, error };
}

/**
 * Whether a call would write the mark of a hidden secret: a model that reads a file gets the mark in place of the secret, and
 * would replace the secret with it. A mark in `old_string` has to be in the file itself.
 */
function writesMark({ old_string, new_string, edits, ...others }: ToolArguments): boolean {
  const replacements = Array.isArray(edits) ? (edits as readonly ToolArguments[]) : [];
  return (
    hasMark(others) ||
    [{ old_string, new_string }, ...replacements].some(
      (each) => hasMark(each?.['new_string']) && !hasMark(each?.['old_string']),
    )
  );
}

/** The names that a search found, for a person. */
function listedFiles({ matches, truncated }: ToolData): string {
  const names = matches as readonly string[];
  if (names.length === 0) return 'I found nothing.';
  return `I found:\n\n${names.map((name) => `- ${name}`).join('\n')}${truncated === true ? '\n- and more' : ''}`;
}

const isRelative = (path: string): boolean => path !== '' && !/^([/\\]|[a-z]:)/i.test(path);
