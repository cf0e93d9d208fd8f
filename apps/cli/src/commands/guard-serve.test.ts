import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { makeSurroundings, PROGRAM, type Surroundings } from '@croft/mcp/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCroftHere } from '../../../../tests/support/run-croft-here.ts';
import { serveHere } from '../../../../tests/support/serve-here.ts';
import { UsageError } from '../usage-error.ts';
import { type GuardServeFlags, runGuardServe } from './guard-serve.ts';

let surroundings: Surroundings;
let project: string;
let other: string;
let model: Server;
let seen: { headers: Record<string, unknown>; url: string | undefined }[];
let running: ChildProcess | undefined;

/** A model that answers the first requests with a call that writes to this path, and later ones with text. */
let writes = '';
/** The number of answers with that call. */
let repeats = 1;

beforeEach(async () => {
  surroundings = makeSurroundings();
  project = join(surroundings.home, 'project');
  other = join(surroundings.home, 'projects/other');
  for (const dir of [project, other]) mkdirSync(join(dir, '.git'), { recursive: true });
  seen = [];
  repeats = 1;
  model = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      seen.push({ headers: request.headers, url: request.url });
      const call = {
        id: 'call_1',
        type: 'function',
        function: { name: 'write_file', arguments: argumentsFor(writes) },
      };
      const message = seen.length <= repeats ? { content: null, tool_calls: [call] } : { content: 'Understood.' };
      const finish = seen.length <= repeats ? 'tool_calls' : 'stop';
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(
        JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }] }),
      );
    });
  });
  await new Promise<void>((done) => model.listen(0, '127.0.0.1', done));
});

afterEach(async () => {
  await stop();
  await new Promise((done) => model.close(done));
  surroundings.remove();
});

const argumentsFor = (path: string) => JSON.stringify({ path, content: 'x' });
const upstream = () => `http://127.0.0.1:${(model.address() as AddressInfo).port}`;

async function serve(args: readonly string[] = [], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [PROGRAM, 'guard', 'serve', '--upstream', upstream(), '--port', '0', ...args], {
    cwd: project,
    env: { ...surroundings.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running = child;
  let stdout = '';
  let stderr = '';
  child.stderr.on('data', (part) => (stderr += String(part)));
  await new Promise<void>((done, fail) => {
    child.stdout.on('data', (part) => {
      stdout += String(part);
      if (stdout.includes('works once')) done();
    });
    child.on('exit', (code) => fail(new Error(`ended with ${code}: ${stderr}`)));
  });
  const origin = /OPENAI_BASE_URL=(http:\S+)\/v1/.exec(stdout)?.[1] ?? '';
  return { origin, stdout, stderr: () => stderr };
}

function stop(): Promise<number | null> {
  const child = running;
  running = undefined;
  if (!child || child.exitCode !== null) return Promise.resolve(child?.exitCode ?? null);
  return new Promise((done) => {
    child.removeAllListeners('exit').on('exit', done);
    child.kill('SIGTERM');
  });
}

async function chat(origin: string, headers: Record<string, string> = {}): Promise<string> {
  const answer = await fetch(`${origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer sk-secret', ...headers },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'go' }] }),
  });
  return answer.text();
}

/** Uses node:http, because `fetch` sets Host itself. */
function statusFor(port: number, host: string, path = '/guard'): Promise<number | undefined> {
  return new Promise((done, fail) => {
    get({ host: '127.0.0.1', port, path, headers: { host } }, (response) => {
      response.resume();
      done(response.statusCode);
    }).on('error', fail);
  });
}

describe('croft guard serve', () => {
  it('accepts the names of --allowed-host, and refuses URLs there', async () => {
    const { origin } = await serve(['--allowed-host', 'Guard.example.org', '--allowed-host', '10.9.8.7']);
    const port = Number(new URL(origin).port);
    expect(await statusFor(port, 'guard.example.org', '/healthz')).toBe(200);
    expect(await statusFor(port, 'guard.example.org:8443', '/healthz')).toBe(200);
    expect(await statusFor(port, '10.9.8.7', '/healthz')).toBe(200);
    expect(await statusFor(port, 'evil.example.org', '/healthz')).toBe(403);
    for (const bad of ['https://x.y', 'x.y:80', '*', 'x/y', '']) {
      const args = ['guard', 'serve', '--upstream', upstream(), '--port', '0', '--allowed-host', bad];
      const { code, stderr } = await runCroftHere(args, { cwd: project, env: surroundings.env });
      expect(`${bad} ${code} ${stderr}`).toMatch(/ [12] .*--allowed-host/);
    }
  });

  it('finds the project, prints the base URLs, and blocks a call that leaves the project', async () => {
    writes = '/etc/x';
    const { origin, stdout, stderr } = await serve();
    expect(stdout).toMatch(/^Guarding .*\n +Mode +enforce, default\n +Policy +no file read\n/);
    expect(stdout).toContain(`Guarding ${project}`);
    // Codex ignores OPENAI_BASE_URL.
    expect(stdout).toContain(`codex -c openai_base_url="${origin}/v1"`);
    expect(await chat(origin)).toContain('Understood.');
    expect(seen).toHaveLength(2);
    expect(stderr()).toContain("[INFO] File sandboxing violation detected for tool 'write_file'");
    expect(await (await fetch(`${origin}/guard/metrics`)).text()).toContain(
      'croft_guard_decisions_total{decision="block",rule="outside-path"} 1',
    );
    expect(await stop()).toBe(0);
    const log = readFileSync(join(surroundings.base, 'guard/decisions.1.ndjson'), 'utf8');
    expect(log).toContain('"/etc/x"');
    expect(log + stderr()).not.toContain('sk-secret');
  });

  it("forwards allowed calls with the client's key and without the guard's own headers", async () => {
    writes = 'src/a.ts';
    const { origin } = await serve();
    expect(await chat(origin, { 'x-croft-root': '/' })).toContain('src/a.ts');
    expect(seen[0]?.headers).toMatchObject({ authorization: 'Bearer sk-secret' });
    expect(seen[0]?.headers).not.toHaveProperty('x-croft-root');
  });

  it('accepts a project from the header only below --roots-below', async () => {
    writes = join(other, 'x');
    const below = join(surroundings.home, 'projects');
    const { origin } = await serve(['--roots-below', below]);
    expect(await chat(origin, { 'x-croft-root': other })).toContain('tool_calls');
    seen.length = 0;
    writes = join(project, 'x');
    expect(await chat(origin, { 'x-croft-root': project })).toContain('Understood.');
    seen.length = 0;
    expect(await chat(origin, { 'x-croft-root': join(below, '../project') })).toContain('Understood.');
    await stop();
    seen.length = 0;
    writes = join(other, 'x');
    const { origin: without } = await serve();
    expect(await chat(without, { 'x-croft-root': other })).toContain('Understood.');
  });

  it('chooses the project by the key', async () => {
    writes = join(other, 'x');
    const digest = createHash('sha256').update('sk-secret').digest('hex').slice(0, 12);
    const { origin } = await serve(['--key-root', `${digest}=${other}`]);
    expect(await chat(origin)).toContain('tool_calls');
    seen.length = 0;
    expect(await chat(origin, { authorization: 'Bearer sk-other' })).toContain('Understood.');
  });

  it('forwards a request with its body to the upstream of its model', async () => {
    writes = 'src/a.ts';
    const bodies: string[] = [];
    const elsewhere = createServer((request, response) => {
      let body = '';
      request.on('data', (part) => (body += String(part)));
      request.on('end', () => {
        bodies.push(body);
        response.writeHead(200, { 'Content-Type': 'application/json' });
        response.end('{"choices":[{"index":0,"message":{"role":"assistant","content":"elsewhere"}}]}');
      });
    });
    await new Promise<void>((done) => elsewhere.listen(0, '127.0.0.1', done));
    try {
      const there = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
      const { origin } = await serve(['--upstream', `model:other-*=${there}`]);
      expect(await chat(origin)).toContain('src/a.ts');
      for (const size of [1, 3_000_000]) {
        const sent = JSON.stringify({ model: 'other-1', messages: [{ role: 'user', content: 'x'.repeat(size) }] });
        const answer = await fetch(`${origin}/v1/chat/completions`, { method: 'POST', body: sent });
        expect(await answer.text()).toContain('elsewhere');
        expect(bodies.at(-1)).toBe(sent);
      }
      expect(seen).toHaveLength(1);
    } finally {
      elsewhere.closeAllConnections();
      await new Promise((done) => elsewhere.close(done));
    }
  });

  it('blocks every call without a project', async () => {
    writes = 'a.ts';
    const bare = join(surroundings.root, 'bare');
    mkdirSync(bare);
    const child = await (async () => {
      const from = project;
      project = bare;
      try {
        return await serve();
      } finally {
        project = from;
      }
    })();
    expect(child.stdout).toContain('no tool call will pass');
    expect(child.stdout.trimEnd().split('\n').at(-1)).toContain('--root');
    expect(await chat(child.origin)).not.toContain('tool_calls');
  });

  it('serves its page on every address that it listens on, and refuses other host names', async () => {
    const { origin, stdout } = await serve(['--host', '0.0.0.0']);
    expect(stdout).toContain('on every address of this machine (0.0.0.0)');
    expect(stdout).not.toContain('http://0.0.0.0');
    expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:/);
    const { port } = new URL(origin);
    expect((await fetch(`http://127.0.0.1:${port}/guard`)).status).toBe(200);
    for (const path of ['/guard', '/v1/models', '/healthz'])
      expect(await statusFor(Number(port), `evil.example:${port}`, path)).toBe(403);
    for (const name of [hostname(), 'host.docker.internal', 'localhost'])
      expect(await statusFor(Number(port), `${name}:${port}`, '/v1/models')).toBe(200);
  });

  it('only records in a dry run, and says when it is off', async () => {
    writes = '/etc/x';
    const { origin, stderr, stdout } = await serve(['--dry-run']);
    expect(stdout).toMatch(/^DRY RUN: every call passes/);
    expect(stdout).toMatch(/Mode +dry run, default\n/);
    expect(await chat(origin)).toContain('/etc/x');
    expect(stderr()).toContain('dry run: it passed');
    await stop();
    seen.length = 0;
    const off = await serve(['--enable-sandboxing=false']);
    expect(await chat(off.origin)).toContain('/etc/x');
    expect(off.stdout).toMatch(/^GUARD OFF: the guard is off \(--enable-sandboxing\): every call passes/);
    expect(off.stdout).toMatch(/\nNot guarding .*\n +Mode +off\n/);
    expect(off.stderr()).toContain('the guard is off (--enable-sandboxing)');
    expect(await (await fetch(`${off.origin}/healthz`)).json()).toMatchObject({ guard: 'off' });
  });

  it('names its policy file', async () => {
    const file = join(project, 'croft.config.yaml');
    writeFileSync(file, 'sandboxing:\n  strict_mode: true\n');
    const { stdout } = await serve(['--config', file]);
    expect(stdout).toContain(`Policy     ${file}\n`);
    expect(stdout).toMatch(/Mode +enforce, strict\n/);
  });

  it('reports a blocked call once if the model repeats it after the retry', async () => {
    writes = '/etc/x';
    repeats = 3;
    const { origin, stderr } = await serve();
    expect(await chat(origin, { 'user-agent': 'codex_cli_rs/1.0' })).toContain('Understood.');
    expect(seen).toHaveLength(4);
    expect(stderr().match(/violation detected.*/g)).toEqual([
      "violation detected for tool 'write_file' (path '/etc/x', rule outside-path, agent codex_cli_rs)",
    ]);
    expect(await (await fetch(`${origin}/guard/metrics`)).text()).toContain('rule="outside-path"} 3');
  });

  it('names a refused path and the flag that lets it pass once', async () => {
    const { origin, stderr } = await serve();
    const send = (url: string) => fetch(`${url}/v1/new`, { method: 'POST', body: '{}' });
    for (let i = 0; i < 2; i++) expect((await send(origin)).status).toBe(403);
    expect(stderr().split('was refused')).toHaveLength(2);
    expect(stderr()).toContain(
      "POST /v1/new was refused: its replies may hold tool calls that the guard does not judge. To let it pass unread, start with --pass '^/v1/new$'\n",
    );
    expect(seen).toEqual([]);
    await stop();
    expect((await send((await serve(['--pass', '^/v1/new$'])).origin)).status).toBe(200);
  });

  it('reports an unreachable upstream and the reason once', async () => {
    const { origin, stderr } = await serve(['--upstream', '/gone=http://127.0.0.1:1']);
    for (let i = 0; i < 3; i++) expect(await chat(`${origin}/gone`)).toContain('upstream of this guard');
    expect(stderr().split('cannot be reached')).toHaveLength(2);
    expect(stderr()).toContain('the upstream http://127.0.0.1:1/ cannot be reached (ECONNREFUSED)');
  });

  it.each([
    [[]],
    [['--upstream', 'nonsense']],
    [['--upstream', 'file:///etc/passwd']],
    [['--upstream', 'https://u:p@host']],
    [['--upstream', 'https://host', '--port', '99999']],
    [['--upstream', 'https://host', '--key-root', 'x']],
    [['--upstream', 'https://host', '--roots-below', '/nowhere']],
    [['--upstream', 'https://host', '--pass', '(']],
    [['--upstream', 'https://host', '--root', '/nowhere']],
  ])('refuses %j before it listens, with code 2 and nothing on the output', async (args) => {
    const ended = await runCroftHere(['guard', 'serve', ...args], { env: surroundings.env, cwd: project });
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).not.toBe('');
  });

  it('names the line of an invalid configuration', async () => {
    writeFileSync(join(project, 'croft.config.yaml'), 'sandboxing:\n  enabled: true\n  strict_mod: true\n');
    const ended = await runCroftHere(['guard', 'serve', '--upstream', upstream()], {
      env: surroundings.env,
      cwd: project,
    });
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toMatch(/croft\.config\.yaml:3.*strict_mod/);
    expect(existsSync(join(surroundings.base, 'guard'))).toBe(false);
  });
});

describe('runGuardServe', () => {
  /** Starts the guard in this process and stops it; what it wrote. */
  async function serve(more: Partial<GuardServeFlags> = {}) {
    const flags = { upstream: [upstream()], host: '127.0.0.1', port: 0, keyRoot: [], pass: [], allowedHost: [] };
    const { out, err } = await serveHere(surroundings, () => runGuardServe({ ...flags, root: project, ...more }));
    const lines = out
      .replaceAll(upstream(), 'UPSTREAM')
      .replaceAll(/(:|port )\d+(?=[/"\n]|$)/gm, '$1PORT')
      .replace(/code=\S+/, 'code=CODE')
      .split('\n');
    return { lines, err };
  }
  const clients = (origin: string) => [
    `  OpenAI     OPENAI_BASE_URL=${origin}/v1`,
    `  Codex      codex -c openai_base_url="${origin}/v1", or that line in ~/.codex/config.toml`,
    `  Anthropic  ANTHROPIC_BASE_URL=${origin}`,
    `  Gemini     GOOGLE_GEMINI_BASE_URL=${origin}`,
  ];
  const decisions = (origin: string) => [
    `Decisions  ${origin}/guard/open?code=CODE`,
    '           works once, within ten minutes; croft guard open makes another; Ctrl-C stops the guard',
  ];
  const LOCAL = 'http://127.0.0.1:PORT';

  it('says how to use it, and where the decisions are', async () => {
    const { lines } = await serve();
    expect(lines).toEqual([
      `Guarding ${project}`,
      '  Mode       enforce, default',
      '  Policy     no file read',
      '',
      'to UPSTREAM/',
      ...clients(LOCAL),
      '',
      ...decisions(LOCAL),
      '',
    ]);
  });

  it('says in which mode it is', async () => {
    expect((await serve({ strict: true })).lines.slice(0, 2)).toEqual([
      `Guarding ${project}`,
      '  Mode       enforce, strict',
    ]);
    expect((await serve({ dryRun: true })).lines.slice(0, 3)).toEqual([
      'DRY RUN: every call passes; what would be blocked is only recorded',
      `Guarding ${project}`,
      '  Mode       dry run, default',
    ]);
    const off = await serve({ enableSandboxing: false });
    expect(off.lines.slice(0, 3)).toEqual([
      'GUARD OFF: the guard is off (--enable-sandboxing): every call passes',
      `Not guarding ${project}`,
      '  Mode       off',
    ]);
    expect(off.err).toContain('croft: the guard is off (--enable-sandboxing): every call passes\n');
  });

  it('warns of an address that other machines can reach, and names the models of each path', async () => {
    const { lines } = await serve({
      host: '0.0.0.0',
      upstream: [upstream(), `model:gpt-*=${upstream()}`, `/two=${upstream()}`],
    });
    expect(lines.slice(3)).toEqual([
      '  Listens    on every address of this machine (0.0.0.0), port PORT',
      '',
      'to UPSTREAM/',
      'to UPSTREAM/ for the models named',
      ...clients(LOCAL),
      '',
      'to UPSTREAM/',
      ...clients(`${LOCAL}/two`),
      '',
      ...decisions(LOCAL),
      '',
      'Every machine that can reach this address can use the guard, with its own key for the model.',
      '',
    ]);
  });

  it.each<[Partial<GuardServeFlags>, string]>([
    [{ upstream: [] }, '--upstream is needed: the address of the model, such as https://api.openai.com'],
    [{ root: '/nowhere/at/all' }, 'Not a directory: /nowhere/at/all'],
    [{ rootsBelow: '/nowhere/at/all' }, 'Not a directory: /nowhere/at/all'],
    [
      { allowedHost: ['a:1'] },
      '--allowed-host a:1: give a name without a scheme and a port, such as guard.example.org',
    ],
  ])('refuses %j before it listens', async (flags, problem) => {
    await expect(serve(flags)).rejects.toThrow(new UsageError(problem));
  });

  it('goes on where croft guard open cannot find it, and says so', async () => {
    mkdirSync(surroundings.base, { recursive: true });
    writeFileSync(join(surroundings.base, 'guard'), '');
    const { lines, err } = await serve();
    expect(lines[0]).toBe(`Guarding ${project}`);
    expect(err).toMatch(
      `croft: croft guard open will not find this guard: ${join(surroundings.base, 'guard')} cannot be written (`,
    );
  });

  it('says that its port is taken', async () => {
    const { port } = model.address() as AddressInfo;
    await expect(serve({ port })).rejects.toThrow(
      new UsageError(`Port ${port} is taken. Stop what uses it, or pass --port 0 for any free port`),
    );
  });
});
