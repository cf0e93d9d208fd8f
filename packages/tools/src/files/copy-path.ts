import type { WorkspaceError } from '@croft/workspace';
import { z } from 'zod';
import { ADDS, type Tool } from '../tool.ts';
import { twoPaths } from './move-path.ts';
import { type FileToolkit, workspaceOf } from './toolkit.ts';

const output = z.looseObject({
  status: z.literal('ok'),
  source: z.string(),
  destination: z.string(),
  files: z.number(),
  directories: z.number(),
  bytes: z.number(),
  skipped: z.number(),
});

/** Copies a file or a directory. */
export function copyPathTool(kit: FileToolkit): Tool<z.infer<typeof twoPaths>> {
  return {
    name: 'copy_path',
    title: 'Copy',
    description:
      'Copy a file, or a directory with everything in it. Refused when the destination exists. Fails when an entry cannot be read. skipped counts what is left out: links, special and protected files, names that are not UTF-8, levels below 256.',
    tags: ['copy_path'],
    input: twoPaths,
    output,
    structured: true,
    annotations: ADDS,
    async run({ source, destination }, { signal, journal }) {
      const { files, directories, bytes, skipped, changes } = await workspaceOf(kit).copy(source, destination, {
        signal,
        journal,
      });
      return {
        ok: true,
        bytes,
        changes,
        data: { status: 'ok', source, destination, files, directories, bytes, skipped },
      };
    },
    failure: (error, { source, destination }) => ({ error: (error as WorkspaceError).message, source, destination }),
    paths: (given) => [given.source, given.destination],
  };
}
