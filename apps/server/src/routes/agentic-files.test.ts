import { writeFileSync } from 'node:fs';
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
