import type { WorkspaceError } from '@croft/workspace';
import { z } from 'zod';
import { ADDS, type Tool } from '../tool.ts';
import { type FileToolkit, workspaceOf } from './toolkit.ts';

/** Arguments of the tools with a source and a destination. */
export const twoPaths = z.strictObject({
  source: z.string().describe('Existing file or directory.'),
  destination: z.string().describe('New path; must not exist. Missing parents are made.'),
});
const output = z.looseObject({ status: z.literal('ok'), source: z.string(), destination: z.string() });

/** Moves or renames a file or directory. */
export function movePathTool(kit: FileToolkit): Tool<z.infer<typeof twoPaths>> {
  return {
    name: 'move_path',
    title: 'Move or rename',
    description: 'Move or rename a file or directory. Refused when the destination exists.',
    tags: ['move_path'],
    input: twoPaths,
    output,
    structured: true,
    annotations: ADDS,
    run({ source, destination }, { journal }) {
      const { changes } = workspaceOf(kit).move(source, destination, { journal });
      return { ok: true, changes, data: { status: 'ok', source, destination } };
    },
    failure: (error, { source, destination }) => ({ error: (error as WorkspaceError).message, source, destination }),
    paths: (given) => [given.source, given.destination],
  };
}
