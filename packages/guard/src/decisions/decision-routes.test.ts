import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { answerDecisions, createDecisionRoutes, guardHealth, type GuardRequest } from './decision-routes.ts';
import { createDecisionLog, type DecisionLog } from './decisions.ts';
import { createPageKeys, makePageCode, makePageSecret } from './page-key.ts';

const HOST = '127.0.0.1:8787';
const FACTS = {
  enabled: true,
  mode: 'enforce',
  strict: false,
  roots: ['/secret/project'],
  newTemporary: true,
} as const;

const make = (log: DecisionLog = createDecisionLog()) => {
  const secret = makePageSecret();
  const keys = createPageKeys(secret);
  const code = makePageCode(secret);
  const routes = createDecisionRoutes({ log, keys, facts: () => FACTS, version: '1.2.3', token: 'croft_token' });
  const ask = (url: string, headers: GuardRequest['headers'] = {}, method = 'GET') =>
    routes({ method, url, headers: { host: HOST, ...headers } });
  const key = () => {
    const opened = ask(`/guard/open?code=${code}`);
    return /"([\w-]+\.[\w-]+)"/.exec(opened?.body ?? '')?.[1] as string;
  };
  const asJson = (url: string, headers: GuardRequest['headers']) =>
    JSON.parse(ask(url, headers)?.body ?? '') as { decisions: Record<string, unknown>[] } & Record<string, unknown>;
  return { keys, code, routes, ask, key, asJson, log };
};

const record = (
  log: DecisionLog,
  path: string,
  tool = 'Write',
  agent = 'cline',
  mode: 'enforce' | 'dry-run' = 'enforce',
) =>
  log.record(
    {
      decision: 'block',
      rule: 'outside-path',
      reason: `Path '${path}' is outside`,
      paths: [{ written: path, read_as: path, inside: false }],
      accepted: '',
    },
    { tool, agent, wire: 'anthropic', mode, root: '/secret/project' },
  );

describe("the guard's own routes", () => {
  it('leave every other path alone, and keep all below /guard', () => {
    const { ask } = make();
    for (const url of ['/', '/v1/chat/completions', '/guardian', '/v1/../guard', '/healthz', '//guard'])
      expect(ask(url)).toBeUndefined();
    expect(ask('/guard/unknown')?.status).toBe(404);
    expect(ask('/guard', {}, 'POST')?.status).toBe(405);
  });

  it('show a browser no response of an upstream, whose script could read the key', () => {
    const { ask } = make();
    const headers = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    expect(ask('/v1/files/x', headers)?.status).toBe(403);
    expect(ask('/', headers)).toMatchObject({ status: 302, headers: { Location: '/guard' } });
    expect(ask('/guard', headers)?.status).toBe(200);
    expect(ask('/v1/x', { 'sec-fetch-mode': 'cors' })).toBeUndefined();
  });

  it('show decisions only with the key or the token', () => {
    const { ask, key, log } = make();
    record(log, '/etc/passwd');
    for (const headers of [{}, { 'x-croft-key': 'a.b' }, { authorization: 'Bearer wrong' }, { 'x-croft-key': '' }]) {
      const answer = ask('/guard/decisions', headers);
      expect(answer?.status).toBe(401);
      expect(answer?.body).not.toContain('passwd');
    }
    const good = key();
    expect(ask('/guard/decisions', { 'x-croft-key': good })?.body).toContain('/etc/passwd');
    expect(ask('/guard/decisions', { authorization: 'Bearer croft_token' })?.status).toBe(200);
    expect(ask('/guard/decisions', { 'x-croft-key': `${good}x` })?.status).toBe(401);
    expect(ask('/guard/decisions', { 'x-croft-key': `z${good}` })?.status).toBe(401);
    expect(make().ask('/guard/decisions', { 'x-croft-key': good })?.status).toBe(401);
  });

  it('do not mention a token if none is configured', () => {
    const { ask, log, keys } = make();
    const without = createDecisionRoutes({ log, keys, facts: () => FACTS, version: '1' });
    const answer = without({ method: 'GET', url: '/guard/decisions', headers: { host: HOST } });
    expect(answer?.status).toBe(401);
    expect(answer?.body).toContain('X-Croft-Key');
    expect(answer?.body).not.toContain('token');
    expect(ask('/guard/decisions')?.body).toContain('Bearer');
  });

  it('hand the key out once, to a person, and only for the code', () => {
    const { ask, code } = make();
    expect(ask('/guard/open?code=wrong')?.status).toBe(403);
    expect(ask('/guard/open')?.status).toBe(403);
    expect(ask(`/guard/open?code=${code}`, {}, 'HEAD')?.status).toBe(403);
    expect(ask(`/guard/open?code=${code}`)?.status).toBe(200);
    expect(ask(`/guard/open?code=${code}`)?.status).toBe(403);
  });

  it('expire keys and codes', () => {
    let now = 1_700_000_000_000;
    const secret = makePageSecret();
    const keys = createPageKeys(secret, () => now);
    const key = keys.redeem(makePageCode(secret, () => now));
    expect(keys.isKey(key)).toBe(true);
    now += 86_400_000;
    expect(keys.isKey(key)).toBe(false);
    const late = makePageCode(secret, () => now);
    now += 600_001;
    expect(keys.redeem(late)).toBeUndefined();
  });

  it.each([
    { host: 'evil.example' },
    { host: 'evil.example:8787' },
    { host: undefined },
    { host: '127.0.0.1@evil.example' },
    { origin: 'https://evil.example' },
    { origin: 'http://127.0.0.1:9999' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:8787.evil.example' },
  ])('refuse a request that a foreign page could have caused: %o', (headers) => {
    const { ask } = make();
    for (const url of ['/guard', '/guard/metrics', '/guard/decisions'])
      expect(ask(url, { authorization: 'Bearer croft_token', ...headers })?.status).toBe(403);
  });

  it('accept our own page under each of our names', () => {
    const { ask } = make();
    for (const host of ['127.0.0.1:8787', 'localhost:8787', '[::1]:8787'])
      expect(ask('/guard', { host, origin: `http://${host}` })?.status).toBe(200);
  });

  it('show numbers and settings to this machine, and no paths', () => {
    const { ask, log } = make();
    record(log, '/etc/passwd');
    const parts = { log, facts: () => FACTS, version: '1.2.3' };
    expect(guardHealth(parts)).toEqual({ version: '1.2.3', guard: 'enforce', strict: false, errors: 0, log_errors: 0 });
    expect(guardHealth({ ...parts, facts: () => ({ ...FACTS, enabled: false }) })).toMatchObject({ guard: 'off' });
    const metrics = ask('/guard/metrics');
    expect(metrics?.headers['Content-Type']).toContain('version=0.0.4');
    expect(metrics?.body).toContain('croft_guard_decisions_total{decision="block",rule="outside-path"} 1');
    for (const url of ['/guard', '/guard/metrics']) expect(ask(url)?.body).not.toMatch(/passwd|\/secret/);
  });

  it('filter by tool, agent, decision and time, and refuse an invalid filter', () => {
    const { ask, asJson, log } = make();
    const headers = { authorization: 'Bearer croft_token' };
    record(log, '/a', 'Write');
    const second = record(log, '/b', 'Edit', 'codex');
    const pathsOf = (query: string) =>
      asJson(`/guard/decisions?${query}`, headers).decisions.map(
        ({ paths }) => (paths as { written: string }[])[0]?.written,
      );
    expect(pathsOf('')).toEqual(['/b', '/a']);
    expect(pathsOf('tool=Edit')).toEqual(['/b']);
    expect(pathsOf('agent=cline')).toEqual(['/a']);
    expect(pathsOf('limit=1')).toEqual(['/b']);
    expect(pathsOf('decision=allow')).toEqual([]);
    expect(pathsOf(`since=${second.id}`)).toEqual([]);
    expect(pathsOf('since=2020-01-31T12:00:00Z')).toEqual(['/b', '/a']);
    expect(pathsOf('since=2020-01-31')).toEqual(['/b', '/a']);
    expect(pathsOf('since=9999-01-31')).toEqual([]);
    expect(asJson('/guard/decisions?limit=1', headers)).toMatchObject({
      agents: ['cline', 'codex'],
      tools: ['Edit', 'Write'],
    });
    for (const query of [
      'limit=0',
      'limit=x',
      'limit=-1',
      'decision=maybe',
      'since=banana',
      'since=2026-13-01',
      'since=1',
    ])
      expect(ask(`/guard/decisions?${query}`, headers)?.status).toBe(400);
  });

  it('count calls that passed in a dry run apart from blocked ones', () => {
    const { asJson, log } = make();
    record(log, '/a');
    for (const path of ['/b', '/c']) record(log, path, 'Write', 'cline', 'dry-run');
    const { kept } = asJson('/guard/decisions', { authorization: 'Bearer croft_token' });
    expect(kept).toEqual({ calls: 3, blocked: 1, dryRun: 2 });
  });

  it('offer the configuration that would allow a path outside', () => {
    const { asJson, log } = make();
    record(log, '/srv/data/x');
    const [first] = asJson('/guard/decisions', { authorization: 'Bearer croft_token' }).decisions;
    expect((first as { allow: { yaml: string } }).allow.yaml).toBe(
      'sandboxing:\n  projects:\n    /secret/project:\n      allowed_roots:\n        - /srv/data\n',
    );
  });

  it('render pages without content from the request', () => {
    const { ask } = make();
    const page = ask('/guard');
    const csp = page?.headers['Content-Security-Policy'] ?? '';
    expect(csp).toContain("default-src 'none'");
    expect(csp).not.toContain('unsafe');
    expect(page?.headers).toMatchObject({ 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' });
    expect(page?.body).not.toMatch(/(?:src|href)="https?:/);
    expect(ask('/guard')?.headers['Content-Security-Policy']).not.toBe(csp);
  });

  it('answer over a real server, and let the rest through', async () => {
    const { routes, code } = make();
    const server = createServer((request, response) => {
      if (!answerDecisions(routes, request, response)) response.end('upstream');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      expect(await (await fetch(`${url}/v1/x`)).text()).toBe('upstream');
      const head = await fetch(`${url}/guard/open?code=${code}`, { method: 'HEAD' });
      expect(head.status).toBe(403);
      expect((await fetch(`${url}/guard/open?code=${code}`)).status).toBe(200);
      expect((await fetch(`${url}/guard/decisions`, { method: 'POST', body: 'x'.repeat(100_000) })).status).toBe(405);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
});
