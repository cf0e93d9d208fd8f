import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, cookiesOf, startTestServer, type TestServer } from './testing.ts';

const recipe = /```nginx\n([\s\S]*?)```/.exec(
  readFileSync(join(import.meta.dirname, '../../../docs/reverse-proxy.md'), 'utf8'),
)?.[1];
const hasNginx = spawnSync('nginx', ['-v']).status === 0;

// Skipped where no nginx is installed: `apt-get install nginx-light` brings one.
describe.skipIf(!hasNginx)('behind nginx, by the recipe of docs/reverse-proxy.md', () => {
  let server: TestServer;
  let nginx: ChildProcess;
  let dir: string;
  let url: string;
  let cookie: string;

  beforeAll(async () => {
    const port = await freePort();
    url = `http://localhost:${port}/croft`;
    server = await startTestServer({ publicUrl: `${url}/`, trustedProxies: ['127.0.0.1', '::1'] });
    await server.running.ready;
    dir = mkdtempSync(join(tmpdir(), 'croft-nginx-'));
    const upstream = new URL(server.url).host;
    const location = recipe?.replace('127.0.0.1:7860', upstream);
    expect(location).toContain(upstream);
    writeFileSync(
      join(dir, 'nginx.conf'),
      `pid ${dir}/pid; error_log ${dir}/error.log; daemon off; worker_processes 1;
${process.getuid?.() === 0 ? 'user root;' : ''}
events {}
http {
  access_log off;
  client_body_temp_path ${dir}/body; proxy_temp_path ${dir}/proxy; fastcgi_temp_path ${dir}/f; uwsgi_temp_path ${dir}/u; scgi_temp_path ${dir}/s;
  server { listen 127.0.0.1:${port}; ${location} }
}`,
    );
    nginx = spawn('nginx', ['-p', dir, '-c', join(dir, 'nginx.conf')], { stdio: 'inherit' });
    const isUp = () =>
      fetch(`${url}/healthz`).then(
        (answer) => answer.ok,
        () => false,
      );
    await expect.poll(isUp).toBe(true);
    const answer = await ask('/api/v1/session', { method: 'POST', body: JSON.stringify(ADMIN), headers: JSON_TYPE });
    expect(answer.status).toBe(200);
    cookie = cookiesOf(answer);
    expect(answer.headers.getSetCookie()[0]).toMatch(/; Path=\/croft\/(;|$)/);
  });
  afterAll(async () => {
    nginx?.kill('SIGTERM');
    await server?.stop();
    if (dir) rmSync(dir, { recursive: true, force: true });
  });

  const JSON_TYPE = { 'content-type': 'application/json' };
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${url}${path}`, {
      ...init,
      headers: {
        origin: new URL(url).origin,
        'sec-fetch-site': 'same-origin',
        ...(cookie && { cookie }),
        ...(init.headers as Record<string, string>),
      },
    });

  it('people sign in and see the page below its path', async () => {
    expect(await (await ask('/api/v1/me')).json()).toMatchObject({ user: { role: 'admin' }, basePath: '/croft/' });
    expect(await (await ask('/')).text()).toContain('<base href="/croft/">');
  });

  it('events come as they happen', async () => {
    const answer = await ask('/api/v1/events');
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    let said = (await reader?.read())?.value ?? '';
    expect(said).toContain('event: gateway');
    await ask('/api/v1/files/mkdir', { method: 'POST', headers: JSON_TYPE, body: '{"root":"mine","path":"new"}' });
    while (!said.includes('event: files')) said += (await reader?.read())?.value ?? '';
    await reader?.cancel();
  });

  it('uploads larger than what nginx takes by itself go through', async () => {
    const answer = await ask('/api/v1/files/content?path=large.bin', {
      method: 'PUT',
      headers: { 'x-croft': '1' },
      body: Buffer.alloc(3_000_000),
    });
    expect(answer.status).toBe(201);
  });

  it('the gateway hands out its address, and its streams go through', async () => {
    const link = await ask('/instance-ai/gateway/create-link', { method: 'POST', headers: JSON_TYPE, body: '{}' });
    const { token, command } = (await link.json()) as { token: string; command: string };
    expect(command).toBe(`npx -y --fetch-retries=0 ${url}/dl/croft.tgz connect ${url} ${token}`);
    const init = await fetch(`${url}/instance-ai/gateway/init`, {
      method: 'POST',
      headers: { ...JSON_TYPE, 'x-gateway-key': token },
      body: JSON.stringify({ rootPath: '/home/me', tree: [], treeText: '' }),
    });
    const { sessionKey } = (await init.json()) as { sessionKey: string };
    const stream = await fetch(`${url}/instance-ai/gateway/events`, { headers: { 'x-gateway-key': sessionKey } });
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    const reader = stream.body?.getReader();
    expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
    await reader?.cancel();
  });
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
