import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { resolveNamespace } from '@croft/workspace';
import { afterEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, type Visitor } from '../testing.ts';
import { withMcp } from '../testing-mcp.ts';
import { useTestServer } from '../use-test-server.ts';

/** Names in a folder of the tree, and the folders that are mounts. */
async function listed(visitor: Visitor, path = '') {
  const { body } = await visitor.json<{ entries: { name: string }[]; mounts: object[] }>(`/api/v1/files?path=${path}`);
  return { names: body.entries.map(({ name }) => name), mounts: body.mounts };
}
const put = (visitor: Visitor, path: string, body: string) =>
  visitor.json<{ undo?: string; error?: { code: string; message: string } }>(`/api/v1/files/content?path=${path}`, {
    method: 'PUT',
    body,
    headers: { 'x-croft': '1' },
  });
const read = async (visitor: Visitor, path: string) =>
  (await visitor.request(`/api/v1/files/content?path=${path}`)).text();
const call = (visitor: Visitor, name: string, json: object) =>
  visitor.json<{ ok: boolean; data: Record<string, unknown> }>(`/api/v1/tools/full/${name}`, { method: 'POST', json });

/** A server without accounts, its page, and the token of the machine. */
function useOpenServer(setUp: (server: TestServer, page: Visitor, token: string) => void): void {
  useTestServer({ autoLogin: true }, async (started) =>
    setUp(started, await started.openPage(), readFileSync(join(started.baseDir, 'mcp-token'), 'utf8').trim()),
  );
}

describe('the tree of a server without accounts', () => {
  let server: TestServer;
  let page: Visitor;
  let token: string;
  useOpenServer((...started) => void ([server, page, token] = started));
  const under = (...parts: string[]) => join(server.baseDir, 'workspaces', ...parts);

  it('is the shared files, for the page, REST and MCP alike, and makes no directory of users', async () => {
    await withMcp(server, token, async (client) => {
      await client.callTool({ name: 'write_file', arguments: { path: 'by-agent.txt', content: 'agent' } });
      expect(client.getInstructions()).not.toContain('mine/');
    });
    expect((await put(page, 'by-page.txt', 'page')).status).toBe(201);
    expect(await listed(page)).toEqual({ names: ['by-agent.txt', 'by-page.txt'], mounts: [] });
    expect((await call(page, 'read_file', { path: 'by-page.txt' })).body.ok).toBe(true);
    expect((await page.request('/api/v1/agentic/files?path=by-page.txt')).status).toBe(200);
    expect(readdirSync(under())).toEqual(['shared']);
    expect(readdirSync(under('shared'))).toEqual(['by-agent.txt', 'by-page.txt']);
  });

  it('has the user’s own files as mine/ once they exist, instead of a real directory of that name', async () => {
    await put(page, 'mine/real.txt', 'real');
    const env = { CROFT_BASE_DIR: server.baseDir };
    const { root } = resolveNamespace({ userId: 'local', forceIsolation: true, env });
    writeFileSync(join(root, 'own.txt'), 'own');
    expect(await listed(page)).toMatchObject({
      names: ['mine', 'by-agent.txt', 'by-page.txt'],
      mounts: [{ name: 'mine', readOnly: false, hidesEntry: true }],
    });
    expect((await listed(page, 'mine')).names).toEqual(['own.txt']);
    expect(await read(page, 'mine/own.txt')).toBe('own');
    expect((await page.request('/api/v1/agentic/files?path=mine/own.txt')).status).toBe(200);
    await withMcp(server, token, async (client) => {
      expect(client.getInstructions()).toContain('mine/ is a mount');
      expect(client.getInstructions()).toContain('hides a real entry called mine');
      await client.callTool({ name: 'write_file', arguments: { path: 'mine/by-agent.txt', content: 'agent' } });
    });
    expect(readdirSync(root)).toEqual(['by-agent.txt', 'own.txt']);
    expect(readdirSync(under('shared/mine'))).toEqual(['real.txt']);
    expect(server.lines.filter((line) => line.includes('a mount hides'))).toHaveLength(1);
  });

  it('takes back changes below a mount, and refuses to move files out of it', async () => {
    const { body } = await put(page, 'mine/gone.txt', 'x');
    const undone = await page.json('/api/v1/files/undo', { method: 'POST', json: { undo: body.undo } });
    expect(undone).toMatchObject({ status: 200, body: { path: 'mine/gone.txt' } });
    expect((await listed(page, 'mine')).names).not.toContain('gone.txt');
    const moved = await page.json('/api/v1/files/move', {
      method: 'POST',
      json: { from: 'mine/own.txt', to: 'own.txt' },
    });
    expect(moved.status).toBe(400);
  });

  it('refuses a change through a link into the directory that the mount hides', async () => {
    symlinkSync('mine', under('shared/link'));
    expect(await put(page, 'link/new.txt', 'x')).toMatchObject({ status: 409, body: { error: { code: 'mounted' } } });
    const { body } = await call(page, 'write_file', { path: 'link/new.txt', content: 'x' });
    expect(String(body.data.error)).toContain('the mount mine/ hides');
    expect(readdirSync(under('shared/mine'))).toEqual(['real.txt']);
    rmSync(under('shared/link'));
  });

  it('refuses the old root parameter when it names another tree', async () => {
    expect((await page.json('/api/v1/files?root=shared')).status).toBe(200);
    const other = await page.json<{ error: { message: string } }>('/api/v1/files?root=mine');
    expect([other.status, other.body.error.message]).toEqual([400, expect.stringContaining('below mine/')]);
  });
});

describe('the tree of a user with accounts', () => {
  let server: TestServer;
  let admin: Visitor;
  let user: Visitor;
  useTestServer({}, async (started) => {
    server = started;
    admin = await started.signInAdmin();
    const json = { email: 'ann@croft.example', name: 'Ann', password: 'long enough', role: 'user' };
    await admin.json('/api/v1/users', { method: 'POST', json });
    user = await started.signIn(json.email, json.password);
  });
  const mount = (mode: string, by = admin) =>
    by.json<{ mode: string }>('/api/v1/shared-mount', { method: 'PUT', json: { mode } });

  it('has the shared files only where an admin mounted them, and read-only at first', async () => {
    await put(user, 'own.txt', 'own');
    mkdirSync(join(server.baseDir, 'workspaces/shared'), { recursive: true });
    writeFileSync(join(server.baseDir, 'workspaces/shared/rules.md'), 'shut the gate');
    expect(await listed(user)).toEqual({ names: ['own.txt'], mounts: [] });
    expect((await admin.json('/api/v1/shared-mount')).body).toEqual({ mode: 'off' });
    expect((await mount('write', user)).status).toBe(403);
    expect((await mount('read')).body).toEqual({ mode: 'read' });
    expect(await listed(user)).toEqual({
      names: ['shared', 'own.txt'],
      mounts: [{ name: 'shared', readOnly: true, hidesEntry: false }],
    });
    expect(await read(user, 'shared/rules.md')).toBe('shut the gate');
    expect(await put(user, 'shared/new.txt', 'x')).toMatchObject({
      status: 403,
      body: { error: { code: 'read_only', message: 'shared/ is read-only' } },
    });
    const refused = await call(user, 'delete_path', { path: 'shared/rules.md' });
    expect(refused.body.ok).toBe(false);
    expect(await read(user, 'shared/rules.md')).toBe('shut the gate');
  });

  it('lists only the caller’s own changes of the shared files as activity', async () => {
    await mount('write');
    await put(admin, 'shared/by-admin.txt', 'admin');
    await put(user, 'shared/by-user.txt', 'user');
    const changed = async (by: Visitor) => {
      const { body } = await by.json<{ changes: { paths: string[] }[] }>('/api/v1/activity/changes');
      return body.changes.flatMap(({ paths }) => paths).filter((path) => path.includes('by-'));
    };
    expect(await changed(user)).toEqual(['shared/by-user.txt']);
    expect(await changed(admin)).toEqual(['shared/by-admin.txt']);
    await mount('off');
  });

  it('compares only the caller’s own changes of the shared files, while they are mounted', async () => {
    await mount('write');
    await put(user, 'shared/compared.txt', 'user');
    const { body } = await user.json<{ changes: { id: string }[] }>('/api/v1/activity/changes');
    const path = `/api/v1/activity/changes/${body.changes[0]?.id}/diff`;
    await call(admin, 'write_file', { path: 'shared/compared.txt', content: 'admin' });
    expect((await user.json<any>(path)).body.files).toMatchObject([
      { kind: 'create', path: 'shared/compared.txt', diff: expect.stringContaining('+user') },
    ]);
    expect((await admin.json(path)).status).toBe(404);
    await mount('off');
    expect((await user.json(path)).status).toBe(404);
  });

  it('says of each listed change whether the caller can undo it', async () => {
    await mount('write');
    await put(user, 'first.txt', 'first');
    const { body } = await put(user, 'second.txt', 'second');
    await put(user, 'shared/third.txt', 'third');
    await call(user, 'write_file', { path: 'first.txt', content: 'newer' });
    await user.json('/api/v1/files/undo', { method: 'POST', json: { undo: body.undo } });
    await mount('read');
    type Shown = { tool: string; paths: string[]; undo: string; undoProblem: string | null };
    const { body: listed } = await user.json<{ changes: Shown[] }>('/api/v1/activity/changes');
    const shown = listed.changes
      .slice(0, 5)
      .map(({ tool, paths, undo, undoProblem }) => [tool, ...paths, undo, undoProblem]);
    expect(shown).toEqual([
      ['undo', 'second.txt', 'impossible', 'An undo cannot be undone'],
      ['write_file', 'first.txt', 'possible', null],
      ['upload', 'shared/third.txt', 'impossible', 'shared/ is read-only'],
      ['upload', 'second.txt', 'done', null],
      ['upload', 'first.txt', 'impossible', 'first.txt was changed since'],
    ]);
    await call(user, 'delete_path', { path: 'first.txt' });
    await mount('off');
  });

  it('may be changed below shared/ where the admin says so; others see it, and cannot take it back', async () => {
    await mount('write');
    const { body } = await put(user, 'shared/ours.txt', 'ours');
    expect(await read(admin, 'shared/ours.txt')).toBe('ours');
    const undo = (by: Visitor) => by.json('/api/v1/files/undo', { method: 'POST', json: { undo: body.undo } });
    expect((await undo(admin)).status).toBe(404);
    await mount('read');
    expect((await undo(user)).status).toBe(409);
    await mount('write');
    expect((await undo(user)).status).toBe(200);
    await mount('off');
    expect((await listed(user)).mounts).toEqual([]);
    expect((await user.json('/api/v1/files?path=shared')).status).toBe(404);
  });

  it.each([
    ['read', 403, 'read_only'],
    ['off', 409, 'changed'],
  ])('keeps nothing of an upload to shared/ during which an admin switched it to %s', async (mode, status, code) => {
    await mount('write');
    const shared = join(server.baseDir, 'workspaces/shared');
    mkdirSync(shared, { recursive: true });
    const before = readdirSync(shared).sort();
    let send: ReadableStreamDefaultController | undefined;
    const body = new ReadableStream({
      start(controller) {
        send = controller;
        controller.enqueue(Buffer.from('first part, '));
      },
    });
    const path = '/api/v1/files/content?path=shared/late/file.txt';
    const uploading = user.json(path, { method: 'PUT', body, headers: { 'x-croft': '1' } });
    await expect.poll(() => readdirSync(shared).filter((name) => name.startsWith('.croft-tmp-'))).toHaveLength(1);
    await mount(mode);
    send?.enqueue(Buffer.from('second part'));
    send?.close();
    expect(await uploading).toMatchObject({ status, body: { error: { code } } });
    expect(readdirSync(shared).sort()).toEqual(before);
    await mount('off');
  });

  it('cannot be opened where its namespace is a symbolic link; others work, and /readyz counts it', async () => {
    const me = (await user.json<{ user: { id: string } }>('/api/v1/me')).body.user.id;
    const { effective_root: root } = (await admin.json<{ effective_root: string }>(`/api/v1/namespace?user=${me}`))
      .body;
    renameSync(root, `${root}-away`);
    symlinkSync(`${root}-away`, root);
    try {
      const { body } = await admin.json(`/api/v1/namespace?user=${me}`);
      expect(body.resolution_error).toContain(`${root}: It is a symbolic link`);
      expect((await user.json('/api/v1/files')).status).toBe(503);
      expect((await admin.json('/api/v1/files')).status).toBe(200);
      await expect
        .poll(async () => (await admin.json('/readyz')).body)
        .toMatchObject({ status: 'ok', brokenNamespaces: 1 });
    } finally {
      rmSync(root);
      renameSync(`${root}-away`, root);
    }
  });

  it('is not ready while a mounted shared/ cannot be opened, because every call fails', async () => {
    await mount('read');
    const shared = join(server.baseDir, 'workspaces/shared');
    rmSync(shared, { recursive: true });
    writeFileSync(shared, 'a file');
    try {
      expect((await user.json('/api/v1/files')).status).toBe(503);
      await expect.poll(async () => (await admin.json('/readyz')).body.waitingFor).toBe('files');
    } finally {
      rmSync(shared);
      await mount('off');
    }
    await expect.poll(async () => (await admin.json('/readyz')).body.status).toBe('ok');
  });

  it('is described to an admin, for every user that exists', async () => {
    const me = (await user.json<{ user: { id: string } }>('/api/v1/me')).body.user.id;
    const { body } = await admin.json<{ effective_root: string }>(`/api/v1/namespace?user=${me}`);
    expect(body).toMatchObject({ auto_login: false, mode: 'isolated', resolution_error: null });
    expect(readdirSync(body.effective_root)).toEqual(['own.txt']);
    expect((await admin.json('/api/v1/namespace?user=nobody')).status).toBe(404);
    expect((await user.json('/api/v1/namespace')).status).toBe(403);
  });
});

describe('files that cannot be opened', () => {
  let server: TestServer;
  let page: Visitor;
  let token: string;
  useOpenServer((...started) => void ([server, page, token] = started));
  const workspaces = () => join(server.baseDir, 'workspaces');
  afterEach(() => rmSync(workspaces(), { recursive: true, force: true }));

  it('leave initialize and the list of tools working, and every call names CROFT_BASE_DIR', async () => {
    rmSync(workspaces(), { recursive: true, force: true });
    writeFileSync(workspaces(), 'a file');
    await withMcp(server, token, async (client) => {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain('list_dir');
      const path = 'a.txt';
      for (const [name, args] of Object.entries({
        read_file: { path },
        write_file: { path, content: 'x' },
        list_dir: {},
        glob_search: { pattern: '*' },
        grep_search: { pattern: 'x' },
        delete_path: { path },
      })) {
        const result = await client.callTool({ name, arguments: args });
        expect([name, result.isError, JSON.stringify(result)]).toEqual([
          name,
          true,
          expect.stringMatching(/Cannot create shared workspace: Not a directory\. Check that CROFT_BASE_DIR/i),
        ]);
        expect(JSON.stringify(result)).not.toContain(server.baseDir);
      }
    });
    const listing = await page.json<{ error: { code: string; message: string } }>('/api/v1/files');
    expect(listing).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } });
    expect(listing.body.error.message).toContain('CROFT_BASE_DIR');
    expect(await call(page, 'list_dir', {})).toMatchObject({
      status: 200,
      body: { ok: false, data: { error: expect.stringContaining('CROFT_BASE_DIR') } },
    });
    expect(server.lines.join('')).toContain(`Cannot create shared workspace at ${workspaces()}/shared`);
    const { body } = await page.json('/api/v1/namespace');
    expect(body).toMatchObject({
      auto_login: true,
      mode: 'shared',
      effective_root: null,
      resolution_error: expect.stringContaining(workspaces()),
    });
    await expect.poll(async () => (await page.json('/readyz')).body.waitingFor).toBe('files');
    rmSync(workspaces());
    expect((await put(page, 'back.txt', 'x')).status).toBe(201);
    expect((await page.json('/api/v1/namespace')).body.effective_root).toBe(join(workspaces(), 'shared'));
  });

  it('by a short pepper are refused with the same setting, in the mount and at the top', async () => {
    const env = { CROFT_BASE_DIR: server.baseDir };
    resolveNamespace({ userId: 'local', forceIsolation: true, env });
    writeFileSync(join(workspaces(), '.fs_pepper'), 'short');
    const { body } = await call(page, 'list_dir', {});
    expect(String(body.data.error)).toMatch(/^pepper is too short \(5 bytes\).*CROFT_BASE_DIR/);
  });

  it.each([
    ['workspaces/users is a file', (users: string) => writeFileSync(users, 'a file')],
    [
      'the namespace is a symbolic link',
      (users: string) => {
        const env = { CROFT_BASE_DIR: server.baseDir };
        const { root } = resolveNamespace({ userId: 'local', forceIsolation: true, env });
        const other = resolveNamespace({ userId: 'other', forceIsolation: true, env }).root;
        rmSync(root, { recursive: true });
        symlinkSync(other, join(users, basename(root)));
      },
    ],
  ])('are not ready where %s, and nothing of another user is reached', async (_, breakFiles) => {
    mkdirSync(workspaces());
    breakFiles(join(workspaces(), 'users'));
    const { body } = await call(page, 'list_dir', {});
    expect(String(body.data.error)).toMatch(/^Cannot create user namespace: .+CROFT_BASE_DIR/);
    expect((await page.json('/api/v1/namespace')).body.resolution_error).toContain(join(workspaces(), 'users'));
    await expect.poll(async () => (await page.json('/readyz')).body.waitingFor).toBe('files');
    rmSync(workspaces(), { recursive: true });
    await expect.poll(async () => (await page.json('/readyz')).body.waitingFor).toBe(undefined);
  });

  it('come back when their directory was removed, and no tree that was moved away is written', async () => {
    await put(page, 'a.txt', 'one');
    rmSync(join(workspaces(), 'shared'), { recursive: true });
    expect((await put(page, 'a.txt', 'two')).status).toBe(201);
    expect(readFileSync(join(workspaces(), 'shared/a.txt'), 'utf8')).toBe('two');
    const away = join(dirname(workspaces()), 'away');
    renameSync(workspaces(), away);
    expect((await put(page, 'b.txt', 'three')).status).toBe(201);
    expect((await call(page, 'write_file', { path: 'c.txt', content: 'four' })).body.ok).toBe(true);
    expect(readdirSync(join(away, 'shared'))).toEqual(['a.txt']);
    expect(readdirSync(join(workspaces(), 'shared'))).toEqual(['b.txt', 'c.txt']);
    rmSync(away, { recursive: true });
  });
});

it('ends the start with one sentence where the base directory cannot be used', async () => {
  await expect(startTestServer({ baseDir: '/proc/croft' })).rejects.toThrow(
    /^CROFT_BASE_DIR \(\/proc\/croft\) cannot be used: No such file or directory \(.+\)\. Make it writable for this user, or set CROFT_BASE_DIR to a place that is$/i,
  );
});
