import { WorkspaceError } from '@croft/workspace';
import { fileRoutes } from '../contract/file-routes.ts';
import type { Settings } from '../config/settings.ts';
import type { FilesOfCallers } from '../files/caller-files.ts';
import type { Namespaces } from '../files/namespaces.ts';
import type { Log } from '../log.ts';
import { type Route, route } from './route.ts';

const MAX_PATH_CHARS = 1_024;
const SNIFFED_BYTES = 8_192;
const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "sandbox; default-src 'none'",
  'Cache-Control': 'no-store',
};

export interface AgenticFileOptions {
  readonly files: Pick<FilesOfCallers, 'open'>;
  readonly log: Log;
  readonly namespaces: Pick<Namespaces, 'existingMineOf'>;
  readonly settings: Pick<Settings, 'autoLogin'>;
}

/**
 * The reading endpoint of the assistant's contract: the files that its tools see, which are the caller's tree. A path that
 * may not be read and a missing one get the same answer. Errors carry the contract's `detail` beside `error`.
 */
export function makeAgenticFileRoute({ files, log, namespaces, settings }: AgenticFileOptions): Route {
  return route(fileRoutes.readAgenticFile, async ({ caller, context }) => {
    const path = context.req.query('path') ?? '';
    if (!isPlainPath(path)) return refusal(400, 'invalid', 'Invalid path');
    log.debug({ path }, 'a file is read');
    let bytes: Buffer;
    try {
      // Reading makes no directory for a user who has none yet.
      if (!settings.autoLogin && namespaces.existingMineOf(caller.userId) === undefined)
        return refusal(404, 'not_found', 'Not found');
      ({ bytes } = await files.open(caller.userId).workspace.readBytes(path));
    } catch (error) {
      if (!(error instanceof WorkspaceError) || error.code === 'unavailable') throw error;
      return error.code === 'too_large'
        ? refusal(413, 'too_large', 'File too large')
        : refusal(404, 'not_found', 'Not found');
    }
    if (bytes.subarray(0, SNIFFED_BYTES).includes(0)) return refusal(415, 'binary', 'Binary content not supported');
    const isDownload = /^(true|1)$/i.test(context.req.query('download') ?? '');
    const shown = isDownload
      ? {
          'Content-Type': 'application/octet-stream',
          'Content-Disposition': `attachment; filename="${plainName(path)}"`,
        }
      : { 'Content-Type': 'text/plain; charset=utf-8' };
    return new Response(new Uint8Array(bytes), { headers: { ...HEADERS, ...shown } });
  });
}

function isPlainPath(path: string): boolean {
  if (path === '' || path.length > MAX_PATH_CHARS || path.includes('\0')) return false;
  if (/^[/\\]/.test(path) || /^[a-z]:/i.test(path)) return false;
  return !path.replaceAll('\\', '/').split('/').includes('..');
}

function refusal(status: number, code: string, message: string): Response {
  return Response.json({ detail: message, error: { code, message } }, { status, headers: HEADERS });
}

function plainName(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.replace(/[^\x20-\x7e]/g, '').replace(/["\\]/g, '') || 'download';
}
