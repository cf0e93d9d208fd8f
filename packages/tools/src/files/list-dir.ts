import type { WorkspaceError } from '@croft/workspace';
import { z } from 'zod';
import { fitItems, jsonBytes } from '../fit-result.ts';
import { READS, type Tool } from '../tool.ts';
import { type FileToolkit, workspaceOf } from './toolkit.ts';

const DEFAULT_LIMIT = 1_000;

const input = z.strictObject({
  path: z.string().default('.').describe('Directory to list.'),
  offset: z.number().int().min(0).default(0).describe('Entries to leave out from the start.'),
  limit: z.number().int().min(1).max(10_000).default(DEFAULT_LIMIT).describe('Most entries to return.'),
});

/** Lists one directory, a page at a time. */
export function listDirTool(kit: FileToolkit): Tool<z.infer<typeof input>> {
  return {
    name: 'list_dir',
    title: 'List directory',
    description:
      'List a directory: name, type, size and modification time, directories first. When truncated, continue at next_offset.',
    tags: ['list_dir'],
    input,
    annotations: READS,
    run({ path, offset, limit }) {
      const workspace = workspaceOf(kit);
      const { entries, total } = workspace.list(path, { offset, limit, details: true });
      const shaped = entries.map(({ name, type, sizeBytes, modified }) => ({
        name,
        type,
        ...(sizeBytes !== undefined && { size: sizeBytes }),
        ...(modified !== undefined && { modified }),
      }));
      const shown = fitItems(shaped, workspace.limits.maxResultBytes - jsonBytes(path));
      const next = offset + shown.length;
      return {
        ok: true,
        data: {
          status: 'ok',
          path,
          entries: shown,
          total,
          ...(next < total && { truncated: true, next_offset: next }),
        },
      };
    },
    failure: (error, { path }) => ({ error: (error as WorkspaceError).message, path }),
    paths: (given) => [given.path],
  };
}
