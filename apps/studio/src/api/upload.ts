import type { ApiResponse } from '@croft/server/contract';
import { routeUrl } from './api.ts';
import { errorOf, offline } from './request.ts';

/** A file to store. */
export interface UploadAsk {
  path: string;
  body: Blob;
  /** Whether a file of that name is replaced; without, the server answers `exists`. */
  overwrite: boolean;
  /** Replaces a file that the trash cannot keep; without, the server answers `not_undoable`. */
  permanent: boolean;
  /** The entry of the activity log instead of an upload. */
  by?: 'editor' | 'template';
  /** The `ETag` of the file that was read; the server answers `changed` where it is another one. */
  tag?: string | undefined;
  onProgress: (sentBytes: number) => void;
  signal: AbortSignal;
}

/** A stored file: the page uses only the id that reverts it. */
export type Stored = Pick<ApiResponse<'PUT /api/v1/files/content'>, 'undo'>;

/**
 * Stores a file. `undo` in the answer reverts it; it is absent if the old content was not kept. By XMLHttpRequest, because `fetch` says nothing about how much was sent. Throws `ApiError`; an abort
 * throws the signal's reason.
 */
export function upload({ path, body, overwrite, permanent, by, tag, onProgress, signal }: UploadAsk): Promise<Stored> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    const flags = { overwrite: overwrite ? '1' : '0', permanent: permanent ? '1' : '0' } as const;
    xhr.open('PUT', routeUrl('PUT /api/v1/files/content', { query: { path, ...flags, ...(by && { by }) } }));
    xhr.setRequestHeader('X-Croft', '1');
    xhr.setRequestHeader('Content-Type', 'application/octet-stream');
    if (tag !== undefined) xhr.setRequestHeader('If-Match', tag);
    xhr.upload.addEventListener('progress', (event) => onProgress(event.loaded));
    xhr.addEventListener('load', () =>
      xhr.status >= 200 && xhr.status < 300
        ? resolve(readStored(xhr.responseText))
        : reject(errorOf(xhr.status, xhr.responseText, xhr.getResponseHeader('Retry-After'))),
    );
    // A server that refuses a body early may close before it is sent whole: there is no answer to read then.
    xhr.addEventListener('error', () => reject(offline()));
    xhr.addEventListener('abort', () => reject(signal.reason as Error));
    signal.addEventListener('abort', () => xhr.abort(), { once: true });
    if (signal.aborted) reject(signal.reason as Error);
    else xhr.send(body);
  });
}

/** Without `undo` if a proxy changed the answer: the file is stored all the same. */
function readStored(body: string): Stored {
  try {
    const { undo } = JSON.parse(body) as { undo?: unknown };
    return typeof undo === 'string' ? { undo } : {};
  } catch {
    return {};
  }
}
