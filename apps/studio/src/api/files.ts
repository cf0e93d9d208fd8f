import type { ApiRequest, ApiResponse } from '@croft/server/contract';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, routeUrl } from './api.ts';
import { ApiError, send } from './request.ts';
import { upload } from './upload.ts';

type Listing = ApiResponse<'GET /api/v1/files'>;

/** One entry of a folder. Paths are relative to the top of the tree, with slashes, without a leading one. */
export type FileEntry = Listing['entries'][number] & {
  /** The user cannot rename or delete it. Set by the page. */
  readonly isFixed?: boolean;
  /** A word beside its name. Set by the page. */
  readonly note?: string;
};

/** A folder at the top of the tree that holds other files: the user's own (`mine`), or those all users share (`shared`). */
export type FilesMount = Listing['mounts'][number];

/** Bytes stored and the limit; `null` for no limit. */
export type Quota = ApiResponse<'GET /api/v1/files/usage'>;

/** A place where a search found something. */
export type Match = ApiResponse<'GET /api/v1/files/search'>['matches'][number];

/** Where a search looks. */
export type SearchIn = NonNullable<ApiRequest<'GET /api/v1/files/search'>['query']['in']>;

/** The columns that the server can sort a folder by. */
export type FileOrder = NonNullable<NonNullable<ApiRequest<'GET /api/v1/files'>['query']>['sort']>;

/** The first entries of a folder. */
export const listingQuery = (path: string) =>
  queryOptions({
    queryKey: ['files', 'list', path],
    queryFn: ({ signal }) => api('GET /api/v1/files', { query: { path }, signal }),
    staleTime: 5_000,
  });

/** The entries of a folder, page by page, in an order of the server. */
export const folderPages = (path: string, { by, descending }: { by: FileOrder; descending: boolean }) =>
  infiniteQueryOptions({
    queryKey: ['files', 'pages', path, by, descending],
    queryFn: ({ signal, pageParam }) =>
      api('GET /api/v1/files', {
        query: { path, sort: by, order: descending ? 'desc' : 'asc', ...(pageParam !== '' && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 5_000,
  });

/** Bytes stored. A request of its own, because the server walks through all files for it. */
export const usageQuery = (path: string) =>
  queryOptions({
    queryKey: ['files', 'usage', path],
    queryFn: ({ signal }) => api('GET /api/v1/files/usage', { query: { path }, signal }),
    staleTime: 5_000,
  });

/** Files by name or content. */
export const searchQuery = (q: string, where: SearchIn) =>
  queryOptions({
    queryKey: ['files', 'search', where, q],
    queryFn: ({ signal }) => api('GET /api/v1/files/search', { query: { q, in: where }, signal }),
    enabled: q !== '',
  });

/** The address of a file's bytes, to look at or to save. */
export function contentUrl(path: string, { download = false } = {}): string {
  return routeUrl('GET /api/v1/files/content', { query: { path, ...(download && { download: '1' as const }) } });
}

const LENGTH = 'Content-Length';

/** The bytes of a file, without reading it. Fails for a folder. */
export const sizeQuery = (path: string) =>
  queryOptions({
    queryKey: ['files', 'size', path],
    queryFn: async ({ signal }) =>
      Number((await send(contentUrl(path), { method: 'HEAD', signal })).headers.get(LENGTH)),
  });

/** A text to look at. */
export interface ShownText {
  readonly text: string;
  /** The bytes of the file, where the text is only its beginning. */
  readonly cutFrom?: number;
}

/** A file as text, up to the last line that ends within `maxBytes`. Throws `not_text` when the server would not display it as text. */
export const textQuery = (path: string, version: string, maxBytes: number) =>
  queryOptions({
    queryKey: ['files', 'text', path, version],
    queryFn: async ({ signal }): Promise<ShownText> => {
      const answer = await send(contentUrl(path), { signal });
      const isText = answer.headers.get('Content-Type')?.startsWith('text/plain') ?? false;
      if (isText && !answer.headers.get('Content-Disposition')?.startsWith('attachment')) {
        const size = Number(answer.headers.get(LENGTH));
        if (size <= maxBytes) return { text: await answer.text() };
        return { text: await readBeginning(answer, maxBytes), cutFrom: size };
      }
      await answer.body?.cancel();
      throw new ApiError('not_text', 'There is no preview of this kind of file.', 415);
    },
  });

/** The first bytes of a text without its last, incomplete line. The rest is not fetched. */
async function readBeginning(answer: Response, maxBytes: number): Promise<string> {
  const reader = answer.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let left = maxBytes; left > 0; ) {
    const { value } = (await reader?.read()) ?? {};
    if (value === undefined) break;
    // A character of which only a part is there waits for its rest.
    text += decoder.decode(value.subarray(0, left), { stream: true });
    left -= value.length;
  }
  await reader?.cancel();
  return text.slice(0, text.lastIndexOf('\n') + 1) || text;
}

/** Creates a folder. */
export const makeFolder = (path: string) => api('POST /api/v1/files/mkdir', { body: { path } });

/** Creates a text file; `exists` if the name is taken. */
export const makeTextFile = (path: string, text: string) =>
  upload({
    path,
    body: new Blob([text]),
    overwrite: false,
    permanent: false,
    onProgress: () => undefined,
    signal: new AbortController().signal,
  });

/** A text as it is stored, and what names this state of its file. @throws ApiError `not_text` */
export async function readTextFile(path: string, signal: AbortSignal): Promise<{ text: string; tag: string }> {
  const answer = await send(contentUrl(path), { signal });
  const bytes = await answer.arrayBuffer();
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes('\0')) return { text, tag: answer.headers.get('ETag') ?? '' };
  } catch {
    // Not UTF-8.
  }
  throw new ApiError('not_text', 'This file is not a text in UTF-8.', 415);
}

/** Stores a text in place of the one with this tag; without a tag, in place of any. `changed` if it is another one by now. */
export const saveTextFile = (path: string, text: string, tag: string | undefined) =>
  upload({
    path,
    body: new Blob([text]),
    overwrite: true,
    permanent: false,
    by: 'editor',
    tag,
    onProgress: () => undefined,
    signal: new AbortController().signal,
  });

/** Renames or moves. */
export const moveFile = (from: string, to: string) => api('POST /api/v1/files/move', { body: { from, to } });

/** The server takes at most this many paths in one request. */
export const MAX_DELETED = 500;

/**
 * Puts files and folders into the trash: all of them or none. Throws `not_undoable` if the trash cannot keep them;
 * `permanent` deletes them anyway. `undo` restores all of them; it is absent if one was not kept.
 */
export const deleteFiles = (paths: readonly string[], permanent: boolean) =>
  api('POST /api/v1/files/delete', { body: { paths: [...paths], permanent } });

/** Reverts a deletion or an upload. */
export const undoChange = (undo: string) => api('POST /api/v1/files/undo', { body: { undo } });
