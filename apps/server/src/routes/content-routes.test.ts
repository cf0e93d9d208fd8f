import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openActivity } from '@croft/tools';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { routeCaller } from '../../../../tests/support/route-caller.ts';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { createCallerFiles } from '../files/caller-files.ts';
import { createNamespaces, type Namespaces } from '../files/namespaces.ts';
import { disposition, makeContentRoutes } from './content-routes.ts';

let base: string;
let root: string;
let namespaces: Namespaces;
const open = (quotaBytes?: number) => {
  namespaces?.close();
  namespaces = createNamespaces({ baseDir: base, quotaBytes, trashBytes: undefined, onChange: () => {} });
  root = namespaces.shared().workspace.root;
};
beforeEach(() => {
  base = testDir();
  open();
});
afterEach(() => namespaces.close());

const log = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} };
function call(target: string, ask: object = {}) {
  const files = createCallerFiles({
    autoLogin: true,
    namespaces,
    sharedMount: { mode: () => 'off', set: () => {} },
    log,
  } as never);
  const routes = makeContentRoutes({ files, log, namespaces, settings: { autoLogin: true } } as never);
  return routeCaller(routes, { checksResponses: false })(target, ask);
}
const CONTENT = '/api/v1/files/content';
const get = (path: string, more = '', headers = {}, method = 'GET') =>
  call(`${method} ${CONTENT}?path=${encodeURIComponent(path)}${more}`, { headers });
const put = (path: string, body: string, more = '', headers = {}) =>
  call(`PUT ${CONTENT}?path=${encodeURIComponent(path)}${more}`, {
    body,
    headers: { 'x-croft': '1', 'content-length': String(Buffer.byteLength(body)), ...headers },
  });
const keep = (name: string, text: string | Buffer) => writeFileSync(join(root, name), text);
const content = (name: string) => readFileSync(join(root, name), 'utf8');
const head = (headers: Headers, ...names: string[]) => names.map((name) => headers.get(name));

describe('a download', () => {
  it('gives a file without rights in the browser', async () => {
    keep('a.txt', 'hello');
    const { status, text, headers } = await get('a.txt');
    expect([status, text]).toEqual([200, 'hello']);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'accept-ranges': 'bytes',
      'content-length': '5',
      'content-disposition': 'inline; filename="a.txt"; filename*=UTF-8\'\'a.txt',
      'content-type': expect.stringMatching(/^text\/plain/) as string,
      etag: expect.stringMatching(/^"?.+"?$/) as string,
    });
    expect(headers.get('content-range')).toBeNull();
  });

  it('saves a file that a browser must not show, and any file with download=1', async () => {
    keep('a.bin', Buffer.from([0, 1, 2, 255]));
    keep('a.txt', 'hello');
    for (const flag of ['1', 'true']) {
      const { headers } = await get('a.txt', `&download=${flag}`);
      expect(head(headers, 'content-type', 'content-disposition')).toEqual([
        'application/octet-stream',
        'attachment; filename="a.txt"; filename*=UTF-8\'\'a.txt',
      ]);
    }
    expect((await get('a.txt', '&download=0')).headers.get('content-disposition')).toMatch(/^inline/);
    expect(head((await get('a.bin')).headers, 'content-type', 'content-disposition')).toEqual([
      'application/octet-stream',
      expect.stringMatching(/^attachment; filename="a\.bin"/),
    ]);
  });

  it('gives a range of the file, unless the client holds a part of another state', async () => {
    keep('a.txt', '0123456789');
    const part = await get('a.txt', '', { range: 'bytes=2-4' });
    expect([part.status, part.text, ...head(part.headers, 'content-range', 'content-length')]).toEqual([
      206,
      '234',
      'bytes 2-4/10',
      '3',
    ]);
    const etag = part.headers.get('etag') as string;
    expect((await get('a.txt', '', { range: 'bytes=2-4', 'if-range': etag })).text).toBe('234');
    expect(await get('a.txt', '', { range: 'bytes=2-4', 'if-range': '"other"' })).toMatchObject({
      status: 200,
      text: '0123456789',
    });
  });

  it('refuses a range behind the end', async () => {
    keep('a.txt', '0123456789');
    const { status, headers, text } = await get('a.txt', '', { range: 'bytes=10-' });
    expect([status, headers.get('content-range'), headers.get('content-security-policy')]).toEqual([
      416,
      'bytes */10',
      "sandbox; default-src 'none'",
    ]);
    expect(JSON.parse(text).error).toEqual({
      code: 'range_not_satisfiable',
      message: 'The file has 10 bytes. Request a range within it.',
    });
  });

  it('answers HEAD without the bytes, and an empty file', async () => {
    keep('a.txt', '0123456789');
    const { status, text, headers } = await get('a.txt', '', { range: 'bytes=2-4' }, 'HEAD');
    expect([status, text, headers.get('content-length')]).toEqual([200, '', '10']);
    keep('empty.txt', '');
    const empty = await get('empty.txt');
    expect([empty.status, empty.text, empty.headers.get('content-length')]).toEqual([200, '', '0']);
  });

  it('needs a file of the tree', async () => {
    expect((await get('none.txt')).status).toBe(404);
    expect((await get('../x')).status).toBeGreaterThanOrEqual(400);
    keep('a.txt', 'x');
    expect((await get('a.txt', '&root=mine')).body.error.message).toMatch(/^There is one tree now\. Leave root out;/);
    expect((await get('a.txt', '&root=shared')).status).toBe(200);
  });
});

describe('an upload', () => {
  const logged = () => {
    const activity = openActivity(base, root);
    const tools = activity.entries().map(({ tool, outcome }) => `${tool} ${outcome}`);
    activity.close();
    return tools;
  };

  it('stores a new file and records what did it', async () => {
    const { status, body } = await put('a.txt', 'hello');
    expect([status, body]).toEqual([201, { path: 'a.txt', size: 5, undo: expect.any(String) as string }]);
    await put('b.txt', 'x', '&by=editor');
    await put('c.txt', 'x', '&by=template');
    expect([content('a.txt'), readdirSync(root)]).toEqual(['hello', ['a.txt', 'b.txt', 'c.txt']]);
    expect(logged()).toEqual(['upload ok', 'edit_file ok', 'template ok']);
  });

  it('replaces a file only with overwrite=1', async () => {
    keep('a.txt', 'old');
    expect(await put('a.txt', 'new')).toMatchObject({
      body: {
        error: { code: 'exists', message: 'There is a file at a.txt already. Send overwrite=1 to replace it.' },
      },
    });
    expect(content('a.txt')).toBe('old');
    expect((await put('a.txt', 'new', '&overwrite=1')).body.undo).toEqual(expect.any(String));
    expect(content('a.txt')).toBe('new');
    expect((await put('a.txt', 'newer', '&overwrite=true')).status).toBe(201);
    expect(content('a.txt')).toBe('newer');
  });

  it('replaces the state that was read, and no other', async () => {
    keep('a.txt', 'old');
    const etag = (await get('a.txt')).headers.get('etag') as string;
    expect((await put('a.txt', 'new', '', { 'if-match': etag })).status).toBe(201);
    expect((await put('a.txt', 'late', '', { 'if-match': etag })).body.error).toEqual({
      code: 'changed',
      message: 'The file was changed since it was read.',
    });
    expect(content('a.txt')).toBe('new');
    expect((await put('none.txt', 'x', '', { 'if-match': etag })).status).toBe(404);
  });

  it('is refused before it is read where it is too large', async () => {
    open(10);
    keep('used.txt', '1234');
    expect((await put('a.txt', 'x', '', { 'content-length': '11' })).body.error).toEqual({
      code: 'quota_exceeded',
      message: 'Quota exceeded: 4 of 10 bytes are used. Delete files first.',
    });
    open();
    const limit = 2 * 1024 ** 3;
    expect((await put('a.txt', 'x', '', { 'content-length': String(limit + 1) })).body.error).toEqual({
      code: 'too_large',
      message: 'A file may have 2 GiB at most.',
    });
    expect(existsSync(join(root, 'a.txt'))).toBe(false);
  });

  it('is refused where it turns out to be larger than it said', async () => {
    open(10);
    const { body } = await put('a.txt', 'x'.repeat(11), '', { 'content-length': '5' });
    expect(body.error).toEqual({
      code: 'quota_exceeded',
      message: 'The file is larger than the limit of all your files together.',
    });
    expect(readdirSync(root)).toEqual([]);
  });

  it('is one of at most eight of a user', async () => {
    const all = await Promise.all(Array.from({ length: 9 }, (_, at) => put(`${at}.txt`, 'x')));
    expect(all.map(({ status }) => status).filter((status) => status !== 201)).toEqual([]);
    expect((await put('later.txt', 'x')).status).toBe(201);
  });

  it('does not make names that other systems do not know', async () => {
    expect((await put('a:b?.txt', 'x')).status).toBeGreaterThanOrEqual(400);
    expect(readdirSync(root)).toEqual([]);
  });
});

describe('the name of a download', () => {
  it('is whole for new clients, and ASCII without quotes for old ones', () => {
    expect(disposition('inline', 'a b.txt')).toBe('inline; filename="a b.txt"; filename*=UTF-8\'\'a%20b.txt');
    expect(disposition('attachment', 'ü"\\\n.txt')).toBe(
      'attachment; filename="_.txt"; filename*=UTF-8\'\'%C3%BC%22%5C%0A.txt',
    );
    expect(disposition('inline', '"')).toBe('inline; filename="file"; filename*=UTF-8\'\'%22');
    expect(disposition('inline', "(*')~\u007f")).toBe("inline; filename=\"(*')~\"; filename*=UTF-8''%28%2A%27%29~%7F");
  });
});
