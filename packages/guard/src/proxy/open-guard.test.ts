import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { createPageKeys, makePageSecret } from '../decisions/page-key.ts';
import { findGuardConfig } from '../policy/find-config.ts';
import { type BlockedCall, type GuardOptions, type OpenGuard, openGuard } from './open-guard.ts';
import { type Asked, completion, openTestProxy, sendJson, type TestProxy } from './testing.ts';

const HOSTILE = JSON.stringify({ path: '/etc/x', content: '' });
let base: string;
let root: string;
let blocked: BlockedCall[];
let notices: string[];
let lost: string[];
let refused: string[];
let guard: OpenGuard;

beforeEach(() => {
  base = testDir();
  root = join(base, 'project');
  mkdirSync(root);
  [blocked, notices, lost, refused] = [[], [], [], []];
});

async function open(
  answer: (asked: Asked, response: Parameters<typeof sendJson>[0], count: number) => void,
  { own = '', ...options }: Partial<GuardOptions> & { own?: string } = {},
): Promise<TestProxy> {
  if (own !== '') writeFileSync(join(base, 'croft.config.yaml'), own);
  const proxy = await openTestProxy(answer, {
    server: (url) => {
      guard = openGuard({
        config: findGuardConfig({ env: {}, baseDir: base }, root),
        upstreams: [{ prefix: '', url }],
        root,
        keyRoots: [],
        rootsBelow: undefined,
        keys: createPageKeys(makePageSecret()),
        version: '1.2.3',
        baseDir: base,
        servesPage: true,
        onBlocked: (call) => blocked.push(call),
        onNotice: (notice) => notices.push(notice),
        onUnreachable: ({ url: { href } }) => lost.push(href),
        onRefused: ({ path, pattern }) => refused.push(`${path} ${pattern}`),
        onLogError: () => {},
        ...options,
      });
      return guard.server;
    },
  });
  onTestFinished(() => guard.close());
  return proxy;
}
const calling = (name: string, args = HOSTILE) => completion(args).replace('"name":"w"', `"name":"${name}"`);

it('blocks by the policy, records the call and reports it once', async () => {
  const { chat, health } = await open((_, response) => sendJson(response, calling('write_file')));
  expect((await chat({}, { 'User-Agent': 'cline/1' })).body).not.toContain('/etc/x","content');
  expect(blocked).toHaveLength(1);
  expect(blocked[0]).toMatchObject({ tool: 'write_file', rule: 'outside-path', blocked: true });
  expect(blocked[0]?.line).toContain('/etc/x');
  expect(await health()).toMatchObject({ status: 'ok', version: '1.2.3' });
  guard.close();
  expect(existsSync(join(base, 'guard'))).toBe(true);
});

it('serves its policy, and records the mode of a call', async () => {
  const { chat, send } = await open((_, response) => sendJson(response, calling('write_file')), {
    own: 'sandboxing: {mode: dry-run, strict_mode: true, protect: [p], deny_read: [d]}\n',
  });
  await chat({}, { 'User-Agent': 'cline/1' });
  expect(JSON.parse((await send('/healthz')).body)).toMatchObject({
    status: 'ok',
    version: '1.2.3',
    guard: 'dry-run',
    strict: true,
    errors: 0,
    log_errors: 0,
  });
  const [line = ''] = readFileSync(join(base, 'guard/decisions.1.ndjson'), 'utf8').split('\n');
  expect(JSON.parse(line)).toMatchObject({ tool: 'write_file', mode: 'dry-run', root, decision: 'block', model: 'm' });
});

it('reports two equal calls of one reply, and does not report an allowed one', async () => {
  const two = completion(HOSTILE, HOSTILE, '{"path":"a","content":""}').replaceAll('"name":"w"', '"name":"write_file"');
  const { chat } = await open((_, response) => sendJson(response, two));
  await chat();
  expect(blocked).toHaveLength(2);
  await chat();
  expect(blocked).toHaveLength(4);
});

it('lets a blocked call pass in a dry run, and everything when it is off', async () => {
  const body = calling('write_file');
  const dry = await open((_, response) => sendJson(response, body), { own: 'sandboxing:\n  mode: dry-run\n' });
  expect((await dry.chat()).body).toBe(body);
  expect(blocked).toMatchObject([{ blocked: false }]);
  expect(guard.policy.mode).toBe('dry-run');
  const off = await open((_, response) => sendJson(response, body), { own: 'sandboxing:\n  enabled: false\n' });
  expect((await off.chat()).body).toBe(body);
  expect([blocked.length, guard.policy.enabled]).toEqual([1, false]);
});

it('reports an upstream that is not reached once a minute, and counts each time', async () => {
  const { chat, upstream, send } = await open((_, response) => response.destroy());
  await chat();
  await chat();
  expect(lost).toEqual([upstream.href]);
  expect((await send('/guard/metrics')).body).toMatch(/^croft_guard_upstream_errors_total 2$/m);
});

it.each([false, true])('names every place on its page that calls may write to, in strict mode: %s', async (strict) => {
  const further = join(base, 'further');
  const system = join(base, 'system');
  for (const dir of [further, system]) mkdirSync(dir);
  vi.stubEnv('TMPDIR', system);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { send } = await open((_, response) => sendJson(response, 'up'), {
    own: `sandboxing: {strict_mode: ${strict}, allowed_roots: [further, missing]}\n`,
    keys: { redeem: () => 'k', isKey: () => true },
  });
  const { facts } = JSON.parse((await send('/guard/decisions')).body) as { facts: object };
  expect(facts).toMatchObject({ roots: [root, further, join(base, 'tmp')], newTemporary: !strict });
});

it('reports a path that it does not know once, with a pattern that lets it pass', async () => {
  const { send } = await open((_, response) => sendJson(response, 'up'));
  for (const path of ['/v1/new?key=secret', '/V1//new/', "/v1/$(x)'.y"]) {
    expect((await send(path, { method: 'POST' })).status).toBe(403);
  }
  expect(refused).toEqual(['/v1/new ^/v1/new$', "/v1/$(x)'.y ^/v1/..x...y$"]);
  const passPaths = refused.map((line) => new RegExp(line.split(' ')[1] as string));
  const passing = await open((_, response) => sendJson(response, 'up'), { passPaths });
  expect((await passing.send("/v1/$(x)'.y", { method: 'POST' })).body).toBe('up');
});

it('answers its page itself only if it serves the page', async () => {
  const serving = await open((_, response) => sendJson(response, 'up'));
  expect((await serving.send('/guard')).body).toContain('<title>Croft guard</title>');
  const handing = await open((_, response) => sendJson(response, 'up'), { servesPage: false });
  expect((await handing.send('/guard')).body).toBe('up');
  expect(await handing.health()).toEqual({ status: 'ok', open: 0, held: 0 });
});

it('reports a notice about a project once, and none that the configuration had', async () => {
  writeFileSync(join(root, 'croft.config.yaml'), 'sandboxing:\n  enabled: false\n');
  const { chat } = await open((_, response) => sendJson(response, calling('write_file')));
  await chat();
  expect(notices).toEqual([]);
});

it('takes the host names and paths that the options name', async () => {
  const { send } = await open((_, response) => sendJson(response, 'up'), {
    hostnames: ['guard.test'],
    passPaths: [/^\/v1\/x$/],
  });
  const headers = { Host: 'guard.test:1' };
  expect((await send('/v1/x', { method: 'POST', headers })).body).toBe('up');
  expect((await send('/v1/x', { method: 'POST' })).status).toBe(403);
  expect((await send('/guard', { headers })).status).toBe(200);
});
