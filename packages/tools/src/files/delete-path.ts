import { z } from 'zod';
import { REPLACES, type Tool } from '../tool.ts';
import { type FileToolkit, permanentArgument, versionArgument, workspaceOf } from './toolkit.ts';

const input = z.strictObject({
  path: z.string().describe('File or directory to delete.'),
  recursive: z.boolean().default(false).describe('Delete a directory with everything in it.'),
  expected_version: versionArgument,
  permanent: permanentArgument,
});
const output = z.looseObject({
  status: z.literal('deleted'),
  path: z.string(),
  type: z.enum(['file', 'directory', 'link']),
  entries: z.number().optional(),
  undoable: z.boolean(),
});

/** Deletes a file or directory. The trash keeps the old content, if there is one, so that the person can undo it. */
export function deletePathTool(kit: FileToolkit): Tool<z.infer<typeof input>> {
  return {
    name: 'delete_path',
    title: 'Delete',
    description: `Delete a file or directory. A directory with content needs recursive. ${
      kit.source.hasTrash
        ? 'The person can take it back; what is too large for that needs permanent.'
        : 'It is gone for good: nothing is kept for undo.'
    }`,
    tags: ['delete_path'],
    input,
    output,
    structured: true,
    annotations: REPLACES,
    async run({ path, recursive, expected_version, permanent }, { signal, journal }) {
      const done = await workspaceOf(kit).delete(path, {
        recursive,
        expectedVersion: expected_version,
        permanent,
        signal,
        journal,
      });
      const entries = done.type === 'directory' ? { entries: done.entries } : {};
      return {
        ok: true,
        changes: done.changes,
        data: { status: 'deleted', path, type: done.type, ...entries, undoable: done.undoable },
      };
    },
    paths: (given) => [given.path],
  };
}
