import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileDir } from '../../../../tests/support/temp-dir.ts';
import { createDirectoryPicker, type DirectoryChoice } from './directory-picker.ts';
import { createLocalAccess } from './local-access.ts';
import { startTestServer, type TestServer, type Visitor } from '../testing.ts';

let server: TestServer;
let page: Visitor;
const dir = fileDir();

beforeAll(async () => {
  for (const name of ['work/garden/beds', 'work/.ssh', 'work/.config']) mkdirSync(join(dir, name), { recursive: true });
  writeFileSync(join(dir, 'work/notes.txt'), 'text');
  symlinkSync('/etc', join(dir, 'work/elsewhere'));
  server = await startTestServer({ autoLogin: true, trustedProxies: ['127.0.0.1'] }, { isContainer: false });
  await server.running.ready;
  page = await server.openPage();
});
afterAll(() => server?.stop());

const begin = (by: Visitor = page, headers = {}) =>
  by.json<{ picking: string }>('/api/v1/local-access/picking', { method: 'POST', json: {}, headers });
const list = (picking: string, path?: string, by: Visitor = page, headers = {}) =>
  by.json<DirectoryChoice & { error?: { code: string; message: string } }>('/api/v1/local-access/directories', {
    method: 'POST',
    json: { picking, ...(path !== undefined && { path }) },
    headers,
  });
const choose = (directory: string | null) => page.json('/api/v1/local-access', { method: 'PUT', json: { directory } });
const ownToken = () => readFileSync(join(server.baseDir, 'mcp-token'), 'utf8').trim();

describe('picking a directory of the server’s own machine', () => {
  it('shows names of directories and nothing else, protected ones left out', async () => {
    const { picking } = (await begin()).body;
    expect(await list(picking, join(dir, 'work'))).toMatchObject({
      status: 200,
      body: { path: join(dir, 'work'), parent: dir, directories: ['.config', 'garden'], truncated: false },
    });
    expect((await list(picking, `${dir}/work/garden/../garden/`)).body).toMatchObject({
      path: join(dir, 'work/garden'),
      directories: ['beds'],
    });
    const home = (await list(picking)).body;
    expect(home.path).toBe(homedir());
    expect((await list(picking, '/')).body).toMatchObject({ path: '/', parent: null });
    expect(JSON.stringify((await list(picking, join(server.baseDir, '..'))).body.directories)).not.toContain(
      server.baseDir.split('/').at(-1),
    );
  });

  it('says the same of a file, of what is not there, and of what may not be seen', async () => {
    const { picking } = (await begin()).body;
    for (const path of ['work/notes.txt', 'work/none', 'work/.ssh', 'work/gar\0den'].map((name) => join(dir, name))) {
      const { status, body } = await list(picking, path);
      expect([path, status, body.error?.message]).toEqual([
        path,
        400,
        'There is no such directory, or it cannot be read.',
      ]);
    }
    expect((await list(picking, 'work')).body.error?.message).toContain('Give the whole path');
    expect((await list(picking, server.baseDir)).status).toBe(400);
  });

  it('is shown only while a directory is picked, to the page that began last', async () => {
    const first = (await begin()).body.picking;
    const { picking } = (await begin()).body;
    for (const wrong of [first, 'x', picking.slice(1)])
      expect(await list(wrong, dir)).toMatchObject({ status: 409, body: { error: { code: 'not_picking' } } });
    expect((await choose(join(dir, 'work'))).body).toMatchObject({ state: 'on' });
    // It is on: there is nothing to pick.
    expect((await list(picking, dir)).status).toBe(409);
    expect((await begin()).status).toBe(409);
    await choose(null);
    expect(await list(picking, dir)).toMatchObject({ status: 409, body: { error: { code: 'not_picking' } } });
  });

  it('ends after ten minutes', () => {
    let now = 0;
    const picker = createDirectoryPicker(server.baseDir, () => now);
    const picking = picker.begin();
    now = 600_000;
    expect(picker.list(picking, dir).path).toBe(dir);
    now += 1;
    expect(() => picker.list(picking, dir)).toThrow('Start again');
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another port', { origin: 'http://127.0.0.1:1' }],
    ['an unknown origin', { origin: undefined, 'sec-fetch-site': undefined }],
    ['a form', { 'content-type': 'text/plain' }],
  ])('is not shown to a page of %s', async (_, headers) => {
    const { picking } = (await begin()).body;
    for (const { status, body } of [await begin(page, headers), await list(picking, dir, page, headers)]) {
      expect(status).toBe(403);
      expect(JSON.stringify(body)).not.toContain('work');
    }
  });

  it('is not shown to an API key, the machine’s own included, or to an anonymous caller', async () => {
    const { picking } = (await begin()).body;
    const made = await page.json<{ secret: string }>('/api/v1/keys', { method: 'POST', json: { name: 'k' } });
    for (const [who, expected] of [
      [server.withKey(made.body.secret), 403],
      [server.withKey(ownToken()), 403],
      [server.stranger, 401],
    ] as const) {
      expect((await begin(who)).status).toBe(expected);
      expect((await list(picking, dir, who)).status).toBe(expected);
    }
  });

  it('is not shown through a proxy to a client elsewhere', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.7' };
    expect((await begin(page, headers)).status).toBe(403);
    expect((await list((await begin()).body.picking, dir, page, headers)).status).toBe(403);
  });

  it.each([
    { 'x-forwarded-for': '127.0.0.1' },
    { forwarded: 'for=198.51.100.7' },
    { 'x-real-ip': '198.51.100.7' },
    { via: '1.1 tunnel' },
    { 'cf-connecting-ip': '198.51.100.7' },
    { 'x-forwarded-host': '127.0.0.1' },
  ])('is not shown through a proxy of this machine that is not configured: %j', async (headers) => {
    const { picking } = (await begin()).body;
    expect((await begin(page, headers)).status).toBe(403);
    expect((await list(picking, dir, page, headers)).status).toBe(403);
  });

  it('is not shown where others reach the server', async () => {
    const open = await startTestServer(
      { autoLogin: true, publicUrl: 'https://croft.example/' },
      { isContainer: false, allowOpenAutoLogin: true },
    );
    try {
      await open.running.ready;
      const visitor = await open.openPage();
      expect((await begin(visitor)).status).toBe(403);
      expect((await list('x', dir, visitor)).status).toBe(403);
    } finally {
      await open.stop();
    }
  });

  it.each([
    ['in a container', {}, true, 'off'],
    ['where people sign in', { autoLogin: false }, false, 'off'],
    ['where the operator fixed it', { filesystemPath: tmpdir() }, false, 'on'],
  ] as const)('is nothing to set up %s', (_, settings, isContainer, state) => {
    const access = createLocalAccess(
      { baseDir: server.baseDir, autoLogin: true, filesystemPath: undefined, ...settings },
      isContainer,
    );
    expect(access.state()).toMatchObject({ state, canChange: false });
    expect(() => access.choose(dir)).toThrow();
    access.close();
  });
});
