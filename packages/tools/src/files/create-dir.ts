import { z } from 'zod';
import { ADDS, type Tool } from '../tool.ts';
import { type FileToolkit, workspaceOf } from './toolkit.ts';

const input = z.strictObject({ path: z.string().describe('Directory to make, relative to the workspace root.') });
const output = z.looseObject({ status: z.enum(['created', 'exists']), path: z.string() });

/** Creates a directory and its missing parents. */
export function createDirTool(kit: FileToolkit): Tool<z.infer<typeof input>> {
  return {
    name: 'create_dir',
    title: 'Create directory',
    description:
      'Make a directory and its missing parents. One that exists already is fine. Writing a file makes its parents by itself.',
    tags: ['create_dir'],
    input,
    output,
    structured: true,
    annotations: { ...ADDS, idempotentHint: true },
    run({ path }, { journal }) {
      const { created, changes } = workspaceOf(kit).createDir(path, { journal });
      return { ok: true, changes, data: { status: created ? 'created' : 'exists', path } };
    },
    paths: (given) => [given.path],
  };
}
