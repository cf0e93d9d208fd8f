import { closeSync, createReadStream } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { pipeline, Readable, Transform } from 'node:stream';
import { type ChangeJournal, type OpenFile, WorkspaceError } from '@croft/workspace';
import { fileRoutes } from '../contract/file-routes.ts';
import { type ByteRange, entityTag, readRange } from '../files/byte-range.ts';
import { sniffMedia } from '../files/media-type.ts';
import { onRecord } from '../files/on-record.ts';
import { type Problem, problemBody } from '../problem.ts';
import { type FileRouteOptions, filesOf, plainPath } from './file-routes.ts';
import { keepConnection } from './read-json.ts';
import { problem, type RawHttp, type Route, route } from './route.ts';

/** One upload; more is for the disk itself. */
const MAX_UPLOAD_BYTES = 2 * 1024 * 1024 * 1024;
/**
 * Uploads of one person at once. What is under way is not in the quota yet, so without a bound it would be a way around
 * it; a browser has six connections to a server.
 */
const MAX_UPLOADS_OF_ONE = 8;
/** An upload of which nothing comes any longer is broken off. */
const UPLOAD_SILENCE_MS = 60_000;
const isSet = (value: string | undefined): boolean => value === '1' || value === 'true';

/** Files come from agents and strangers: whatever a browser makes of one, it has no script, no origin and no network. */
const FILE_HEADERS = {
  'Content-Security-Policy': "sandbox; default-src 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
};

/** Downloads and uploads. */
export function makeContentRoutes(options: FileRouteOptions): Route[] {
  return [
    route(fileRoutes.downloadFile, ({ caller, query, incoming, outgoing }) => {
      const file = filesOf(options, caller, query.root).workspace.open(query.path);
      return answerFile(file, query, { incoming, outgoing });
    }),
    makeUpload(options),
  ];
}

function makeUpload(options: FileRouteOptions): Route {
  const underWay = new Map<string, number>();
  return route(fileRoutes.uploadFile, async ({ caller, query, incoming }) => {
    const { workspace, namespaceOf } = filesOf(options, caller, query.root);
    const namespace = namespaceOf(query.path);
    const declared = Number(incoming.headers['content-length'] ?? 0);
    const maxBytes = await refuseTooLarge(declared, options.namespaces.limitBytes, namespace.usedBytes);
    const done = countIn(underWay, caller.userId);
    const { socket } = incoming;
    socket.setTimeout(UPLOAD_SILENCE_MS);
    incoming.once('timeout', () => incoming.destroy());
    const call = { caller, tool: 'upload', paths: [query.path] };
    const receive = (journal: ChangeJournal) =>
      workspace.receive(query.path, keepConnection(incoming), {
        maxBytes,
        permanent: isSet(query.permanent),
        journal,
        ...(!isSet(query.overwrite) && { expectedVersion: 'absent' }),
      });
    const { outcome, undo } = await onRecord(options, namespace, call, receive)
      .catch((error: unknown) => {
        throw uploadProblem(error, query.path, maxBytes < MAX_UPLOAD_BYTES);
      })
      .finally(() => {
        socket.setTimeout(0);
        done();
      });
    return { path: plainPath(query.path), size: outcome.bytesWritten, undo };
  });
}

/** A file, or the part of it that is asked for. The descriptor is closed with the answer, however that ends. */
function answerFile(
  file: OpenFile,
  { path, download }: { path: string; download?: string | undefined },
  { incoming, outgoing }: RawHttp,
): Response {
  const { method, headers: asked } = incoming;
  const size = file.stat.size;
  const media = sniffMedia(file);
  const isShown = !isSet(download) && media?.isInline === true;
  const etag = entityTag(file.stat);
  // A part of another state than the one there is a beginning of would make a broken whole.
  const isSameState = asked['if-range'] === undefined || asked['if-range'] === etag;
  const range = method === 'GET' && isSameState ? readRange(asked.range, size) : undefined;
  const headers = {
    ...FILE_HEADERS,
    'Accept-Ranges': 'bytes',
    ETag: etag,
    'Content-Type': isSet(download) ? 'application/octet-stream' : (media?.type ?? 'application/octet-stream'),
    'Content-Disposition': disposition(isShown ? 'inline' : 'attachment', plainPath(path).split('/').at(-1) ?? 'file'),
  };
  if (range === 'unsatisfiable') {
    closeSync(file.fd);
    const refusal = problem('range_not_satisfiable', `The file has ${size} bytes. Ask for bytes it has.`);
    return Response.json(problemBody(refusal), {
      status: 416,
      headers: { ...FILE_HEADERS, 'Accept-Ranges': 'bytes', 'Content-Range': `bytes */${size}` },
    });
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  const all = {
    ...headers,
    'Content-Length': String(end - start + 1),
    ...(range && { 'Content-Range': `bytes ${start}-${end}/${size}` }),
  };
  if (method === 'HEAD') {
    closeSync(file.fd);
    return new Response(null, { headers: all });
  }
  return new Response(bodyOf(file, { start, end }, outgoing), { status: range ? 206 : 200, headers: all });
}

/** Counts an upload until what it gives is called. @throws Problem `too_many_uploads` */
function countIn(underWay: Map<string, number>, userId: string): () => void {
  const others = underWay.get(userId) ?? 0;
  if (others >= MAX_UPLOADS_OF_ONE)
    throw problem('too_many_uploads', 'Too many uploads at once. Wait until one is done.', {
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
async function refuseTooLarge(
  declared: number,
  limit: number | null,
  usedBytes: () => Promise<number>,
): Promise<number> {
  if (declared > MAX_UPLOAD_BYTES) throw tooLarge();
  if (limit === null) return MAX_UPLOAD_BYTES;
  // What it replaces is given back only when all is there, so the whole limit may come.
  if (declared > limit) throw overQuota(await usedBytes(), limit);
  return Math.min(MAX_UPLOAD_BYTES, limit);
}

function uploadProblem(error: unknown, path: string, byQuota: boolean): unknown {
  if (!(error instanceof WorkspaceError)) {
    const { code } = (error ?? {}) as { code?: unknown };
    return code === 'ECONNRESET' || code === 'ABORT_ERR' ? problem('cancelled', 'The upload was broken off.') : error;
  }
  if (error.code === 'changed' || error.code === 'exists')
    return problem('exists', `There is a file at ${path} already. Send overwrite=1 to replace it.`);
  if (error.code === 'too_large')
    return byQuota ? problem('quota_exceeded', 'This is more than all your files together may be.') : tooLarge();
  return error;
}

function tooLarge(): Problem {
  return problem('too_large', `A file may have ${MAX_UPLOAD_BYTES / 1024 ** 3} GiB at most.`);
}

function overQuota(used: number, limit: number): Problem {
  return problem('quota_exceeded', `Quota exceeded: ${used} of ${limit} bytes are used. Delete files first.`);
}

/** From the descriptor that was opened inside, and no further than it was long then. */
function bodyOf(file: OpenFile, { start, end }: ByteRange, outgoing: ServerResponse): ReadableStream {
  if (end < start) {
    closeSync(file.fd);
    return new ReadableStream({ start: (controller) => controller.close() });
  }
  const bytes = createReadStream('', { fd: file.fd, start, end, autoClose: true });
  // Whichever of the two ends first, the other ends with it; who reads is told by the stream itself.
  const whole = pipeline(bytes, breakOffBelow(end - start + 1, outgoing), () => undefined);
  return Readable.toWeb(whole) as ReadableStream;
}

/**
 * Breaks the connection off where fewer bytes came: the file became shorter meanwhile. Its length is said by then, and the
 * next answer on the same connection would be taken for the rest of it.
 */
function breakOffBelow(promisedBytes: number, outgoing: ServerResponse): Transform {
  let leftBytes = promisedBytes;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      leftBytes -= chunk.length;
      done(null, chunk);
    },
    flush(done) {
      if (leftBytes > 0) outgoing.destroy();
      done();
    },
  });
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
