import { apiUrl, errorOf, offline } from './request.ts';

/** A file to store. */
export interface UploadAsk {
  path: string;
  body: Blob;
  /** Whether a file of that name is replaced; without, the server answers `exists`. */
  overwrite: boolean;
  onProgress: (sentBytes: number) => void;
  signal: AbortSignal;
}

/**
 * Stores a file. By XMLHttpRequest, because `fetch` says nothing about how much was sent. Throws `ApiError`; an abort
 * throws the signal's reason.
 */
export function upload({ path, body, overwrite, onProgress, signal }: UploadAsk): Promise<void> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open('PUT', apiUrl('api/v1/files/content', { path, overwrite: overwrite ? '1' : undefined }));
    xhr.setRequestHeader('X-Croft', '1');
    xhr.setRequestHeader('Content-Type', 'application/octet-stream');
    xhr.upload.addEventListener('progress', (event) => onProgress(event.loaded));
    xhr.addEventListener('load', () =>
      xhr.status >= 200 && xhr.status < 300
        ? resolve()
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
