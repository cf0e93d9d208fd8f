import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { type Daemon, type DaemonEvent, openSettings, runDaemon } from '@croft/gateway/daemon';
import { postTo, serveTestHub, type TestHub } from '@croft/gateway/hub/testing';
import { DAEMON_EXCLUDES, fixedWorkspace, makeToolset } from '@croft/tools';
import { openWorkspace, type Workspace } from '@croft/workspace';
import { makeScratch, type Scratch } from '@croft/workspace/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

// Croft's own daemon against Croft's own hub, over real HTTP.

let scratch: Scratch;
let hub: TestHub;
let closing: (() => Promise<unknown> | void)[];
let events: DaemonEvent[];

beforeEach(async () => {
  closing = [];
  events = [];
  hub = await serveTestHub();
});

afterEach(async () => {
  for (const close of closing.reverse()) await close();
  await hub.close();
  scratch.remove();
});

function share(lines: readonly string[], mayWrite = false): { workspace: Workspace; settingsFile: string } {
  scratch = makeScratch(lines);
  const base = join(scratch.base, 'base');
  const workspace = openWorkspace(scratch.workspace, { readOnly: !mayWrite, baseDir: base });
  closing.push(() => workspace.close());
  return { workspace, settingsFile: join(base, 'connect.json') };
}

const QUICK = {
  reconnect: { minMs: 10, maxMs: 50 },
  redeliver: { minMs: 5, maxMs: 20 },
  quietMs: 20,
  minIntervalMs: 20,
};

async function connectDaemon(
  { workspace, settingsFile }: ReturnType<typeof share>,
  options: { server?: string; token?: string; mayWrite?: boolean; timing?: object } = {},
): Promise<Daemon> {
  const server = options.server ?? hub.base.replace('/instance-ai', '');
  const source = fixedWorkspace(workspace);
  const explore = { tools: makeToolset('explore', source, { exploreExcludes: DAEMON_EXCLUDES }) };
  const daemon = await runDaemon({
    workspace,
    table: options.mayWrite ? { tools: makeToolset('full', source) } : explore,
    operations: explore,
    allowWrite: options.mayWrite ?? false,
    version: '0.0.0-test',
    settings: openSettings(settingsFile),
    target: { server, token: options.token },
    tell: (event) => events.push(event),
    env: {},
    timing: { ...QUICK, ...options.timing },
  });
  closing.push(() => daemon.stop());
  return daemon;
}

async function newToken(): Promise<string> {
  return (await postTo(`${hub.base}/gateway/create-link`, { user: 'ann' })).body.token as string;
}

async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + 20_000;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const isConnected = () => hub.hub.status('ann').connected;
const call = (name: string, input: object) => hub.hub.call('ann', { name, input });

/** Creates a connected daemon and hub. */
async function pair(lines: readonly string[], options: { mayWrite?: boolean; timing?: object } = {}) {
  const shared = share(lines, options.mayWrite);
  const daemon = await connectDaemon(shared, { token: await newToken(), ...options });
  await until(isConnected, 'the connection');
  return { daemon, shared };
}

describe('Croft’s daemon at Croft’s hub', () => {
  it('gives its user the four tools, with the answers a local directory would give', async () => {
    const { shared } = await pair(['src/a.ts = one\\ntwo\\nthree', 'notes.md = two', 'dist/out.js', '.env = SECRET']);
    expect(hub.hub.status('ann')).toMatchObject({ directory: shared.workspace.root, connected: true });
    const names = hub.hub.toolsFor('ann').map(({ name }) => name);
    expect(names.join(' ')).toBe('get-file-tree list-files read-file search-files');
    const local = {
      tools: makeToolset('explore', fixedWorkspace(shared.workspace), { exploreExcludes: DAEMON_EXCLUDES }),
    };
    const { callTool } = await import('@croft/tools');
    for (const [name, input] of [
      ['get-file-tree', { dirPath: '.' }],
      ['list-files', { dirPath: '.', pattern: '**/*.ts' }],
      ['read-file', { filePath: 'src/a.ts', startLine: 2, maxLines: 1 }],
      ['read-file', { filePath: 'no.txt' }],
      ['read-file', { filePath: '.env' }],
      ['read-file', { filePath: '../outside/secret.txt' }],
      ['search-files', { dirPath: '.', query: 'TWO' }],
    ] as const) {
      const remote = await call(name, input);
      const expected = await callTool(local, { name, input });
      expect(remote.ok, name).toBe(expected.ok);
      expect(remote.data, `${name} ${JSON.stringify(input)}`).toEqual(expected.data);
    }
  });

  it('keeps the hub’s tree in step with the directory', async () => {
    await pair(['src/a.ts']);
    writeFileSync(join(scratch.workspace, 'src/new.ts'), 'x');
    await until(
      async () => JSON.stringify((await call('list-files', { dirPath: 'src' })).data).includes('new.ts'),
      'the new tree',
    );
  });

  it('answers two hundred reads at once, each asked and answered once', async () => {
    await pair(['a.txt = hello']);
    const many = await Promise.all(Array.from({ length: 200 }, () => call('read-file', { filePath: 'a.txt' })));
    expect(many.filter(({ ok, data }) => ok && data.content === 'hello')).toHaveLength(200);
    // The bench measures how long a call takes (npm run bench:server -- --rows read-file).
    const told = (type: string) => events.filter((event) => event.type === type);
    await until(() => told('answered').length >= 200, 'the last word of the daemon');
    expect([told('called').length, told('answered').length, told('unanswered').length]).toEqual([200, 200, 0]);
  });

  it('changes files only where its person allowed it', async () => {
    await pair(['a.txt = one'], { mayWrite: true });
    expect(hub.hub.toolsFor('ann').map(({ name }) => name)).toContain('write_file');
    const { ok } = await call('write_file', { path: 'b.txt', content: 'new' });
    expect(ok).toBe(true);
    expect(readFileSync(join(scratch.workspace, 'b.txt'), 'utf8')).toBe('new');
  });

  it('takes over from an older daemon, which stops and says why', async () => {
    const { daemon: older, shared } = await pair(['a.txt = one']);
    const newer = await connectDaemon(shared, { token: await newToken() });
    expect((await older.done).reason).toBe('superseded');
    await until(() => newer.isConnected && isConnected(), 'the newer daemon');
    expect((await call('read-file', { filePath: 'a.txt' })).data.content).toBe('one');
  });

  it('started twice with one remembered session, only the newer goes on', async () => {
    const { daemon: older, shared } = await pair(['a.txt = one']);
    const newer = await connectDaemon(shared);
    expect((await older.done).reason).toBe('superseded');
    await until(() => newer.isConnected && isConnected(), 'the newer daemon');
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(newer.isConnected).toBe(true);
    // The end of the older daemon did not affect the newer one: the session is still remembered.
    expect(openSettings(shared.settingsFile).lastServer(shared.workspace.root)).toBeDefined();
  });

  it('ends when its user disconnects it, and its key is worth nothing', async () => {
    const { daemon, shared } = await pair([]);
    await postTo(`${hub.base}/gateway/disconnect-session`, { user: 'ann', body: {} });
    expect((await daemon.done).reason).toBe('disconnected');
    expect(openSettings(shared.settingsFile).lastServer(shared.workspace.root)).toBeUndefined();
    expect(hub.store.sessions.size).toBe(0);
  });

  it('that stops is gone at once, and its key with it', async () => {
    const { daemon } = await pair([]);
    await daemon.stop();
    expect(isConnected()).toBe(false);
    expect(hub.store.sessions.size).toBe(0);
  });

  it('goes on with a hub that was started again', async () => {
    const { daemon } = await pair(['a.txt = one']);
    const { port } = new URL(hub.base);
    await hub.close();
    hub = await serveTestHub({ store: hub.store, port: Number(port) });
    await until(isConnected, 'the connection to the new hub');
    expect((await call('read-file', { filePath: 'a.txt' })).data.content).toBe('one');
    expect(daemon.isConnected).toBe(true);
  });
});

describe('over a network that is cut', () => {
  it('a call that was on its way is answered once, and changes are made once', async () => {
    const wire = await startWire(Number(new URL(hub.base).port));
    closing.push(() => wire.close());
    const shared = share(['log.txt = start\\n'], true);
    await connectDaemon(shared, { server: wire.url, token: await newToken(), mayWrite: true });
    await until(isConnected, 'the connection');
    for (let i = 0; i < 15; i++) {
      const reads = Promise.all(Array.from({ length: 10 }, () => call('read_file', { path: 'log.txt' })));
      const write = call('append_file', { path: 'log.txt', content: `line ${i}\n` });
      if (i % 3 === 0) setTimeout(() => wire.cut(), i % 5);
      for (const read of await reads) expect(read.ok, JSON.stringify(read.data)).toBe(true);
      await write;
      await until(isConnected, 'the connection');
    }
    const lines = readFileSync(join(scratch.workspace, 'log.txt'), 'utf8').trim().split('\n').slice(1);
    expect(new Set(lines).size).toBe(lines.length);
  });

  it('a wire that goes silent is noticed by the missing pings', async () => {
    const wire = await startWire(Number(new URL(hub.base).port));
    closing.push(() => wire.close());
    const shared = share([]);
    const daemon = await connectDaemon(shared, {
      server: wire.url,
      token: await newToken(),
      timing: { pingMs: 60 },
    });
    await until(() => events.some(({ type }) => type === 'retrying'), 'the watchdog');
    await until(() => daemon.isConnected, 'the connection');
  });
});

describe('over a network that lets nothing through any more', () => {
  async function pairOverWire() {
    await hub.close();
    hub = await serveTestHub({ pingMs: 100, silenceMs: 50, answerMs: 1_500, callTimeoutMs: 1_000, blipMs: 50 });
    const wire = await startWire(Number(new URL(hub.base).port));
    closing.push(() => wire.close());
    const daemon = await connectDaemon(share(['a.txt = one']), { server: wire.url, token: await newToken() });
    await until(isConnected, 'the connection');
    return { wire, daemon };
  }

  it('a machine whose sockets all look open is soon no longer connected, and its calls end at once', async () => {
    const { wire, daemon } = await pairOverWire();
    for (let n = 0; n < 20; n++) {
      expect(isConnected()).toBe(true);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(events.filter(({ type }) => type === 'connected')).toHaveLength(1);
    wire.freeze(true);
    expect((await call('read-file', { filePath: 'a.txt' })).data.reason).toBe('timeout');
    await until(() => !isConnected(), 'the missing word');
    expect((await call('read-file', { filePath: 'a.txt' })).data.reason).toBe('not_connected');
    // The daemon reconnects by itself when the network is back.
    wire.freeze(false);
    await until(() => daemon.isConnected && isConnected(), 'the new connection');
    expect((await call('read-file', { filePath: 'a.txt' })).data.content).toBe('one');
  });
});

/** A TCP relay in front of a port. It can cut its connections, or freeze them without any sign to either end. */
async function startWire(port: number) {
  const { connect } = await import('node:net');
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const relay: Server = createServer((socket) => {
    const on = connect(port, '127.0.0.1');
    for (const one of [socket, on]) {
      sockets.add(one);
      one.on('error', () => {});
      one.on('close', () => {
        sockets.delete(one);
        if (isFrozen) return;
        socket.destroy();
        on.destroy();
      });
    }
    for (const [from, to] of [
      [socket, on],
      [on, socket],
    ] as const) {
      from.on('data', (chunk) => isFrozen || to.write(chunk));
      from.on('end', () => isFrozen || to.end());
    }
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(relay.address() as { port: number }).port}`,
    cut,
    /**
     * While frozen, the relay drops all data, including ends of connections; afterwards it accepts new connections and
     * cuts old ones.
     */
    freeze(wanted: boolean) {
      isFrozen = wanted;
      if (!wanted) cut();
    },
    async close() {
      isFrozen = false;
      cut();
      await new Promise((resolve) => relay.close(resolve));
    },
  };
}
