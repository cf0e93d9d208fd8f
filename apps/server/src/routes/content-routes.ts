import { closeSync, createReadStream, readSync } from 'node:fs';
import { Readable } from 'node:stream';
import { type OpenFile, WorkspaceError } from '@croft/workspace';
import { z } from 'zod';
import type { Parts } from '../parts.ts';
import { Problem } from '../problem.ts';
import type { Endpoints } from './endpoint.ts';
import { filePath, namespaceOf, plainPath, recordChange, rootName, whoIs } from './file-routes.ts';

/** One upload; more is for the disk itself. */
const MAX_UPLOAD_BYTES = 2 * 1024 * 1024 * 1024;
/**
 * Uploads of one person at once. What is under way is not in the quota yet, so without a bound it would be a way around
 * it; a browser has six connections to a server.
 */
const MAX_UPLOADS_OF_ONE = 8;
/** An upload of which nothing comes any longer is broken off. */
const UPLOAD_SILENCE_MS = 60_000;
const SNIFFED_BYTES = 8_192;
const flag = z.enum(['0', '1', 'true', 'false']).optional();
const isSet = (value: z.infer<typeof flag>): boolean => value === '1' || value === 'true';

/** Files come from agents and strangers: whatever a browser makes of one, it has no script, no origin and no network. */
const FILE_HEADERS = {
  'Content-Security-Policy': "sandbox; default-src 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
};

/** The bytes of files: looked at, saved, uploaded. */
export function addContentRoutes(endpoints: Endpoints, parts: Parts): void {
  endpoints.add(
    {
      method: 'get',
      path: '/api/v1/files/content',
      summary: 'The bytes of a file. Text and png, jpeg, gif and webp are shown in place; all else is saved',
      access: 'caller',
      query: z.object({ root: rootName, path: filePath, download: flag }),
    },
    ({ caller, query, context }) => {
      const file = namespaceOf(parts, caller, query.root).workspace.open(query.path);
      const name = plainPath(query.path).split('/').at(-1) ?? 'file';
      const shownAs = isSet(query.download) ? undefined : sniff(file);
      const headers = {
        ...FILE_HEADERS,
        'Content-Length': String(file.stat.size),
        'Content-Type': shownAs ?? 'application/octet-stream',
        'Content-Disposition': disposition(shownAs === undefined ? 'attachment' : 'inline', name),
      };
      if (context.env.incoming.method === 'HEAD') {
        closeSync(file.fd);
        return new Response(null, { headers });
      }
      return new Response(bodyOf(file), { headers });
    },
  );
  const underWay = new Map<string, number>();
  endpoints.add(
    {
      method: 'put',
      path: '/api/v1/files/content',
      summary: 'Store a file: the body is its bytes. From a page, with the header X-Croft: 1',
      access: 'caller',
      query: z.object({ root: rootName, path: filePath, overwrite: flag }),
      answer: z.object({ path: z.string(), size: z.number(), undo: z.string().optional() }),
      status: 201,
    },
    async ({ caller, query, context }) => {
      const { incoming } = context.env;
      const namespace = namespaceOf(parts, caller, query.root);
      const maxBytes = refuseTooLarge(Number(incoming.headers['content-length'] ?? 0), parts, namespace.usedBytes);
      const done = countIn(underWay, caller.userId);
      const { socket } = incoming;
      socket.setTimeout(UPLOAD_SILENCE_MS);
      incoming.once('timeout', () => incoming.destroy());
      const outcome = await namespace.workspace
        .receive(query.path, incoming, {
          maxBytes,
          ...(!isSet(query.overwrite) && { expectedVersion: 'absent' }),
        })
        .catch((error: unknown) => {
          throw uploadProblem(error, query.path, maxBytes < MAX_UPLOAD_BYTES);
        })
        .finally(() => {
          socket.setTimeout(0);
          done();
        });
      const change = { who: whoIs(caller), tool: 'upload', paths: [query.path], changes: outcome.changes };
      const undo = recordChange(namespace, { ...change, bytes: outcome.bytesWritten });
      return { path: plainPath(query.path), size: outcome.bytesWritten, undo };
    },
  );
}

/** Counts an upload until what it gives is called. @throws Problem `too_many_uploads` */
function countIn(underWay: Map<string, number>, userId: string): () => void {
  const others = underWay.get(userId) ?? 0;
  if (others >= MAX_UPLOADS_OF_ONE)
    throw new Problem(429, 'too_many_uploads', 'Too many uploads at once. Wait until one is done.', {
      'Retry-After': '1',
    });
  underWay.set(userId, others + 1);
  return () => {
    const left = (underWay.get(userId) ?? 1) - 1;
    if (left === 0) underWay.delete(userId);
    else underWay.set(userId, left);
  };
}

/** How much may come. What says of itself that it is too large is not listened to. @throws Problem */
function refuseTooLarge(declared: number, parts: Parts, usedBytes: () => number): number {
  if (declared > MAX_UPLOAD_BYTES) throw tooLarge();
  const limit = parts.namespaces.limitBytes;
  if (limit === null) return MAX_UPLOAD_BYTES;
  // What it replaces is given back only when all is there, so the whole limit may come.
  if (declared > limit) throw overQuota(usedBytes(), limit);
  return Math.min(MAX_UPLOAD_BYTES, limit);
}

function uploadProblem(error: unknown, path: string, byQuota: boolean): unknown {
  if (!(error instanceof WorkspaceError)) {
    const { code } = (error ?? {}) as { code?: unknown };
    return code === 'ECONNRESET' || code === 'ABORT_ERR'
      ? new Problem(400, 'cancelled', 'The upload was broken off.')
      : error;
  }
  if (error.code === 'changed' || error.code === 'exists')
    return new Problem(409, 'exists', `There is a file at ${path} already. Send overwrite=1 to replace it.`);
  if (error.code === 'too_large')
    return byQuota
      ? new Problem(507, 'quota_exceeded', 'This is more than all your files together may be.')
      : tooLarge();
  return error;
}

function tooLarge(): Problem {
  return new Problem(413, 'too_large', `A file may have ${MAX_UPLOAD_BYTES / 1024 ** 3} GiB at most.`);
}

function overQuota(used: number, limit: number): Problem {
  return new Problem(507, 'quota_exceeded', `Quota exceeded: ${used} of ${limit} bytes are used. Delete files first.`);
}

/** What a browser may show in place, by what the file holds and not by its name. */
function sniff({ fd, stat }: OpenFile): string | undefined {
  const head = Buffer.alloc(Math.min(SNIFFED_BYTES, stat.size));
  const read = head.subarray(0, readSync(fd, head, 0, head.length, 0));
  const startsWith = (bytes: string, at = 0) =>
    read.subarray(at, at + bytes.length).equals(Buffer.from(bytes, 'latin1'));
  if (startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (startsWith('GIF87a') || startsWith('GIF89a')) return 'image/gif';
  if (startsWith('RIFF') && startsWith('WEBP', 8)) return 'image/webp';
  return isText(read, read.length < stat.size) ? 'text/plain; charset=utf-8' : undefined;
}

function isText(bytes: Buffer, isCut: boolean): boolean {
  if (bytes.includes(0)) return false;
  try {
    // A character may be cut at the end of what was looked at.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut });
    return true;
  } catch {
    return false;
  }
}

function bodyOf(file: OpenFile): ReadableStream {
  // From the descriptor that was opened inside, and no further than it was long then.
  const end = Math.max(0, file.stat.size - 1);
  if (file.stat.size === 0) {
    closeSync(file.fd);
    return new ReadableStream({ start: (controller) => controller.close() });
  }
  return Readable.toWeb(createReadStream('', { fd: file.fd, start: 0, end, autoClose: true })) as ReadableStream;
}

/** A file's name in a header: plain for old readers, whole for others. */
export function disposition(kind: 'inline' | 'attachment', name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  const plain = name.replace(/[\u0000-\u001f\u007f"\\]/g, '').replace(/[^\x20-\x7e]/g, '_') || 'file';
  const whole = encodeURIComponent(name).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${whole}`;
}
