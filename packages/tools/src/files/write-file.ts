import { z } from 'zod';
import { contentNotReceived } from '../refuse-oversized.ts';
import { REPLACES, type Tool } from '../tool.ts';
import { type FileToolkit, pathArgument, permanentArgument, versionArgument, workspaceOf } from './toolkit.ts';

const base = { path: pathArgument, content: z.string().describe('Text content to write. Overwrites existing file.') };
const files = z.strictObject(base);
const full = z.strictObject({ ...base, expected_version: versionArgument, permanent: permanentArgument });
const output = z.looseObject({
  status: z.enum(['created', 'updated']),
  path: z.string(),
  bytes_written: z.number(),
  version: z.string(),
});

/** Creates or replaces a text file atomically. */
export function writeFileTool(kit: FileToolkit): Tool<z.infer<typeof full>> {
  const isFull = kit.flavour === 'full';
  return {
    name: 'write_file',
    title: 'Write file',
    description:
      'Create a text file or overwrite it completely; missing parent directories are made. To change part of a file use edit_file' +
      (isFull ? ', to add to its end append_file.' : '.'),
    tags: ['write_file'],
    input: isFull ? full : files,
    ...(isFull && { output, structured: true }),
    annotations: REPLACES,
    run({ path, content, expected_version, permanent }, { journal }) {
      const done = workspaceOf(kit).write(path, content, { expectedVersion: expected_version, permanent, journal });
      return {
        ok: true,
        bytes: done.bytesWritten,
        changes: done.changes,
        data: { status: done.status, path, bytes_written: done.bytesWritten, ...(isFull && { version: done.version }) },
      };
    },
    tooLarge(bytes) {
      throw contentNotReceived(bytes);
    },
    paths: (given) => [given.path],
  };
}
