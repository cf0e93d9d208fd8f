import { queryOptions } from '@tanstack/react-query';
import { ApiError, apiUrl, request, send } from './request.ts';

/** One entry of a folder. Paths are relative to the top of the tree, with slashes, without a leading one. */
export interface FileEntry {
  readonly name: string;
  readonly path: string;
  readonly type: 'file' | 'dir';
  readonly size: number | null;
  readonly modifiedAt: string | null;
  /** It cannot be renamed or deleted. Set by the page. */
  readonly isFixed?: boolean;
  /** A word about it, beside its name. Set by the page. */
  readonly note?: string;
}

/** A folder at the top of the tree that holds other files: the user's own (`mine`), or those all users share (`shared`). */
export interface FilesMount {
  readonly name: string;
  readonly readOnly: boolean;
  /** A real entry of this name is hidden by the mount. */
  readonly hidesEntry: boolean;
}

/** A folder. `truncated`: there are more entries than are listed. */
export interface Listing {
  readonly path: string;
  readonly entries: readonly FileEntry[];
  readonly truncated: boolean;
  readonly mounts?: readonly FilesMount[];
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
export const listingQuery = (path: string) =>
  queryOptions({
    queryKey: ['files', 'list', path],
    queryFn: ({ signal }) => request<Listing>(apiUrl('api/v1/files', { path }), { signal }),
    staleTime: 5_000,
  });

/** How much space is used. Asked for apart from a folder: the server walks through all files for it. */
export const usageQuery = (path: string) =>
  queryOptions({
    queryKey: ['files', 'usage', path],
    queryFn: ({ signal }) => request<Quota>(apiUrl('api/v1/files/usage', { path }), { signal }),
    staleTime: 5_000,
  });

/** What is called, or says, something. */
export const searchQuery = (q: string, where: SearchIn) =>
  queryOptions({
    queryKey: ['files', 'search', where, q],
    queryFn: ({ signal }) =>
      request<{ matches: Match[]; truncated: boolean }>(apiUrl('api/v1/files/search', { q, in: where }), {
        signal,
      }),
    enabled: q !== '',
  });

/** The address of a file's bytes, to look at or to save. */
export function contentUrl(path: string, { download = false } = {}): string {
  return apiUrl('api/v1/files/content', { path, download: download ? '1' : undefined });
}

/** A file that can be shown as text. Throws `not_text` when the server would not show it as such. */
export const textQuery = (path: string, version: string) =>
  queryOptions({
    queryKey: ['files', 'text', path, version],
    queryFn: async ({ signal }) => {
      const answer = await send(contentUrl(path), { signal });
      const isText = answer.headers.get('Content-Type')?.startsWith('text/plain') ?? false;
      if (isText && !answer.headers.get('Content-Disposition')?.startsWith('attachment')) return answer.text();
      await answer.body?.cancel();
      throw new ApiError('not_text', 'There is no preview of this kind of file.', 415);
    },
  });

/** Makes a folder. */
export function makeFolder(path: string): Promise<{ path: string }> {
  return request(apiUrl('api/v1/files/mkdir'), { method: 'POST', json: { path } });
}

/** Renames or moves. */
export function moveFile(from: string, to: string): Promise<{ path: string }> {
  return request(apiUrl('api/v1/files/move'), { method: 'POST', json: { from, to } });
}

/** The server takes at most this many paths in one request. */
export const MAX_DELETED = 500;

/**
 * Puts files and folders into the trash: all of them or none. Throws `not_undoable` if the trash cannot keep them;
 * `permanent` deletes them anyway. `undo` restores all of them; it is absent if one was not kept.
 */
export function deleteFiles(paths: readonly string[], permanent: boolean): Promise<{ path: string; undo?: string }> {
  return request(apiUrl('api/v1/files/delete'), { method: 'POST', json: { paths, permanent } });
}

/** Reverts a deletion or an upload. */
export function undoChange(undo: string): Promise<{ path: string }> {
  return request(apiUrl('api/v1/files/undo'), { method: 'POST', json: { undo } });
}
