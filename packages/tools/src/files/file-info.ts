import { z } from 'zod';
import { READS, type Tool } from '../tool.ts';
import { type FileToolkit, workspaceOf } from './toolkit.ts';

const input = z.strictObject({ path: z.string().describe('File or directory, relative to the workspace root.') });
const output = z.looseObject({
  status: z.literal('ok'),
  path: z.string(),
  type: z.enum(['file', 'directory', 'link', 'other']),
  size: z.number(),
  modified: z.string(),
  created: z.string(),
  mode: z.string(),
  links: z.number(),
  version: z.string(),
  real_path: z.string().optional(),
});

/** Describes a file or directory without reading its content. */
export function fileInfoTool(kit: FileToolkit): Tool<z.infer<typeof input>> {
  return {
    name: 'file_info',
    title: 'File information',
    description:
      'Type, size, times, permissions and version of a file or directory. real_path tells where a link leads.',
    tags: ['file_info'],
    input,
    output,
    structured: true,
    annotations: READS,
    run({ path }) {
      const { type, sizeBytes, modified, created, mode, links, version, realPath } = workspaceOf(kit).info(path);
      const real = realPath === undefined ? {} : { real_path: realPath };
      return {
        ok: true,
        data: { status: 'ok', path, type, size: sizeBytes, modified, created, mode, links, version, ...real },
      };
    },
    paths: (given) => [given.path],
  };
}
