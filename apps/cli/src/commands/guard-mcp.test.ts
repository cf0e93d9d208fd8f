import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  callOn,
  connect,
  initialize,
  openWire,
  PROGRAM,
  runCroft,
  startMcpHttp,
  type Surroundings,
  useSurroundings,
  type Wire,
} from '@croft/mcp/testing';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it } from 'vitest';
import { runCroftHere } from '../../../../tests/support/run-croft-here.ts';
import { UsageError } from '../usage-error.ts';
import { type GuardMcpFlags, runGuardMcp } from './guard-mcp.ts';

const PEERS = join(import.meta.dirname, '../../../../bench/peers/node_modules');
const OFFICIAL = join(PEERS, 'official-2026.8.31/dist/index.js');

let surroundings: Surroundings;
let project: string;
let outside: string;

const wires = useSurroundings((made) => {
  surroundings = made;
  project = join(made.root, 'project');
  outside = join(made.root, 'outside.txt');
  mkdirSync(join(project, 'src'), { recursive: true });
  mkdirSync(join(project, '.git'));
  writeFileSync(join(project, 'src/a.txt'), 'hello\n');
});

/** A server that can write in the project and beside it; only the guard stops it. */
const croftServer = () => [process.execPath, PROGRAM, 'mcp', '--no-second-wall', '--dir', surroundings.root];
const officialServer = () => [process.execPath, OFFICIAL, surroundings.root];
const guarded = (server: readonly string[], ...flags: string[]) => [
  'guard',
  'mcp',
  '--root',
  project,
  ...flags,
  '--',
  ...server,
];
const open = (args: readonly string[], more: Partial<Parameters<typeof openWire>[1]> = {}): Wire => {
  const wire = openWire(args, { env: surroundings.env, ...more });
  wires.push(wire);
  return wire;
};
const textOf = (result: object) => (result as { content?: { text: string }[] }).content?.[0]?.text ?? '';

describe('croft guard mcp', () => {
  it.each(['legacy', 'modern'] as const)(
    'lets the official client (%s) write inside the project and not outside',
    async (era) => {
      const { client, close } = await connect(era, { args: guarded(croftServer()), env: surroundings.env });
      try {
        expect((await client.listTools()).tools.map(({ name }) => name)).toContain('write_file');
        const inside = await client.callTool({
          name: 'write_file',
          arguments: { path: `${project}/src/b.txt`, content: 'x' },
        });
        expect(textOf(inside)).toContain('created');
        expect(inside.isError).not.toBe(true);
        const refused = await client.callTool({ name: 'write_file', arguments: { path: outside, content: 'x' } });
        expect(refused.isError).toBe(true);
        expect(textOf(refused)).toContain('Refused: write_file was not run.');
        expect(textOf(refused)).toContain(outside);
        expect(textOf(refused)).toContain(`Use a path inside ${project}`);
        expect(existsSync(outside)).toBe(false);
        expect(readFileSync(join(project, 'src/b.txt'), 'utf8')).toBe('x');
      } finally {
        await close();
      }
    },
  );

  it.skipIf(!existsSync(OFFICIAL))('works between the older official client and the official server', async () => {
    const args = [PROGRAM, ...guarded(officialServer())];
    const transport = new OldTransport({ command: process.execPath, args, env: surroundings.env, stderr: 'pipe' });
    const client = new OldClient({ name: 'older', version: '1' });
    await client.connect(transport);
    try {
      expect((await client.listTools()).tools.length).toBeGreaterThan(5);
      const call = (name: string, given: object) => client.callTool({ name, arguments: { ...given } });
      expect(textOf(await call('read_text_file', { path: join(project, 'src/a.txt') }))).toContain('hello');
      const written = await call('write_file', { path: join(project, 'src/b.txt'), content: 'y' });
      expect(written.isError).not.toBe(true);
      for (const [name, given] of [
        ['write_file', { path: outside, content: 'x' }],
        ['edit_file', { path: outside, edits: [{ oldText: 'a', newText: 'b' }] }],
        ['move_file', { source: join(project, 'src/a.txt'), destination: outside }],
        ['create_directory', { path: join(surroundings.root, 'made') }],
      ] as const) {
        const refused = await call(name, given);
        expect(refused.isError).toBe(true);
        expect(textOf(refused)).toContain('Refused');
      }
      expect(readdirSync(surroundings.root).sort()).toEqual(['base', 'home', 'project', 'workspace']);
      expect(existsSync(join(project, 'src/a.txt'))).toBe(true);
    } finally {
      await client.close();
    }
  });

  it('connects clients of both eras to a server over HTTP', async () => {
    const serve = await startMcpHttp(['--no-second-wall', '--dir', surroundings.root], surroundings);
    const header = ['--header', 'Authorization: Bearer ${TOKEN}'];
    try {
      for (const era of ['legacy', 'modern'] as const) {
        const { client, close } = await connect(era, {
          args: ['guard', 'mcp', '--root', project, '--url', `${serve.url}/mcp`, ...header],
          env: { ...surroundings.env, TOKEN: serve.token },
        });
        try {
          expect((await client.listTools()).tools.map(({ name }) => name)).toContain('write_file');
          const call = (path: string) => client.callTool({ name: 'write_file', arguments: { path, content: 'x' } });
          expect((await call(`${project}/src/${era}.txt`)).isError).not.toBe(true);
          const refused = await call(outside);
          expect(refused.isError).toBe(true);
          expect(textOf(refused)).toContain('Refused: write_file was not run.');
          expect(existsSync(outside)).toBe(false);
          expect(existsSync(join(project, `src/${era}.txt`))).toBe(true);
        } finally {
          await close();
        }
      }
    } finally {
      await serve.stop();
    }
  });

  it('tells a client why a server over HTTP does not answer', async () => {
    const wire = open(['guard', 'mcp', '--root', project, '--url', 'http://127.0.0.1:1/mcp']);
    wire.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const { error } = await wire.next(({ id }) => id === 1);
    expect(error?.message).toContain('The server cannot be reached');
    wire.child.stdin?.end();
    expect((await wire.ended).code).toBe(0);
  });

  it('forwards the bytes, errors, exit code and standard error of a server unchanged', async () => {
    const input = [
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'é', version: '1' } },
      },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 'list', method: 'tools/list' },
      { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'read_file', arguments: { path: 'src/a.txt' } } },
      { jsonrpc: '2.0', id: 4, method: 'tools/call', params: { name: 'nothing_like_it', arguments: {} } },
      { jsonrpc: '2.0', id: 5, method: 'nothing/like/it' },
      { jsonrpc: '2.0', id: 6, method: 'tools/call', params: { name: 'read_file', arguments: { path: 'none' } } },
    ].map((message) => JSON.stringify(message));
    const server = ['mcp', '--no-second-wall', project];
    const options = { env: surroundings.env, cwd: project, input: `${input.join('\n')}\n` };
    const bare = await runCroft(server, options);
    const behind = await runCroft(guarded([process.execPath, PROGRAM, ...server]), options);
    const sorted = (text: string) => text.split('\n').sort();
    expect(sorted(behind.stdout)).toEqual(sorted(bare.stdout));
    expect([behind.code, behind.signal]).toEqual([bare.code, bare.signal]);
    const failing = await runCroft(
      guarded([process.execPath, '-e', 'console.error("own words"); process.exit(42)']),
      options,
    );
    expect(failing.code).toBe(42);
    expect(failing.stderr).toContain('own words\n');
    const killed = await runCroft(guarded([process.execPath, '-e', 'process.kill(process.pid, "SIGKILL")']), options);
    expect(killed.signal).toBe('SIGKILL');
  });

  it('prints the log lines of the sandboxing contract, and records decisions for the page', async () => {
    const wire = open(guarded(croftServer()));
    await initialize(wire);
    await callOn(wire, 'write_file', { path: outside, content: 'the content' });
    wire.child.stdin?.end();
    expect((await wire.ended).code).toBe(0);
    expect(wire.stderr()).toContain(`[INFO] Project root detected: ${project}\n`);
    expect(wire.stderr()).toContain(`[INFO] File sandboxing handler initialized with project root: ${project}\n`);
    expect(wire.stderr()).toContain(
      `[INFO] File sandboxing violation detected for tool 'write_file' (path '${outside}', rule outside-path, agent bare)\n`,
    );
    const log = readFileSync(join(surroundings.base, 'guard/decisions.1.ndjson'), 'utf8');
    expect(JSON.parse(log)).toMatchObject({
      wire: 'mcp',
      agent: 'bare',
      tool: 'write_file',
      rule: 'outside-path',
      root: project,
    });
    expect(log).not.toContain('the content');
  });

  it('resolves relative paths from the working directory of the server', async () => {
    const server = [process.execPath, PROGRAM, 'mcp', '--no-second-wall', '--dir', surroundings.root];
    const below = open(['guard', 'mcp', '--', ...server], { cwd: join(project, 'src') });
    await initialize(below);
    expect(await callOn(below, 'write_file', { path: '../../outside.txt', content: 'x' })).toMatchObject({
      isError: true,
    });
    // From above, the path would be another file than the judged one; so the server starts in the project.
    const where = [process.execPath, '-e', 'console.log(JSON.stringify({cwd: process.cwd()}))'];
    const above = await runCroft(guarded(where), { env: surroundings.env, cwd: '/' });
    expect(JSON.parse(above.stdout)).toEqual({ cwd: project });
    expect(above.stderr).toContain('the server starts in');
    // The server reads relative paths from another directory: the guard cannot know that.
    expect(below.stderr()).toContain(`croft: ${surroundings.root} is outside of ${project}. The guard reads`);
    expect(above.stderr).not.toContain('The guard reads');
  });

  it('blocks every call without a project, and says how to set one', async () => {
    const wire = open(['guard', 'mcp', '--', ...croftServer()], { cwd: '/' });
    await initialize(wire);
    const { text, isError } = await callOn(wire, 'list_dir', { path: '.' });
    expect(isError).toBe(true);
    expect(text).toContain('--root');
    expect(wire.stderr()).toContain('give --root');
  });

  it('lets calls pass in a dry run and when it is off, and says so', async () => {
    const dry = open(guarded(croftServer(), '--dry-run'));
    await initialize(dry);
    expect(dry.stderr()).toContain('croft: dry run: every call passes');
    const sent = await callOn(dry, 'write_file', { path: outside, content: 'x' });
    expect(sent.isError).toBe(false);
    // The effect that a refusal prevents.
    expect(existsSync(outside)).toBe(true);
    expect(dry.stderr()).toContain('(dry run: it passed)');
    expect(dry.stderr()).toContain('except in messages of more than 32 MiB');
    const off = open(guarded(croftServer(), '--enable-sandboxing=false'));
    await initialize(off);
    await callOn(off, 'write_file', { path: 'project/src/c.txt', content: 'x' });
    expect(off.stderr()).toContain('the guard is off (--enable-sandboxing): every call passes');
  });

  it('does not say that a message passed which a dry run drops as too large', async () => {
    const wire = open(guarded(croftServer(), '--dry-run'));
    await initialize(wire);
    wire.send({ jsonrpc: '2.0', id: 'large', method: 'tools/call', params: { name: 'x'.repeat(32 * 1024 * 1024) } });
    const { error } = await wire.next(({ id }) => id === 'large');
    expect(error?.message).toContain('The message is too large to be checked');
    expect(wire.stderr()).toContain('(rule too-large, agent bare)');
    expect(wire.stderr()).not.toContain('(dry run: it passed)');
    await wire.kill();
    const log = await runCroft(['guard', 'log', '--json'], { env: surroundings.env, cwd: project });
    expect(JSON.parse(log.stdout)).toMatchObject({ decision: 'block', rule: 'too-large', mode: 'enforce' });
  });

  it('reports a wrong command line, and starts nothing', async () => {
    const options = { env: surroundings.env, cwd: project };
    const missing = await runCroft(['guard', 'mcp', '--', '/nowhere/server'], options);
    expect(missing).toMatchObject({ code: 2, stdout: '' });
    expect(missing.stderr).toMatch(/\/nowhere\/server cannot be started/);
    const run = (...args: string[]) => runCroftHere(['guard', 'mcp', ...args], options);
    expect(await run()).toMatchObject({ code: 2, stdout: '' });
    for (const wrong of [
      ['--url', 'file:///x'],
      ['--url', 'nonsense'],
      ['--url', 'http://a:b@127.0.0.1/'],
      ['--url', 'http://127.0.0.1/', '--', 'true'],
      ['--url', 'http://127.0.0.1/', '--header', 'no colon'],
      ['--url', 'http://127.0.0.1/', '--header', 'A: ${NOT_SET_ANYWHERE}'],
      ['--header', 'A: b', '--', 'true'],
    ])
      expect(await run(...wrong)).toMatchObject({ code: 2, stdout: '' });
    expect(await run('--root', '/nowhere', '--', 'true')).toMatchObject({ code: 2 });
    expect((await run('--help')).stdout).toContain('-- <server command>');
  });

  it.skipIf(process.platform === 'win32')('ends its server on a signal', async () => {
    const script = 'console.log(JSON.stringify({pid: process.pid})); setInterval(() => {}, 1000)';
    const wire = open(guarded([process.execPath, '-e', script]));
    while (!wire.stdout().includes('\n')) await new Promise((resolve) => setTimeout(resolve, 20));
    const { pid } = JSON.parse(wire.stdout()) as { pid: number };
    wire.child.kill('SIGTERM');
    expect((await wire.ended).signal).toBe('SIGTERM');
    expect(() => process.kill(pid, 0)).toThrow();
  });
});

describe('the command line of croft guard mcp', () => {
  const COMMAND = 'Give the command of the server after --, or --url';
  const FORM = '--header: give "Name: value"';
  const url = 'http://127.0.0.1:9/mcp';

  it.each<[readonly string[], Partial<GuardMcpFlags>, string]>([
    [[], {}, COMMAND],
    [['server'], { url }, COMMAND],
    [['server'], { header: ['A: b'] }, '--header is for --url'],
    [[], { url: 'nonsense' }, '--url nonsense: give the URL of an MCP server, such as http://127.0.0.1:7860/mcp'],
    [[], { url: 'file:///etc/passwd' }, '--url: only http and https'],
    [[], { url: 'http://u@h/' }, '--url: without a name and a password; give a --header'],
    [[], { url: 'http://:p@h/' }, '--url: without a name and a password; give a --header'],
    [[], { url, header: ['none'] }, FORM],
    [[], { url, header: [': x'] }, FORM],
    [[], { url, header: ['a b: x'] }, FORM],
    [[], { url, header: ['A: ${NOT_SET_HERE}'] }, '--header A: NOT_SET_HERE is not set in the environment'],
    [[], { url, header: ['A: b\u0000'] }, '--header A: the value is not valid in a header'],
    [['server'], { root: '/nowhere/at/all' }, 'Not a directory: /nowhere/at/all'],
  ])('refuses %j with %j', async (command, flags, problem) => {
    await expect(runGuardMcp(command, { header: [], ...flags })).rejects.toThrow(new UsageError(problem));
  });
});
