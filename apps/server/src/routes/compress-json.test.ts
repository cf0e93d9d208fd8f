import { get, type IncomingHttpHeaders } from 'node:http';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fileDir } from '../../../../tests/support/temp-dir.ts';
import { startTestServer, type TestServer, type Visitor } from '../testing.ts';

const SCRIPT = `export const text = '${'croft '.repeat(1_000)}';`;
const studioDir = fileDir();
let server: TestServer;
let page: Visitor;
let cookie: string;

beforeAll(async () => {
  mkdirSync(join(studioDir, 'assets'));
  writeFileSync(join(studioDir, 'index.html'), '<html><head></head></html>');
  for (const name of ['both', 'none']) writeFileSync(join(studioDir, `assets/${name}-AbC12_xy.js`), SCRIPT);
  writeFileSync(join(studioDir, 'assets/both-AbC12_xy.js.br'), brotliCompressSync(SCRIPT));
  writeFileSync(join(studioDir, 'assets/both-AbC12_xy.js.gz'), gzipSync(SCRIPT));
  server = await startTestServer({ autoLogin: true }, { studioDir });
  await server.running.ready;
  page = await server.openPage();
  ({ cookie = '' } = page);
});
afterAll(() => server?.stop());

/** A request without the decompression of `fetch`. */
function request(path: string, headers: Record<string, string>) {
  return new Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
    get(`${server.url}${path}`, { headers: { cookie, ...headers } }, (res) => {
      const done = (parts: readonly Buffer[]) =>
        resolve({ status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(parts) });
      if (res.headers['content-type']?.startsWith('text/event-stream')) {
        done([]);
        return void res.destroy();
      }
      const parts: Buffer[] = [];
      res.on('data', (part: Buffer) => parts.push(part)).on('end', () => done(parts));
    }).on('error', reject);
  });
}

it('assets are sent as the build compressed them, in an encoding that the browser accepts', async () => {
  const path = '/assets/both-AbC12_xy.js';
  const br = await request(path, { 'accept-encoding': 'gzip, deflate, br' });
  expect(br.headers).toMatchObject({
    'content-encoding': 'br',
    vary: 'Accept-Encoding',
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  expect(brotliDecompressSync(br.body).toString()).toBe(SCRIPT);
  const gz = await request(path, { 'accept-encoding': 'gzip' });
  expect(gz.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(gz.body).toString()).toBe(SCRIPT);
  for (const [other, headers] of [
    [path, {}],
    ['/assets/none-AbC12_xy.js', { 'accept-encoding': 'br' }],
  ] as const) {
    const plain = await request(other, headers);
    expect([plain.headers['content-encoding'], plain.body.toString()]).toEqual([undefined, SCRIPT]);
  }
});

it('large JSON is compressed for a client that accepts it, and small JSON is not', async () => {
  const large = await request('/api/openapi.json', { 'accept-encoding': 'gzip' });
  expect(large.headers).toMatchObject({ 'content-encoding': 'gzip', vary: expect.stringContaining('Accept-Encoding') });
  const plain = await request('/api/openapi.json', {});
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(JSON.parse(gunzipSync(large.body).toString())).toEqual(JSON.parse(plain.body.toString()));
  expect(large.body.length).toBeLessThan(plain.body.length / 3);
  const small = await request('/api/v1/me', { 'accept-encoding': 'gzip' });
  expect(small.headers['content-encoding']).toBeUndefined();
  expect(JSON.parse(small.body.toString())).toMatchObject({ autoLogin: true });
});

it('event streams, files and their ranges are never compressed', async () => {
  const body = JSON.stringify({ list: 'x'.repeat(5_000) });
  const put = { method: 'PUT', body, headers: { 'x-croft': '1', 'content-type': 'application/octet-stream' } };
  expect((await page.request('/api/v1/files/content?path=data.json', put)).status).toBe(201);
  const accepts = { 'accept-encoding': 'gzip, br' };
  const whole = await request('/api/v1/files/content?path=data.json', accepts);
  expect([whole.headers['content-encoding'], whole.body.toString()]).toEqual([undefined, body]);
  const part = await request('/api/v1/files/content?path=data.json', { ...accepts, range: 'bytes=0-4' });
  expect([part.status, part.headers['content-encoding'], part.body.toString()]).toEqual([
    206,
    undefined,
    body.slice(0, 5),
  ]);
  const events = await request('/api/v1/events', accepts);
  expect([events.status, events.headers['content-encoding']]).toEqual([200, undefined]);
});
