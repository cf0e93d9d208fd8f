import { closeSync, createReadStream } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { pipeline, Readable, Transform } from 'node:stream';
import { type ChangeJournal, type OpenFile, type Workspace, WorkspaceError } from '@croft/workspace';
import { fileRoutes } from '../contract/file-routes.ts';
import { type ByteRange, entityTag, readRange } from '../files/byte-range.ts';
import type { CallerFiles } from '../files/caller-files.ts';
import { sniffMedia } from '../files/media-type.ts';
import { refuseNewNames } from '../files/new-name.ts';
import { isSame, type Namespace } from '../files/namespaces.ts';
import { actorOf } from '../files/actor-of.ts';
import { onRecord } from '../files/on-record.ts';
import { type Problem, problemBody } from '../problem.ts';
import { type FileRouteOptions, filesOf, plainPath } from './file-routes.ts';
import { keepConnection } from './read-json.ts';
import { problem, type RawHttp, type Route, route } from './route.ts';

/** Limit of one upload. Larger files have to be copied to the disk directly. */
const MAX_UPLOAD_BYTES = 2 * 1024 * 1024 * 1024;
/**
 * Simultaneous uploads of one user. Bytes of a running upload do not count toward the quota yet, so unlimited uploads
 * would bypass it. A browser opens six connections to a server.
 */
const MAX_UPLOADS_OF_ONE = 8;
/** An upload without data for this long is aborted. */
const UPLOAD_SILENCE_MS = 60_000;
const TOOL = { editor: 'edit_file', template: 'template' } as const;
const isSet = (value: string | undefined): boolean => value === '1' || value === 'true';

/** Files come from agents and strangers. A browser that renders one gives it no scripts, no origin and no network. */
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
    refuseNewNames(workspace, query.path);
    const namespace = namespaceOf(query.path);
    const declared = Number(incoming.headers['content-length'] ?? 0);
    const maxBytes = await refuseTooLarge(declared, options.namespaces.limitBytes, namespace.usedBytes);
    const tag = incoming.headers['if-match'];
    const expectedVersion = tag === undefined ? undefined : versionWithTag(workspace, query.path, tag);
    // From here on nothing throws before the upload that ends the count.
    const done = countIn(underWay, caller.userId);
    const { socket } = incoming;
    socket.setTimeout(UPLOAD_SILENCE_MS);
    incoming.once('timeout', () => incoming.destroy());
    const tool = query.by === undefined ? 'upload' : TOOL[query.by];
    const call = { actor: actorOf(caller), tool, paths: [query.path] };
    const receive = (journal: ChangeJournal) =>
      workspace.receive(query.path, keepConnection(incoming), {
        maxBytes,
        beforePlacing: () => requireSameFiles(filesOf(options, caller, query.root), namespace, query.path),
        permanent: isSet(query.permanent),
        journal,
        ...(expectedVersion !== undefined && { expectedVersion }),
        ...(tag === undefined && !isSet(query.overwrite) && { expectedVersion: 'absent' }),
      });
    const { outcome, undo } = await onRecord(options, namespace, call, receive)
      .catch((error: unknown) => {
        if (tag !== undefined && error instanceof WorkspaceError && error.code === 'changed') throw changedSince();
        throw uploadProblem(error, query.path, maxBytes < MAX_UPLOAD_BYTES);
      })
      .finally(() => {
        socket.setTimeout(0);
        done();
      });
    return { path: plainPath(query.path), size: outcome.bytesWritten, undo };
  });
}

/** The version of the file whose `ETag` a client read. @throws Problem `changed`; WorkspaceError if the file is missing */
function versionWithTag(workspace: Workspace, path: string, tag: string): string {
  const { version } = workspace.info(path);
  const { fd, stat } = workspace.open(path);
  closeSync(fd);
  if (entityTag(stat) !== tag) throw changedSince();
  return version;
}

const changedSince = () => problem('changed', 'The file was changed since it was read.');

/**
 * Checks that a path still leads into the namespace that an upload began in, and that the caller may still write there: an admin
 * may switch the shared folder off, or to read-only, meanwhile.
 *
 * @throws WorkspaceError `read_only`; Problem `changed`
 */
function requireSameFiles(now: CallerFiles, begun: Namespace, path: string): void {
  const namespace = now.namespaceOf(path);
  if (!isSame(namespace.identity, begun.identity))
    throw problem('changed', 'The folders were changed during the upload. Nothing was kept.');
  if (now.mounts.some((mount) => mount.namespace === namespace && mount.readOnly))
    throw new WorkspaceError('read_only', `${namespace.root}/ is read-only`);
}

/** Sends a file or the requested range of it. Closes the descriptor with the response, however that ends. */
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
  // The client holds a part of another state of the file: a range of this state would corrupt its copy.
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
    const refusal = problem('range_not_satisfiable', `The file has ${size} bytes. Request a range within it.`);
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

/** Counts an upload until the returned function is called. @throws Problem `too_many_uploads` */
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

/** Returns how many bytes may come. Refuses a declared length over the limit before reading. @throws Problem */
async function refuseTooLarge(
  declared: number,
  limit: number | null,
  usedBytes: () => Promise<number>,
): Promise<number> {
  if (declared > MAX_UPLOAD_BYTES) throw tooLarge();
  if (limit === null) return MAX_UPLOAD_BYTES;
  // A file that the upload replaces still counts as used, so only the whole quota limits the declared length.
  if (declared > limit) throw overQuota(await usedBytes(), limit);
  return Math.min(MAX_UPLOAD_BYTES, limit);
}

function uploadProblem(error: unknown, path: string, byQuota: boolean): unknown {
  if (!(error instanceof WorkspaceError)) {
    const { code } = (error ?? {}) as { code?: unknown };
    return code === 'ECONNRESET' || code === 'ABORT_ERR'
      ? problem('cancelled', 'The upload was interrupted. Send the file again.')
      : error;
  }
  if (error.code === 'changed' || error.code === 'exists')
    return problem('exists', `There is a file at ${path} already. Send overwrite=1 to replace it.`);
  if (error.code === 'too_large')
    return byQuota
      ? problem('quota_exceeded', 'The file is larger than the limit of all your files together.')
      : tooLarge();
  return error;
}

function tooLarge(): Problem {
  return problem('too_large', `A file may have ${MAX_UPLOAD_BYTES / 1024 ** 3} GiB at most.`);
}

function overQuota(used: number, limit: number): Problem {
  return problem('quota_exceeded', `Quota exceeded: ${used} of ${limit} bytes are used. Delete files first.`);
}

/** Streams from the descriptor that was opened in the workspace, up to the length that the file had then. */
function bodyOf(file: OpenFile, { start, end }: ByteRange, outgoing: ServerResponse): ReadableStream {
  if (end < start) {
    closeSync(file.fd);
    return new ReadableStream({ start: (controller) => controller.close() });
  }
  const bytes = createReadStream('', { fd: file.fd, start, end, autoClose: true });
  // `pipeline` destroys each stream when the other fails; the reader gets the error from the stream.
  const whole = pipeline(bytes, breakOffBelow(end - start + 1, outgoing), () => undefined);
  return Readable.toWeb(whole) as ReadableStream;
}

/**
 * Aborts the connection if the file became shorter while it was sent. The client already has its length, and would take
 * the next response on the connection for the rest of the file.
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

/** A file's name for Content-Disposition (RFC 6266): in ASCII for old clients, complete for others. */
export function disposition(kind: 'inline' | 'attachment', name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  const plain = name.replace(/[\u0000-\u001f\u007f"\\]/g, '').replace(/[^\x20-\x7e]/g, '_') || 'file';
  const whole = encodeURIComponent(name).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${whole}`;
}
