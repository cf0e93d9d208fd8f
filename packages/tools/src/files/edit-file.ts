import type { Edit, WorkspaceError } from '@croft/workspace';
import { z } from 'zod';
import { cutText, jsonBytes } from '../fit-result.ts';
import { type CallContext, REPLACES, type Tool, ToolError, type ToolResult } from '../tool.ts';
import { type FileToolkit, pathArgument, versionArgument, workspaceOf } from './toolkit.ts';
import { unifiedDiff } from './unified-diff.ts';

const oldString = z.string().describe('Exact string to replace.');
const newString = z.string().describe('Text to put in its place.');
const replaceAll = z.boolean().default(false).describe('Replace every occurrence.');

const files = z.strictObject({
  path: pathArgument,
  old_string: oldString,
  new_string: newString,
  replace_all: replaceAll,
});
const full = z.strictObject({
  path: pathArgument,
  old_string: oldString.optional(),
  new_string: newString.optional(),
  replace_all: z.boolean().optional().describe('Replace every occurrence.'),
  edits: z
    .array(z.strictObject({ old_string: oldString, new_string: newString, replace_all: replaceAll }))
    .min(1)
    .max(1_000)
    .optional()
    .describe('Several replacements, applied in order, all or none. Instead of old_string and new_string.'),
  dry_run: z.boolean().optional().describe('Show the diff and change nothing.'),
  expected_version: versionArgument,
});

/** Replaces exact text in a file, all or none. */
export function editFileTool(kit: FileToolkit): Tool<z.infer<typeof full>> {
  const isFull = kit.flavour === 'full';
  const run = (given: z.infer<typeof full>, { journal }: Pick<CallContext, 'journal'>): ToolResult => {
    const workspace = workspaceOf(kit);
    const edits = editsOf(given);
    // The contract of `files` accepts such an edit and counts it.
    if (isFull && edits.some(({ oldString, newString }) => oldString === newString)) {
      throw new ToolError('invalid_arguments', 'old_string and new_string are the same');
    }
    const done = workspace.edit(given.path, edits, {
      dryRun: given.dry_run ?? false,
      expectedVersion: given.expected_version,
      journal,
    });
    const { replacements, changes } = done;
    if (!isFull) {
      const { path, old_string, new_string } = given;
      const echo = jsonBytes(`${old_string}${new_string}`) < workspace.limits.maxResultBytes / 2;
      return {
        ok: true,
        changes,
        data: { status: 'ok', path, replacements, ...(echo ? { old_string, new_string } : { truncated: true }) },
      };
    }
    const maxBytes = workspace.limits.maxResultBytes - 4_096 - jsonBytes(given.path);
    // A character has at least one byte of JSON, so a diff that ends there is cut.
    const diff = unifiedDiff(given.path, done.before, done.after, maxBytes);
    const shown = cutText(diff, maxBytes);
    return {
      ok: true,
      changes,
      data: {
        status: given.dry_run ? 'preview' : 'ok',
        path: given.path,
        replacements,
        diff: shown,
        version: done.version,
        ...(shown.length < diff.length && { truncated: true }),
      },
    };
  };
  return {
    name: 'edit_file',
    title: 'Edit file',
    description: isFull
      ? 'Replace exact text in a file and return a unified diff. old_string must occur exactly once unless replace_all is true. Several edits are applied all or none; dry_run previews. If the text is not found, the nearest text and its line come back.'
      : 'Replace an exact string in a file. Fails when old_string is missing, or occurs more than once without replace_all.',
    tags: ['edit_file'],
    input: isFull ? full : files,
    annotations: REPLACES,
    run,
    failure(error, given) {
      const { message, code, extra } = error as WorkspaceError;
      if (!isFull) return { error: message, path: given.path, ...(code === 'ambiguous' && { matches: extra.matches }) };
      return { error: message, path: given.path, ...extra, ...hint(code) };
    },
    paths: (given) => [given.path],
  };
}

function editsOf(given: z.infer<typeof full>): Edit[] {
  const { old_string, new_string, edits } = given;
  if (edits && old_string === undefined && new_string === undefined && given.replace_all === undefined) {
    return edits.map((edit) => ({
      oldString: edit.old_string,
      newString: edit.new_string,
      replaceAll: edit.replace_all,
    }));
  }
  if (edits || old_string === undefined || new_string === undefined) {
    throw new ToolError(
      'invalid_arguments',
      'Pass either old_string and new_string (with replace_all), or edits, each with its own replace_all',
    );
  }
  return [{ oldString: old_string, newString: new_string, replaceAll: given.replace_all ?? false }];
}

function hint(code: string): { hint?: string } {
  if (code === 'no_match') return { hint: 'Read the file and copy old_string exactly, with its indentation.' };
  if (code === 'ambiguous')
    return { hint: 'Add surrounding lines to old_string until it occurs once, or pass replace_all.' };
  return {};
}
