import { z } from 'zod';
import { contentNotReceived } from '../refuse-oversized.ts';
import { ADDS, type Tool } from '../tool.ts';
import { type FileToolkit, pathArgument, versionArgument, workspaceOf } from './toolkit.ts';

const input = z.strictObject({
  path: pathArgument,
  content: z
    .string()
    .describe('Text to add at the end, exactly as given: begin it with a line break if one is wanted.'),
  expected_version: versionArgument,
});
const output = z.looseObject({
  status: z.enum(['created', 'updated']),
  path: z.string(),
  bytes_written: z.number(),
  version: z.string(),
});

/** Adds text to the end of a file. */
export function appendFileTool(kit: FileToolkit): Tool<z.infer<typeof input>> {
  return {
    name: 'append_file',
    title: 'Append to file',
    description: 'Add text to the end of a file; creates it when missing. Nothing already there is changed.',
    tags: ['append_file'],
    input,
    output,
    structured: true,
    annotations: ADDS,
    run({ path, content, expected_version }, { journal }) {
      const done = workspaceOf(kit).append(path, content, { expectedVersion: expected_version, journal });
      return {
        ok: true,
        bytes: done.bytesWritten,
        changes: done.changes,
        data: { status: done.status, path, bytes_written: done.bytesWritten, version: done.version },
      };
    },
    tooLarge(bytes) {
      throw contentNotReceived(bytes);
    },
    paths: (given) => [given.path],
  };
}
