import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { createServer, get, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { fileDir, testDir } from '../../../tests/support/temp-dir.ts';
import { openGuardInside } from './guard-inside.ts';
import { guardLines } from './guard-statement.ts';
import { createLog } from './log.ts';
import { makeKey, startTestServer, type TestServer, type Visitor } from './testing.ts';

let upstream: Server;
const ENDLESS = 'answer without an end';
let seen: IncomingHttpHeaders[] = [];
/** Requests whose reply the client left. */
const left: string[] = [];
let server: TestServer;
let page: Visitor;
let key: string;
const root = fileDir();

const NOT_SET = { guardKeyRoots: [], guardRootsBelow: undefined, guardPass: undefined };

/** A model that wants to write where its request says. */
function answerOf(path: string): string {
  const call = { name: 'write_file', arguments: JSON.stringify({ path, content: 'x' }) };
  const message = { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: call }] };
  return JSON.stringify({
    id: 'x',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
  });
}

beforeAll(async () => {
  upstream = createServer((request, response) => {
    seen.push(request.headers);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { messages } = JSON.parse(Buffer.concat(chunks).toString()) as { messages: { content: string }[] };
      if (messages[0]?.content === ENDLESS) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('data: {"choices":[{"index":0,"delta":{"content":"on"}}]}\n\n');
        response.once('close', () => left.push(ENDLESS));
        return;
      }
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(answerOf(messages[0]?.content ?? ''));
    });
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  const { port } = upstream.address() as AddressInfo;
  server = await startTestServer({ autoLogin: true, guardUpstreams: [`http://127.0.0.1:${port}`], guardRoot: root });
  await server.running.ready;
  page = await server.openPage();
  key = await makeKey(page);
});
afterAll(async () => {
  await server?.stop();
  upstream?.close();
});

const ask = (path: string, headers: Record<string, string>) => {
  seen = [];
  return fetch(`${server.url}/guard/proxy/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer sk-of-the-model', ...headers },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: path }] }),
  });
};

describe('the guard inside the server', () => {
  it('is described to the operator by the running server', () => {
    expect(server.running.guard[0]).toBe(realpathSync(root));
  });

  it('ends a reply under way, also at the model, once its key was revoked', async () => {
    const made = await page.json<any>('/api/v1/keys', { method: 'POST', json: { name: 'leaked' } });
    const answer = await ask(ENDLESS, { 'X-Croft-Key': made.body.secret });
    const reader = answer.body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    await page.json(`/api/v1/keys/${made.body.key.id}`, { method: 'DELETE', headers: { 'x-croft': '1' } });
    await expect(reader?.read()).rejects.toThrow();
    await expect.poll(() => left).toEqual([ENDLESS]);
  });

  it('lets a call inside the project through as it came, with the key of the model alone', async () => {
    const path = join(root, 'a.txt');
    const answer = await ask(path, { 'X-Croft-Key': key, cookie: page.cookie ?? '' });
    expect(await answer.text()).toBe(answerOf(path));
    expect(seen[0]?.authorization).toBe('Bearer sk-of-the-model');
    expect(JSON.stringify(seen)).not.toContain(key);
    expect(JSON.stringify(seen)).not.toContain('croft_session');
  });

  it('stops one that leads outside, and shows it to admins', async () => {
    const answer = await ask('/etc/cron.d/x', { 'x-croft-key': key });
    expect(await answer.text()).not.toContain('"tool_calls":[{');
    const decisions = await page.request('/guard/decisions');
    expect(decisions.status).toBe(200);
    expect(await decisions.text()).toContain('/etc/cron.d/x');
    expect((await page.request('/guard')).headers.get('content-type')).toContain('text/html');
  });

  it.each([
    ['no key', {}],
    ['a wrong key', { 'x-croft-key': `croft_${'a'.repeat(43)}` }],
    ['the key of the model', { 'x-croft-key': 'sk-of-the-model' }],
  ])('passes nothing on with %s', async (_, headers) => {
    const answer = await ask(join(root, 'a.txt'), headers as Record<string, string>);
    expect(answer.status).toBe(401);
    expect(seen).toEqual([]);
  });

  it.each(['/a/../../b', '/%2e%2e/b', '/a/..%2f..%2Fb', '/a/.%2E\\b', '/..?x'])(
    'leads to no other part of the upstream: %s',
    async (path) => {
      seen = [];
      const { port } = new URL(server.url);
      // Not by `fetch`, which makes such paths plain.
      const status = await new Promise<number | undefined>((resolve, reject) => {
        get({ port, host: '127.0.0.1', path: `/guard/proxy${path}`, headers: { 'x-croft-key': key } }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        }).on('error', reject);
      });
      expect(status).toBe(400);
      expect(seen).toEqual([]);
    },
  );

  it('does not show decisions to other callers', async () => {
    for (const path of ['/guard', '/guard/decisions', '/guard/metrics', '/guard/open?code=x'])
      expect((await server.stranger.request(path)).status).toBe(401);
    const foreign = await page.request('/guard/decisions', { headers: { 'sec-fetch-site': 'cross-site' } });
    expect(foreign.status).toBe(403);
  });
});

describe('what the guard inside the server states at start', () => {
  let scratch: string;
  let project: string;
  let baseDir: string;
  let logged: string[];

  beforeEach(() => {
    scratch = testDir();
    project = join(scratch, 'project');
    baseDir = join(scratch, 'base');
    mkdirSync(join(project, '.git'), { recursive: true });
    mkdirSync(join(project, 'src'));
    mkdirSync(baseDir);
    logged = [];
  });
  afterEach(() => vi.unstubAllEnvs());

  /** The lines for the operator. The log's warnings are in `logged`. */
  async function stated(guardRoot: string | undefined, cwd = scratch): Promise<readonly string[]> {
    const log = createLog('warn', (line) => logged.push(line), false);
    const settings = { baseDir, guardUpstreams: ['http://127.0.0.1:9'], guardRoot, ...NOT_SET };
    const guard = await openGuardInside(settings, '0', log, cwd);
    guard?.close();
    return guard === undefined ? [] : guardLines(guard.statement);
  }

  it('names the root, the mode and the files of the policy', async () => {
    const usual = 'enforce, default (policy: no file, the defaults and the environment)';
    expect(await stated(project)).toEqual([project, usual]);
    const own = join(baseDir, 'croft.config.yaml');
    writeFileSync(own, 'sandboxing:\n  strict_mode: true\n');
    expect(await stated(project)).toEqual([project, `enforce, strict (policy: ${own})`]);
    expect(logged).toEqual([]);
  });

  it('logs a blocked call with its path, in the words of llm-interactive-proxy', async () => {
    const { port } = upstream.address() as AddressInfo;
    const log = createLog('info', (line) => logged.push(line), false);
    const settings = { baseDir, guardUpstreams: [`http://127.0.0.1:${port}`], guardRoot: project, ...NOT_SET };
    const guard = await openGuardInside(settings, '0', log, scratch);
    const front = createServer((request, response) => guard?.proxy(request, response));
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: '/etc/cron.d/x' }] });
    await fetch(`${url}/guard/proxy/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    }).then((answer) => answer.text());
    guard?.close();
    front.close();
    expect(logged.join('\n')).toContain(`[INFO] File sandboxing handler initialized with project root: ${project}`);
    expect(logged.join('\n')).toContain(
      "File sandboxing violation detected for tool 'write_file' (path '/etc/cron.d/x', rule outside-path, agent node)",
    );
  });

  it('answers a websocket with 426 below its path', async () => {
    const { port } = new URL(server.url);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { 'x-croft-key': key, connection: 'Upgrade', upgrade: 'websocket' };
      const request = get({ port, host: '127.0.0.1', path: '/guard/proxy/v1/responses', headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      request.on('error', reject);
    });
    expect(status).toBe(426);
  });

  it('warns that it is off, and by what', async () => {
    vi.stubEnv('ENABLE_SANDBOXING', 'false');
    const [, mode, warning] = await stated(project);
    expect(mode).toMatch(/^off /);
    expect(warning).toBe('WARNING: The guard is off (ENABLE_SANDBOXING): every call passes.');
    expect(logged.join()).toContain('The guard is off (ENABLE_SANDBOXING)');
  });

  it('warns that it is in dry-run mode', async () => {
    writeFileSync(join(baseDir, 'croft.config.yaml'), 'sandboxing:\n  mode: dry-run\n');
    const [, mode, warning] = await stated(project);
    expect(mode).toMatch(/^dry-run, default/);
    expect(warning).toContain('every call passes');
    expect(logged.join()).toContain('dry-run');
  });

  it('warns of each loosening in the project that it ignores', async () => {
    const file = join(project, 'croft.config.yaml');
    writeFileSync(file, 'sandboxing:\n  enabled: false\n');
    const [, mode, warning] = await stated(project);
    expect(mode).toMatch(/^enforce/);
    expect(warning).toContain(`${file}:2:`);
    expect(warning).toContain('sandboxing.enabled is not obeyed');
    expect(logged.join()).toContain('sandboxing.enabled is not obeyed');
  });

  it('finds the project that the server is started in', async () => {
    expect((await stated(undefined, join(project, 'src')))[0]).toBe(project);
  });

  it('does not start without a project, or with a policy that it cannot read', async () => {
    await expect(stated(undefined, tmpdir())).rejects.toThrow(/CROFT_GUARD_ROOT/);
    writeFileSync(join(baseDir, 'croft.config.yaml'), 'sandboxing:\n  strict: true\n');
    await expect(stated(project)).rejects.toMatchObject({ name: 'ConfigError' });
  });
});

describe('what the guard inside the server shares with croft guard serve', () => {
  let scratch: string;
  let baseDir: string;
  let project: string;
  let other: string;
  let url: string;
  let logged: string[];
  let close: () => void = () => undefined;

  beforeEach(() => {
    scratch = testDir();
    baseDir = join(scratch, 'base');
    project = join(scratch, 'projects/one');
    other = join(scratch, 'projects/two');
    for (const dir of [baseDir, project, other]) mkdirSync(dir, { recursive: true });
    logged = [];
  });
  afterEach(() => close());

  async function open(more: { guardRootsBelow?: string } = {}, to = upstream): Promise<void> {
    const { port } = to.address() as AddressInfo;
    const log = createLog('warn', (line) => logged.push(line), false);
    const settings = { baseDir, guardUpstreams: [`http://127.0.0.1:${port}`], guardRoot: project, ...NOT_SET, ...more };
    const guard = await openGuardInside(settings, '0', log, scratch);
    const front = createServer((request, response) => guard?.proxy(request, response));
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(front.address() as AddressInfo).port}/guard/proxy/v1/chat/completions`;
    close = () => {
      front.close();
      front.closeAllConnections();
      guard?.close();
    };
  }

  /** Whether the call of the model that wants to write to `path` reaches the agent. */
  async function passes(path: string, headers: Record<string, string> = {}): Promise<boolean> {
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: path }] });
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    return (await answer.text()).includes('"tool_calls":[{');
  }

  it('takes the project that a request names, below the configured directory alone', async () => {
    await open({ guardRootsBelow: join(scratch, 'projects') });
    expect(await passes(join(other, 'a.txt'))).toBe(false);
    expect(await passes(join(other, 'a.txt'), { 'x-croft-root': other })).toBe(true);
    expect(await passes(join(baseDir, 'a.txt'), { 'x-croft-root': baseDir })).toBe(false);
  });

  it('tells agents apart', async () => {
    writeFileSync(
      join(baseDir, 'croft.config.yaml'),
      `sandboxing:\n  agents: {trusted: {allowed_roots: [${JSON.stringify(other)}]}}\n`,
    );
    await open();
    expect(await passes(join(other, 'a.txt'), { 'user-agent': 'trusted/1' })).toBe(true);
    expect(await passes(join(other, 'a.txt'), { 'user-agent': 'other/1' })).toBe(false);
  });

  it('reads a changed policy file of the project without a restart', async () => {
    await open();
    expect(await passes(join(project, 'deploy/a.txt'))).toBe(true);
    writeFileSync(join(project, 'croft.config.yaml'), 'sandboxing:\n  protect: [default, deploy/**]\n');
    expect(await passes(join(project, 'deploy/a.txt'))).toBe(false);
  });

  it('logs a blocked call once, although the model repeats it', async () => {
    await open();
    expect(await passes('/etc/cron.d/x')).toBe(false);
    expect(logged.filter((line) => line.includes('violation detected'))).toHaveLength(1);
  });

  it('logs a model that cannot be reached once a minute', async () => {
    const gone = createServer();
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
    await open({}, gone);
    gone.close();
    for (let i = 0; i < 3; i++) expect(await passes('/etc/x')).toBe(false);
    expect(logged.filter((line) => line.includes('cannot be reached'))).toHaveLength(1);
  });
});
