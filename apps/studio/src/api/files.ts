import { queryOptions } from '@tanstack/react-query';
import { ApiError, apiUrl, request, send } from './request.ts';

/** Whose files: one's own, or those everybody on this server shares. */
export type Root = 'mine' | 'shared';

/** One entry of a folder. Paths are relative to the root, with slashes, without a leading one. */
export interface FileEntry {
  readonly name: string;
  readonly path: string;
  readonly type: 'file' | 'dir';
  readonly size: number | null;
  readonly modifiedAt: string | null;
}

/** A folder. `truncated`: there are more entries than are listed. */
export interface Listing {
  readonly path: string;
  readonly entries: readonly FileEntry[];
  readonly truncated: boolean;
}

/** How much is stored and how much may be, in bytes; no limit is `null`. */
export interface Quota {
  readonly usedBytes: number;
  readonly limitBytes: number | null;
}

/** A place where something was found. */
export interface Match {
  readonly path: string;
  readonly line?: number;
  readonly text?: string;
}

/** Where to look. */
export type SearchIn = 'name' | 'content';

/** What is in a folder. */
export const listingQuery = (root: Root, path: string) =>
  queryOptions({
    queryKey: ['files', root, 'list', path],
    queryFn: ({ signal }) => request<Listing>(apiUrl('api/v1/files', { root, path }), { signal }),
    staleTime: 5_000,
  });

/** How much space is used. Asked for apart from a folder: the server walks through all files for it. */
export const usageQuery = (root: Root) =>
  queryOptions({
    queryKey: ['files', root, 'usage'],
    queryFn: ({ signal }) => request<Quota>(apiUrl('api/v1/files/usage', { root }), { signal }),
    staleTime: 5_000,
  });

/** What is called, or says, something. */
export const searchQuery = (root: Root, q: string, where: SearchIn) =>
  queryOptions({
    queryKey: ['files', root, 'search', where, q],
    queryFn: ({ signal }) =>
      request<{ matches: Match[]; truncated: boolean }>(apiUrl('api/v1/files/search', { root, q, in: where }), {
        signal,
      }),
    enabled: q !== '',
  });

/** The address of a file's bytes, to look at or to save. */
export function contentUrl(root: Root, path: string, { download = false } = {}): string {
  return apiUrl('api/v1/files/content', { root, path, download: download ? '1' : undefined });
}

/** A file that can be shown as text. Throws `not_text` when the server would not show it as such. */
export const textQuery = (root: Root, path: string, version: string) =>
  queryOptions({
    queryKey: ['files', root, 'text', path, version],
    queryFn: async ({ signal }) => {
      const answer = await send(contentUrl(root, path), { signal });
      const isText = answer.headers.get('Content-Type')?.startsWith('text/plain') ?? false;
      if (isText && !answer.headers.get('Content-Disposition')?.startsWith('attachment')) return answer.text();
      await answer.body?.cancel();
      throw new ApiError('not_text', 'There is no preview of this kind of file.', 415);
    },
  });

/** Makes a folder. */
export function makeFolder(root: Root, path: string): Promise<{ path: string }> {
  return request(apiUrl('api/v1/files/mkdir'), { method: 'POST', json: { root, path } });
}

/** Renames or moves. */
export function moveFile(root: Root, from: string, to: string): Promise<{ path: string }> {
  return request(apiUrl('api/v1/files/move'), { method: 'POST', json: { root, from, to } });
}

/** Puts into the trash; `undo` brings it back, where the server could keep it. */
export function deleteFile(root: Root, path: string): Promise<{ path: string; undo?: string }> {
  return request(apiUrl('api/v1/files/delete'), { method: 'POST', json: { root, path } });
}

/** Brings back what a deletion took. */
export function undoDelete(undo: string): Promise<{ path: string }> {
  return request(apiUrl('api/v1/files/undo'), { method: 'POST', json: { undo } });
}
