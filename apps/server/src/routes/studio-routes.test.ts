import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { askApp, testApp } from '../../../../tests/support/route-caller.ts';
import { fileDir, testDir } from '../../../../tests/support/temp-dir.ts';
import { addStudio } from './studio-routes.ts';

const dir = fileDir();
mkdirSync(join(dir, 'assets'));
mkdirSync(join(dir, '.hidden'));
for (const [name, content] of Object.entries({
  'index.html': '<!doctype html><html><head><base href="/old/"><title>T</title></head></html>',
  'assets/app-abcd1234.js': 'plain',
  'assets/app-abcd1234.js.br': 'brotli',
  'assets/app-abcd1234.js.gz': 'gzip',
  'assets/plain.css': 'css',
  'logo.svg': '<svg/>',
  'data.bin': 'x',
  '.hidden/secret': 'secret',
}))
  writeFileSync(join(dir, name), content);

const ask = (
  path: string,
  headers: Record<string, string> = {},
  basePath = '/base/',
  from: string | undefined = dir,
) => {
  const app = testApp();
  addStudio(app, from, basePath);
  return askApp(app, `GET ${path}`, { headers });
};

it('serves files by name, with their types, and keeps in caches only those with a digest in the name', async () => {
  const app = await ask('/assets/app-abcd1234.js');
  expect([app.text, app.headers.get('content-type'), app.headers.get('cache-control')]).toEqual([
    'plain',
    'text/javascript; charset=utf-8',
    'public, max-age=31536000, immutable',
  ]);
  const logo = await ask('/logo.svg');
  expect([logo.headers.get('content-type'), logo.headers.get('cache-control')]).toEqual(['image/svg+xml', 'no-cache']);
  expect((await ask('/assets/plain.css')).headers.get('cache-control')).toBe('no-cache');
  expect((await ask('/data.bin')).headers.get('content-type')).toBe('application/octet-stream');
});

it('serves compressed copies to browsers that take them', async () => {
  const encoded = async (accepted: string) => {
    const { text, headers } = await ask('/assets/app-abcd1234.js', { 'accept-encoding': accepted });
    return [text, headers.get('content-encoding'), headers.get('vary'), headers.get('content-type')];
  };
  const script = 'text/javascript; charset=utf-8';
  expect(await encoded('gzip, br')).toEqual(['brotli', 'br', 'Accept-Encoding', script]);
  expect(await encoded('gzip')).toEqual(['gzip', 'gzip', 'Accept-Encoding', script]);
  expect((await ask('/logo.svg', { 'accept-encoding': 'br' })).headers.get('content-encoding')).toBeNull();
});

it('serves the page at every address that a browser goes to, below its own path', async () => {
  for (const path of ['/', '/flows/1', '/index.html', '/apiary']) {
    const { status, text, headers } = await ask(path);
    expect([path, status, headers.get('cache-control')]).toEqual([path, 200, 'no-cache']);
    expect(text).toContain('<head><base href="/base/"><title>');
    expect(text).not.toContain('/old/');
  }
  expect((await ask('/', {}, '/a"b/')).text).toContain('<base href="/a&#34;b/">');
});

it('answers unknown addresses of programs with 404, not with the page', async () => {
  for (const path of [
    '/api/v1/none',
    '/API/x',
    '/assets/none.js',
    '/mcp',
    '/.well-known/x',
    '/mcp/.well-known/oauth',
    '/favicon.ico',
    '/robots.txt',
    '/metrics',
    '/hooks/1',
    '/rest/x',
  ])
    expect([path, (await ask(path)).status]).toEqual([path, 404]);
});

it('serves nothing hidden, and nothing outside', async () => {
  for (const path of ['/.hidden/secret', '/assets/../.hidden/secret', '/%2e%2e/etc/passwd', '/..%2fetc/passwd'])
    expect((await ask(path)).text).not.toContain('secret');
});

it('says what to do where the pages are not built', async () => {
  for (const from of [undefined, join(dir, 'none')]) {
    const app = testApp();
    addStudio(app, from, '/');
    expect((await askApp(app, 'GET /')).text).toContain('<h1>Croft is running</h1>');
  }
});

it.each([
  ['html', 'text/html; charset=utf-8'],
  ['js', 'text/javascript; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
  ['svg', 'image/svg+xml'],
  ['png', 'image/png'],
  ['ico', 'image/x-icon'],
  ['woff2', 'font/woff2'],
  ['json', 'application/json'],
  ['webmanifest', 'application/manifest+json'],
  ['txt', 'text/plain; charset=utf-8'],
  ['map', 'application/octet-stream'],
])('serves .%s files as %s', async (ending, type) => {
  writeFileSync(join(dir, `file.${ending}`), '1');
  const { status, headers } = await ask(`/file.${ending}`);
  expect([status, headers.get('content-type'), headers.get('vary')]).toEqual([200, type, 'Accept-Encoding']);
});

it('keeps only assets with a long digest in caches', async () => {
  writeFileSync(join(dir, 'assets/app-abc1234.js'), '');
  writeFileSync(join(dir, 'app-abcd1234.js'), '');
  for (const path of ['/assets/app-abc1234.js', '/app-abcd1234.js'])
    expect((await ask(path)).headers.get('cache-control')).toBe('no-cache');
});

it.each(['/dl', '/guard/x', '/instance-ai', '/.well-known', '/a/.well-known/b', '/Assets/x'])(
  'has no page at %s',
  async (path) => expect((await ask(path)).status).toBe(404),
);

it.each(['/dlx', '/guards', '/metrics2', '/.well-knownx', '/hook'])('has the page at %s', async (path) =>
  expect((await ask(path)).status).toBe(200),
);

it('puts its path into a page with a class on its head and in capitals', async () => {
  const other = testDir();
  writeFileSync(join(other, 'index.html'), '<HTML><HEAD lang="en"><BASE href="x"><title>T</title></HEAD></HTML>');
  expect((await ask('/', {}, '/b/', other)).text).toBe(
    '<HTML><head lang="en"><base href="/b/"><title>T</title></HEAD></HTML>',
  );
});

it('says how to build the pages', async () => {
  const app = testApp();
  addStudio(app, undefined, '/b/');
  const { text } = await askApp(app, 'GET /x');
  expect(text).toContain('<head><base href="/b/"><meta charset="utf-8"><title>Croft</title></head>');
  expect(text.replace(/<[^>]*>/g, '').trim()).toBe(
    'Croft\nCroft is running\nThe pages are not built here. In a checkout, run npm start. MCP and REST work: see the API.',
  );
});
