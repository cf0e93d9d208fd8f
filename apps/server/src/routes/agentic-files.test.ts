import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WorkspaceError } from '@croft/workspace';
import { expect, it } from 'vitest';
import { routeCaller } from '../../../../tests/support/route-caller.ts';
import { useWorkspace } from '../../../../tests/support/use-workspace.ts';
import { makeAgenticFileRoute } from './agentic-files.ts';

const { dir, workspace } = useWorkspace();
for (const [name, content] of Object.entries({
  'a.txt': 'hello',
  'Größe x.txt': 'g',
  'b.bin': 'a\0b',
  '.env': 'KEY=canary',
}))
  writeFileSync(join(dir, name), content);

/** Reads a path; `hasFiles`: whether the user has written anything yet. */
function read(
  query: string,
  { hasFiles = true, autoLogin = false, failure }: { hasFiles?: boolean; autoLogin?: boolean; failure?: Error } = {},
) {
  const opened: string[] = [];
  const ask = routeCaller([
    makeAgenticFileRoute({
      files: {
        open: (userId: string) => {
          opened.push(userId);
          if (failure) throw failure;
          return { workspace } as never;
        },
      },
      log: { debug: () => {} } as never,
      namespaces: { existingMineOf: () => (hasFiles ? ({} as never) : undefined) },
      settings: { autoLogin },
    }),
  ]);
  return ask(`GET /api/v1/agentic/files?${query}`).then((answer) => ({ ...answer, opened }));
}

it('reads a file of the caller as text, which no browser runs', async () => {
  const { status, text, headers, opened } = await read('path=a.txt');
  expect([status, text, opened]).toEqual([200, 'hello', ['ann']]);
  expect([headers.get('content-type'), headers.get('x-content-type-options'), headers.get('cache-control')]).toEqual([
    'text/plain; charset=utf-8',
    'nosniff',
    'no-store',
  ]);
  expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
});

it('gives a file to download under a plain name', async () => {
  const { headers } = await read(`path=${encodeURIComponent('Größe x.txt')}&download=TRUE`);
  expect(headers.get('content-type')).toBe('application/octet-stream');
  expect(headers.get('content-disposition')).toBe('attachment; filename="Gre x.txt"');
  expect((await read('path=a.txt&download=0')).headers.get('content-disposition')).toBeNull();
});

it('refuses paths that lead out, and other texts', async () => {
  for (const path of [
    '',
    '/etc/passwd',
    '\\\\host\\x',
    'C:/x',
    '../a.txt',
    'dir/../../a',
    'dir\\..\\a',
    'a\0b',
    'x'.repeat(1_025),
  ]) {
    const { status, body, opened } = await read(`path=${encodeURIComponent(path)}`);
    expect([path, status, body?.detail, opened]).toEqual([path, 400, 'Invalid path', []]);
  }
});

it('says the same for a file that may not be read and a missing one', async () => {
  const [secret, missing] = [await read('path=.env'), await read('path=none.txt')];
  expect([secret.status, secret.body]).toEqual([404, missing.body]);
  expect(missing.body).toEqual({ detail: 'Not found', error: { code: 'not_found', message: 'Not found' } });
  expect(missing.headers.get('x-content-type-options')).toBe('nosniff');
});

it('makes no directory for a user who has none yet', async () => {
  const { status, opened } = await read('path=a.txt', { hasFiles: false });
  expect([status, opened]).toEqual([404, []]);
  expect((await read('path=a.txt', { hasFiles: false, autoLogin: true })).status).toBe(200);
});

it('gives no bytes that are not text, and no file that is too large', async () => {
  expect((await read('path=b.bin')).status).toBe(415);
  const large = await read('path=a.txt', { failure: new WorkspaceError('too_large', 'x') });
  expect([large.status, large.body.detail]).toEqual([413, 'File too large']);
});

it('says where the files cannot be opened', async () => {
  expect((await read('path=a.txt', { failure: new WorkspaceError('unavailable', 'x') })).status).toBe(503);
});

it('gives every refusal its status, code and message, and the headers of a file', async () => {
  const refusal = async (...given: Parameters<typeof read>) => {
    const { status, body, headers } = await read(...given);
    expect([headers.get('content-security-policy'), headers.get('cache-control')]).toEqual([
      "sandbox; default-src 'none'",
      'no-store',
    ]);
    return [status, body];
  };
  const answer = (status: number, code: string, message: string) => [
    status,
    { detail: message, error: { code, message } },
  ];
  expect(await refusal('')).toEqual(answer(400, 'invalid', 'Invalid path'));
  expect(await refusal('path=b.bin')).toEqual(answer(415, 'binary', 'Binary content not supported'));
  expect(await refusal('path=a.txt', { hasFiles: false })).toEqual(answer(404, 'not_found', 'Not found'));
  const failure = new WorkspaceError('too_large', 'x');
  expect(await refusal('path=a.txt', { failure })).toEqual(answer(413, 'too_large', 'File too large'));
});

it('looks for a NUL in the first 8,192 bytes', async () => {
  writeFileSync(join(dir, 'late.txt'), `${'x'.repeat(8_192)}\0`);
  expect((await read('path=late.txt')).status).toBe(200);
  writeFileSync(join(dir, 'early.txt'), `${'x'.repeat(8_191)}\0`);
  expect((await read('path=early.txt')).status).toBe(415);
});

it('downloads with any spelling of true or with 1, under the last name of the path', async () => {
  mkdirSync(join(dir, 'inner'));
  writeFileSync(join(dir, 'inner/ä b.txt'), 'x');
  writeFileSync(join(dir, 'ö'), 'x');
  const disposition = async (path: string, download: string) =>
    (await read(`path=${encodeURIComponent(path)}&download=${download}`)).headers.get('content-disposition');
  expect(await disposition('inner/ä b.txt', '1')).toBe('attachment; filename=" b.txt"');
  expect(await disposition('ö', 'true')).toBe('attachment; filename="download"');
  expect(await disposition('a.txt', 'truest')).toBeNull();
});

it('takes a path of 1,024 characters and names that look like `..`', async () => {
  for (const path of ['x'.repeat(1_024), '..a', 'a..', 'cc:x'])
    expect([path, (await read(`path=${encodeURIComponent(path)}`)).status]).toEqual([path, 404]);
});

it('fails with other errors', async () => {
  expect((await read('path=a.txt', { failure: new Error('broken') })).status).toBe(500);
});
