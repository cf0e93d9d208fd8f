import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type ActivityEntry, openActivity } from '@croft/tools';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { disposition } from './content-routes.ts';
import type { Ask, TestServer, Visitor } from '../testing.ts';
import { useTestServer } from '../use-test-server.ts';

const QUOTA = 200_000;
const TRASH = 165_000;

let server: TestServer;
let page: Visitor;
let tree: string;

useTestServer({ autoLogin: true, userQuotaBytes: QUOTA, trashBytes: TRASH }, async (started) => {
  server = started;
  page = await started.openPage();
  tree = join(started.baseDir, 'workspaces/shared');
  mkdirSync(tree, { recursive: true });
});

/** The entries of the activity log for the files of the page. */
function recorded(): readonly ActivityEntry[] {
  const activity = openActivity(server.baseDir, tree);
  const entries = activity.entries();
  activity.close();
  return entries;
}

const content = (path: string, more = '') => `/api/v1/files/content?path=${encodeURIComponent(path)}${more}`;
const put = (path: string, body: string | Uint8Array | ReadableStream, more = '', headers = {}) =>
  page.json(content(path, more), { method: 'PUT', body, headers: { 'x-croft': '1', ...headers } });
const post = (what: string, json: object) => page.json(`/api/v1/files/${what}`, { method: 'POST', json });

describe('files of a page', () => {
  it('saves a text with the tag that was read, and refuses it where the file was changed since', async () => {
    await put('letter.txt', 'first');
    const tagOf = async () => (await page.request(content('letter.txt'))).headers.get('etag') ?? '';
    const tag = await tagOf();
    const saved = await put('letter.txt', 'second', '&by=editor', { 'if-match': tag });
    expect(saved).toMatchObject({ status: 201, body: { undo: expect.any(String) } });
    expect(recorded().find(({ id }) => id === saved.body.undo)).toMatchObject({ tool: 'edit_file', outcome: 'ok' });
    expect(await put('letter.txt', 'third', '&by=editor', { 'if-match': tag })).toMatchObject({
      status: 409,
      body: { error: { code: 'changed', message: 'The file was changed since it was read.' } },
    });
    expect(readFileSync(join(tree, 'letter.txt'), 'utf8')).toBe('second');
    expect((await post('undo', { undo: saved.body.undo })).status).toBe(200);
    expect(readFileSync(join(tree, 'letter.txt'), 'utf8')).toBe('first');
    // More than may be under way at once: a refusal ends its count.
    for (let i = 0; i < 9; i++)
      expect((await put('not-there.txt', 'x', '&by=editor', { 'if-match': tag })).status).toBe(404);
    expect((await put('letter.txt', 'x', '&by=other')).status).toBe(400);
    await post('delete', { paths: ['letter.txt'] });
  });

  it('are stored, listed, looked at, renamed, deleted and had back', async () => {
    expect(await put('docs/ä b.txt', 'hello')).toMatchObject({ status: 201, body: { path: 'docs/ä b.txt', size: 5 } });
    const listed = await page.json('/api/v1/files?path=docs');
    expect(listed.body).toMatchObject({
      path: 'docs',
      truncated: false,
      entries: [{ name: 'ä b.txt', path: 'docs/ä b.txt', type: 'file', size: 5 }],
    });
    const used = await page.json('/api/v1/files/usage');
    expect(used.body).toEqual({ usedBytes: 5, limitBytes: QUOTA });
    expect(await post('move', { from: 'docs/ä b.txt', to: 'docs/b.txt' })).toMatchObject({
      status: 200,
      body: { path: 'docs/b.txt' },
    });
    const { body } = await post('delete', { path: 'docs/b.txt' });
    expect((await page.json(content('docs/b.txt'))).status).toBe(404);
    expect(await post('undo', { undo: body.undo })).toMatchObject({ status: 200, body: { path: 'docs/b.txt' } });
    expect(await (await page.request(content('docs/b.txt'))).text()).toBe('hello');
    expect((await post('undo', { undo: 'made-up' })).status).toBe(404);
    const undone = recorded().findLast(({ tool }) => tool === 'undo');
    expect((await post('undo', { undo: undone?.id })).status, 'an undo cannot be undone').toBe(404);
    expect(await post('mkdir', { path: 'new/folder' })).toMatchObject({ body: { path: 'new/folder' } });
    expect((await post('mkdir', { path: 'new/folder' })).status).toBe(409);
    expect((await post('move', { from: 'docs/b.txt', to: 'new' })).status).toBe(409);
  });

  it('are listed page by page in the order that was asked for', async () => {
    mkdirSync(join(tree, 'paged/folder'), { recursive: true });
    for (let i = 0; i < 25; i++) writeFileSync(join(tree, `paged/f${i}`), 'x'.repeat(i));
    const names: string[] = [];
    let cursor = '';
    for (let pages = 1; pages <= 3; pages++) {
      const more = cursor && `&cursor=${cursor}`;
      const { body } = await page.json(`/api/v1/files?path=paged&sort=size&order=desc&limit=10${more}`);
      names.push(...(body.entries as { name: string }[]).map(({ name }) => name));
      expect(body).toMatchObject({ total: 26, truncated: pages < 3 });
      cursor = body.nextCursor as string;
    }
    expect(cursor).toBeNull();
    expect(names).toEqual(['folder', ...Array.from({ length: 25 }, (_, i) => `f${24 - i}`)]);
    expect((await page.json('/api/v1/files?path=paged&cursor=made-up')).status).toBe(400);
    rmSync(join(tree, 'paged'), { recursive: true });
  });

  it('stay as they are when the request to take a change back is broken off', async () => {
    const large = join(tree, 'large');
    for (let d = 0; d < 30; d++) {
      mkdirSync(join(large, `${d}`), { recursive: true });
      for (let i = 0; i < 100; i++) writeFileSync(join(large, `${d}/${i}`), 'x');
    }
    const json = { source: 'large', destination: 'copied' };
    expect(await page.json('/api/v1/tools/full/copy_path', { method: 'POST', json })).toMatchObject({ status: 200 });
    const copied = recorded().find(({ tool }) => tool === 'copy_path');
    const abort = new AbortController();
    const { signal } = abort;
    const undoing = page.request('/api/v1/files/undo', { method: 'POST', json: { undo: copied?.id }, signal });
    // A later request is answered while the content is compared.
    await page.json('/api/v1/files');
    abort.abort();
    await expect(undoing).rejects.toThrow(/abort/i);
    const undos = () => recorded().filter(({ tool, paths }) => tool === 'undo' && paths[0] === 'large');
    await vi.waitFor(() => expect(undos()).toMatchObject([{ outcome: 'refused' }]));
    expect(readdirSync(join(tree, 'copied'), { recursive: true })).toHaveLength(3_030);
    expect((await post('undo', { undo: copied?.id })).status).toBe(200);
    expect(readdirSync(tree)).not.toContain('copied');
    rmSync(large, { recursive: true });
  });

  it('are deleted together, and come back together or stay together', async () => {
    const names = ['batch/a', 'batch/b', 'batch/c'];
    for (const name of names) await put(name, name.repeat(2_000));
    const { body } = await post('delete', { paths: names });
    expect(body).toEqual({ path: 'batch/a', undo: expect.any(String) });
    expect(readdirSync(join(tree, 'batch'))).toEqual([]);
    expect((await post('undo', { undo: body.undo })).status).toBe(200);
    expect(readdirSync(join(tree, 'batch')).sort()).toEqual(['a', 'b', 'c']);
    for (const wrong of [{}, { paths: [] }, { path: 'batch/a', paths: names }, { paths: ['batch', 'batch/a'] }])
      expect((await post('delete', { ...wrong })).status).toBe(400);
    expect((await post('delete', { paths: ['batch/a', 'batch/none'] })).status).toBe(404);
    expect(readdirSync(join(tree, 'batch')).sort()).toEqual(['a', 'b', 'c']);
    await post('delete', { path: 'batch' });
  });

  it('are deleted and replaced for good only when that is said, and then offer no undo', async () => {
    await put('large/a', 'a'.repeat(TRASH - 100));
    await put('large/b', 'b'.repeat(200));
    const refused = [await post('delete', { path: 'large' }), await post('delete', { paths: ['large/a', 'large/b'] })];
    for (const { status, body } of refused)
      expect([status, body]).toEqual([
        409,
        { error: { code: 'not_undoable', message: expect.stringContaining('could not be restored afterwards') } },
      ]);
    expect(readdirSync(join(tree, 'large')).sort()).toEqual(['a', 'b']);
    const kept = await put('large/a', 'x'.repeat(TRASH + 1), '&overwrite=1');
    expect(kept).toMatchObject({ status: 201, body: { undo: expect.any(String) } });
    const tooLarge = await put('large/a', 'new', '&overwrite=1');
    expect(tooLarge).toMatchObject({ status: 409, body: { error: { code: 'not_undoable' } } });
    const forGood = await put('large/a', 'new', '&overwrite=1&permanent=1');
    expect([forGood.status, forGood.body]).toEqual([201, { path: 'large/a', size: 3 }]);
    await put('large/a', 'x'.repeat(TRASH + 1), '&overwrite=1');
    const { status, body } = await post('delete', { paths: ['large'], permanent: true });
    expect([status, body]).toEqual([200, { path: 'large' }]);
  });

  it('are found by name and by content', async () => {
    await put('find/Needle.md', 'one\ntwo straws\n');
    expect((await page.json('/api/v1/files/search?q=needle')).body).toMatchObject({
      matches: [{ path: 'find/Needle.md' }],
    });
    expect((await page.json('/api/v1/files/search?q=STRAW&in=content')).body).toMatchObject({
      matches: [{ path: 'find/Needle.md', line: 2, text: 'two straws' }],
    });
  });

  it('are not replaced unless that is said', async () => {
    await put('once.txt', 'first');
    expect(await put('once.txt', 'second')).toMatchObject({ status: 409, body: { error: { code: 'exists' } } });
    expect(readFileSync(join(tree, 'once.txt'), 'utf8')).toBe('first');
    expect((await put('once.txt', 'second', '&overwrite=1')).status).toBe(201);
    expect(readFileSync(join(tree, 'once.txt'), 'utf8')).toBe('second');
  });

  const PNG = Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1');
  it.each([
    ['page.html', '<script>alert(1)</script>', 'text/plain; charset=utf-8', 'inline'],
    ['vector.svg', '<svg onload="x"/>', 'text/plain; charset=utf-8', 'inline'],
    ['picture.txt', PNG, 'image/png', 'inline'],
    ['fake.png', 'no picture', 'text/plain; charset=utf-8', 'inline'],
    ['data.bin', Buffer.from([1, 0, 2]), 'application/octet-stream', 'attachment'],
  ] as const)('are shown as what they hold, with no script and no origin: %s', async (name, body, type, kind) => {
    await put(name, body, '&overwrite=1');
    const answer = await page.request(content(name));
    expect(answer.headers.get('content-type')).toBe(type);
    expect(answer.headers.get('content-disposition')).toMatch(new RegExp(`^${kind}; `));
    expect(answer.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(Buffer.from(body));
    const saved = await page.request(content(name, '&download=1'));
    expect(saved.headers.get('content-disposition')).toMatch(/^attachment; /);
    await saved.text();
  });

  it('get new names that mean the same on every system; others are refused in plain words', async () => {
    const refusal = async (method: string, path: string, json: object) => {
      const { status, body } = await page.json<{ error?: { message: string } }>(path, { method, json });
      return [status, body.error?.message];
    };
    expect(await refusal('POST', '/api/v1/files/mkdir', { path: 'C:' })).toEqual([400, 'A name cannot contain :']);
    expect(await refusal('POST', '/api/v1/files/mkdir', { path: '..\\x' })).toEqual([
      400,
      'A name cannot contain a slash.',
    ]);
    const put = { method: 'PUT', body: 'x', headers: { 'x-croft': '1', 'content-type': 'application/octet-stream' } };
    const broken = await page.json(`/api/v1/files/content?path=${encodeURIComponent('a\r\nb')}`, put);
    expect([broken.status, JSON.stringify(broken.body)]).toEqual([400, expect.stringContaining('line break')]);
    await page.request('/api/v1/files/content?path=plain.md', put);
    expect(await refusal('POST', '/api/v1/files/move', { from: 'plain.md', to: 'a?' })).toEqual([
      400,
      'A name cannot contain ?',
    ]);
    // Reading asks the workspace, whose contract text only tools get.
    expect(await refusal('GET', '/api/v1/files?path=a%3F', undefined as never)).toEqual([
      400,
      'The name “a?” contains ?. Choose a name without it.',
    ]);
  });

  it('have names that do no harm in a header', async () => {
    expect(disposition('inline', 'a";\r\nX: \\y.txt')).toMatch(
      /^inline; filename="a;X: y\.txt"; filename\*=UTF-8''[\w%.-]+$/,
    );
    expect(disposition('attachment', 'übung.txt')).toBe(
      `attachment; filename="_bung.txt"; filename*=UTF-8''%C3%BCbung.txt`,
    );
    await put("it's ü.txt", 'x');
    const answer = await page.request(content("it's ü.txt"));
    expect(answer.headers.get('content-disposition')).toContain("filename*=UTF-8''it%27s%20%C3%BC.txt");
    await answer.text();
  });

  const attacks: [string, string][] = [
    ['the way up', '../../../etc/passwd'],
    ['an absolute path', '/etc/passwd'],
    ['a link that leads out', 'out/passwd'],
    ['a file of secrets', '.env'],
    ['a name with a NUL', 'a\0b'],
  ];
  it.each(attacks)('cannot be reached outside: %s', async (_, path) => {
    try {
      symlinkSync('/etc', join(tree, 'out'));
      writeFileSync(join(tree, '.env'), 'KEY=secret');
    } catch {
      // There from the test before.
    }
    const answers = await Promise.all([
      page.json(content(path)),
      put(path, 'x', '&overwrite=1'),
      page.json(`/api/v1/files?path=${encodeURIComponent(path)}`),
      post('delete', { path }),
      post('mkdir', { path }),
      post('move', { from: 'once.txt', to: path }),
      page.json(`/api/v1/agentic/files?path=${encodeURIComponent(path)}`),
    ]);
    for (const { status, body } of answers) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(JSON.stringify(body)).not.toMatch(/root:|KEY=|croft-server-/);
    }
  });
});

describe('parts of a file', () => {
  const text = 'abcdefghijklmnopqrstuvwxyz';
  const ask = (headers: Record<string, string>, name = 'letters.txt', method = 'GET') =>
    page.request(content(name), { method, headers });
  beforeAll(async () => {
    await put('letters.txt', text);
    await put('empty.txt', '');
  });

  it.each([
    ['bytes=0-4', 'abcde', 'bytes 0-4/26'],
    ['bytes=20-', 'uvwxyz', 'bytes 20-25/26'],
    ['bytes=-3', 'xyz', 'bytes 23-25/26'],
    ['bytes=-99', text, 'bytes 0-25/26'],
    ['bytes=24-999999999999', 'yz', 'bytes 24-25/26'],
    ['Bytes = 3-3', 'd', 'bytes 3-3/26'],
  ])('come as asked for: %s', async (range, part, said) => {
    const answer = await ask({ range });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([206, said]);
    expect(answer.headers.get('content-length')).toBe(String(part.length));
    expect(answer.headers.get('accept-ranges')).toBe('bytes');
    expect(answer.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
    expect(await answer.text()).toBe(part);
  });

  it.each(['bytes=26-', 'bytes=99-100', 'bytes=-0'])(
    'that are not there are refused with the size: %s',
    async (range) => {
      const answer = await ask({ range });
      expect([answer.status, answer.headers.get('content-range')]).toEqual([416, 'bytes */26']);
      expect(await answer.json()).toMatchObject({ error: { code: 'range_not_satisfiable' } });
      expect((await ask({ range }, 'empty.txt')).status).toBe(416);
    },
  );

  it.each([
    'bytes=5-2',
    'bytes=a-b',
    'bytes=',
    'bytes=-',
    'lines=1-2',
    'bytes=0-1,3-4',
    'bytes=0-99999999999999999999',
  ])('that are asked for in another way are the whole file: %s', async (range) => {
    const answer = await ask({ range });
    expect([answer.status, answer.headers.get('content-range'), await answer.text()]).toEqual([200, null, text]);
  });

  it('are of the state one has the beginning of, or the whole file comes', async () => {
    const first = await ask({ range: 'bytes=0-9' });
    const etag = first.headers.get('etag') ?? '';
    expect([await first.text(), etag]).toEqual([text.slice(0, 10), expect.stringMatching(/^"[\w-]{22}"$/)]);
    expect((await ask({})).headers.get('etag')).toBe(etag);
    const rest = { range: 'bytes=10-', 'if-range': etag };
    expect(await (await ask(rest)).text()).toBe(text.slice(10));
    // A replaced file has another ETag, so the range is ignored.
    await put('letters.txt', text.toUpperCase(), '&overwrite=1');
    const whole = await ask(rest);
    expect([whole.status, await whole.text()]).toEqual([200, text.toUpperCase()]);
    for (const other of ['W/"x"', 'Wed, 21 Oct 2015 07:28:00 GMT'])
      expect((await ask({ range: 'bytes=1-', 'if-range': other })).status).toBe(200);
    await put('letters.txt', text, '&overwrite=1');
  });

  it('are not for HEAD, which tells the whole', async () => {
    const head = await ask({ range: 'bytes=0-4' }, 'letters.txt', 'HEAD');
    expect([head.status, head.headers.get('content-length'), head.headers.get('accept-ranges')]).toEqual([
      200,
      '26',
      'bytes',
    ]);
  });

  it('are never filled up with the next answer: where the file became shorter meanwhile, the connection breaks', async () => {
    const file = join(tree, 'large.bin');
    writeFileSync(file, '');
    truncateSync(file, 64 * 1024 * 1024);
    const { hostname, port, host } = new URL(server.url);
    const line = (path: string) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nCookie: ${page.cookie}\r\n\r\n`;
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    socket.once('data', () => {
      socket.pause();
      truncateSync(file, 1024 * 1024);
      socket.resume();
    });
    socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => undefined);
    socket.write(line(content('large.bin')) + line('/api/v1/me'));
    await once(socket, 'close');
    rmSync(file);
    const came = Buffer.concat(chunks).toString('latin1');
    expect(came.slice(0, 1_000)).toMatch(/content-length: 67108864/i);
    expect(came.length).toBeLessThan(64 * 1024 * 1024);
    expect(came).not.toContain('"user"');
  });

  it('are behind the wall as the whole is', async () => {
    for (const name of ['out/passwd', '../letters.txt', '.env'])
      expect((await ask({ range: 'bytes=0-4' }, name)).status).toBeGreaterThanOrEqual(400);
    const stranger = await server.stranger.request(content('letters.txt'), { headers: { range: 'bytes=0-4' } });
    expect(stranger.status).toBe(401);
  });

  it.each([
    ['sound.bin', 'RIFF\x24\0\0\0WAVEfmt \0', 'audio/wav'],
    ['film.bin', '\0\0\0\x20ftypisom\0\0', 'video/mp4'],
    ['film.txt', '\x1aE\xdf\xa3\0', 'video/webm'],
  ])('play in an element of the page, and are saved where they are opened: %s', async (name, bytes, type) => {
    await put(name, Buffer.from(bytes, 'latin1'), '&overwrite=1');
    const answer = await ask({}, name);
    expect([answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([
      type,
      expect.stringMatching(/^attachment; /),
    ]);
    await answer.text();
  });
});

describe('a listing', () => {
  it('takes as long in a large namespace as in a small one', async () => {
    const fill = (root: string, folders: number) => {
      for (let folder = 0; folder < folders; folder++) {
        mkdirSync(join(root, `many/${folder}`), { recursive: true });
        for (let file = 0; file < 100; file++) writeFileSync(join(root, `many/${folder}/${file}`), '');
      }
    };
    let listed = 0;
    // The least: a walk would slow down each of them, a busy machine only some.
    const leastTime = async () => {
      const times: number[] = [];
      for (let index = 0; index < 15; index++) {
        listed += 1;
        // A change, after which sizes kept from before are not used again.
        await post('mkdir', { path: `listed/${listed}` });
        const startedAt = performance.now();
        await page.json(`/api/v1/files?path=listed/${listed}`);
        times.push(performance.now() - startedAt);
      }
      return Math.min(...times);
    };
    const small = await leastTime();
    fill(tree, 50);
    await expect.poll(leastTime).toBeLessThan(4 * small);
    for (const path of ['many', 'listed']) rmSync(join(tree, path), { recursive: true });
  });
});

describe('the quota', () => {
  const big = Buffer.alloc(150_000, 'x');

  it('are not sent in any number at once: what is under way is in no quota yet', async () => {
    const letGo: (() => void)[] = [];
    const slow = () =>
      new ReadableStream({
        start(controller) {
          controller.enqueue(new Uint8Array(10));
          letGo.push(() => {
            controller.enqueue(new Uint8Array(10));
            controller.close();
          });
        },
      });
    const statuses: number[] = [];
    const all = Array.from({ length: 11 }, async (_, i) => {
      const { status } = await put(`slow${i}.bin`, slow());
      statuses.push(status);
    });
    await expect.poll(() => statuses).toEqual([429, 429, 429]);
    for (const go of letGo) go();
    await Promise.allSettled(all);
    expect(statuses.filter((status) => status === 201)).toHaveLength(8);
    expect((await put('slow-again.bin', 'x')).status).toBe(201);
    await post('delete', { path: 'slow-again.bin' });
    for (const { name } of ((await page.json('/api/v1/files')).body.entries as { name: string }[]).filter(({ name }) =>
      name.startsWith('slow'),
    ))
      await post('delete', { path: name });
  });

  it('holds for uploads, with an error of its own, and leaves nothing half', async () => {
    expect((await put('big1.bin', big)).status).toBe(201);
    const refused = { status: 507, body: { error: { code: 'quota_exceeded' } } };
    expect(await put('big2.bin', big)).toMatchObject(refused);
    expect(await put('big3.bin', Buffer.alloc(QUOTA + 1))).toMatchObject(refused);
    expect(readdirSync(tree).filter((name) => /big[23]|tmp/.test(name))).toEqual([]);
  });

  it('holds for an upload that does not say how long it is', async () => {
    const endless = new ReadableStream({
      pull(controller) {
        controller.enqueue(Buffer.alloc(65_536));
      },
    });
    const answer = await put('endless.bin', endless).catch((error: Error) => error);
    if (!(answer instanceof Error))
      expect(answer).toMatchObject({ status: 507, body: { error: { code: 'quota_exceeded' } } });
    expect(readdirSync(tree).filter((name) => /endless|tmp/.test(name))).toEqual([]);
  });

  it('holds for tools over REST', async () => {
    const { body } = await page.json('/api/v1/tools/full/write_file', {
      method: 'POST',
      json: { path: 'more.txt', content: 'x'.repeat(150_000) },
    });
    expect(body).toMatchObject({ ok: false });
    expect(JSON.stringify(body)).toMatch(/quota/i);
  });

  it('lets a file be replaced by one that fits, and all be deleted', async () => {
    expect((await put('big1.bin', Buffer.alloc(160_000), '&overwrite=1')).status).toBe(201);
    expect((await post('delete', { path: 'big1.bin' })).status).toBe(200);
    expect((await put('big2.bin', big)).status).toBe(201);
  });
});

describe('a request another site could have caused', () => {
  const upload = (headers: Ask['headers']) =>
    page.json(content('csrf.txt', '&overwrite=1'), { method: 'PUT', body: 'x', headers: headers ?? {} });
  const folder = (headers: Ask['headers'], body = '{"path":"csrf"}') =>
    page.json('/api/v1/files/mkdir', { method: 'POST', body, headers: headers ?? {} });
  const json = { 'content-type': 'application/json' };

  it.each([
    ['a foreign Origin', { ...json, origin: 'https://evil.example' }],
    ['another port of this machine', { ...json, origin: 'http://127.0.0.1:1' }],
    ['no Origin and no Sec-Fetch-Site', { ...json, origin: undefined, 'sec-fetch-site': undefined }],
    ['Sec-Fetch-Site cross-site', { ...json, 'sec-fetch-site': 'cross-site' }],
    ['Sec-Fetch-Site same-site', { ...json, 'sec-fetch-site': 'same-site' }],
    ['Origin null', { ...json, origin: 'null' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a form with files', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['plain text', { 'content-type': 'text/plain' }],
    ['no content type', { 'content-type': '' }],
  ])('is refused: %s', async (_, headers) => {
    expect((await folder(headers)).status).toBe(403);
    expect(readdirSync(tree)).not.toContain('csrf');
  });

  it('names the missing Origin of a cookie, on every route, instead of asking to sign in', async () => {
    for (const path of ['/api/v1/keys', '/instance-ai/gateway/create-link', '/mcp', '/api/v1/session']) {
      const answer = await page.request(path, {
        method: 'POST',
        json: {},
        headers: { origin: undefined, 'sec-fetch-site': undefined },
      });
      expect([path, answer.status, await answer.text()]).toEqual([
        path,
        403,
        expect.stringContaining('the header Origin'),
      ]);
    }
  });

  it('is refused as an upload without the header no form sends', async () => {
    expect((await upload({})).status).toBe(403);
    expect((await upload({ 'content-type': 'text/plain' })).status).toBe(403);
    expect((await upload({ 'x-croft': '1', 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await upload({ 'x-croft': '1' })).status).toBe(201);
  });

  it('reads nothing either', async () => {
    const answer = await page.request('/api/v1/files', {
      headers: { 'sec-fetch-site': 'cross-site', origin: undefined },
    });
    expect(answer.status).toBe(403);
  });

  it('by a name that is not ours is refused for every caller', async () => {
    const { request } = await import('node:http');
    const port = Number(new URL(server.url).port);
    const status = await new Promise((resolve, reject) => {
      request({ host: '127.0.0.1', port, path: '/api/v1/me', headers: { host: `evil.example:${port}` } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(403);
  });
});

describe('the reading endpoint of agents', () => {
  const read = (path: string, more = '') =>
    page.request(`/api/v1/agentic/files?path=${encodeURIComponent(path)}${more}`);

  const tree = () => join(server.baseDir, 'workspaces/shared');

  it('gives a text file of the caller’s tree, or saves it', async () => {
    expect((await read('agent/ün.txt')).status).toBe(404);
    expect(readdirSync(join(server.baseDir, 'workspaces'))).toEqual(['shared']);
    mkdirSync(join(tree(), 'agent'), { recursive: true });
    writeFileSync(join(tree(), 'agent/ün.txt'), 'text');
    const shown = await read('agent/ün.txt');
    expect(shown.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await shown.text()).toBe('text');
    const saved = await read('agent/ün.txt', '&download=true');
    expect(saved.headers.get('content-type')).toBe('application/octet-stream');
    expect(saved.headers.get('content-disposition')).toBe('attachment; filename="n.txt"');
  });

  it.each(['', 'x'.repeat(1_025), 'a\0b', '/etc/passwd', '\\x', 'C:\\x', 'a/../b', 'a\\..\\b'])(
    'says Invalid path of %j',
    async (path) => {
      const answer = await read(path);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ detail: 'Invalid path' });
    },
  );

  it('says Not found of what is missing, a directory, protected or outside', async () => {
    symlinkSync('/etc', join(tree(), 'agent-out'));
    writeFileSync(join(tree(), '.env'), 'KEY=secret');
    for (const path of ['nothing.txt', 'agent', '.env', 'agent-out/passwd']) {
      const answer = await read(path);
      expect([answer.status, ((await answer.json()) as { detail: string }).detail]).toEqual([404, 'Not found']);
    }
  });

  it('refuses what is too large or binary', async () => {
    writeFileSync(join(tree(), 'large.txt'), Buffer.alloc(10_485_761, 'x'));
    writeFileSync(join(tree(), 'binary.txt'), Buffer.from([65, 0, 66]));
    const large = await read('large.txt');
    expect([large.status, ((await large.json()) as { detail: string }).detail]).toEqual([413, 'File too large']);
    const binary = await read('binary.txt');
    expect([binary.status, ((await binary.json()) as { detail: string }).detail]).toEqual([
      415,
      'Binary content not supported',
    ]);
  });
});
