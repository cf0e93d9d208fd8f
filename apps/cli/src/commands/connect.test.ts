import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyProgram, openWire, runCroft, type Surroundings, useSurroundings } from '@croft/mcp/testing';
import { describe, expect, it } from 'vitest';
import { commandHelp } from '../../../../tests/support/command-help.ts';
import { runCroftHere } from '../../../../tests/support/run-croft-here.ts';
import { addConnectCommand } from './connect.ts';

let surroundings: Surroundings;

const wires = useSurroundings((made) => {
  surroundings = made;
});

const run = (args: readonly string[], cwd = surroundings.workspace, env: Record<string, string> = {}) =>
  runCroft(['connect', ...args], { env: { ...surroundings.env, ...env }, cwd });

/** Runs it in this process. */
const here = (args: readonly string[], cwd = surroundings.workspace) =>
  runCroftHere(['connect', ...args], { env: surroundings.env, cwd });

/** A running `croft connect --json`, and its events. */
function start(args: readonly string[], cwd = surroundings.workspace, env: Record<string, string> = {}) {
  const wire = openWire(['connect', '--json', ...args], { env: { ...surroundings.env, ...env }, cwd });
  wires.push(wire);
  const event = async (type: string) =>
    (await wire.next((line) => (line as { type?: string }).type === type)) as unknown as Record<string, unknown>;
  return { wire, event };
}

/** A minimal server: accepts one token and opens a stream. */
async function startServer(): Promise<{ url: string; seen: string[]; stop(): Promise<void>; server: Server }> {
  const seen: string[] = [];
  const server = createServer((req: IncomingMessage, res: ServerResponse) => {
    const key = String(req.headers['x-gateway-key']);
    const path = (req.url ?? '').replace('/rest/instance-ai/gateway/', '');
    seen.push(`${path} ${key}`);
    req.resume();
    if (key !== 'gw_token' && key !== 'sess_1') return void res.writeHead(403).end('{"message":"Invalid API key"}');
    if (path === 'events') return void res.writeHead(200, { 'content-type': 'text/event-stream' }).write(': ping\n\n');
    res.writeHead(200, { 'content-type': 'application/json' });
    res.end(path === 'init' && key === 'gw_token' ? '{"ok":true,"sessionKey":"sess_1"}' : '{"ok":true}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    server,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('croft connect refuses', () => {
  it.each([
    [['not a url'], /Give the address of the server/],
    [['ftp://a.example'], /Give the address of the server/],
    [['https://me:pw@a.example', 't'], /without a name, password/],
    [['--no-listen'], /--no-listen needs the address of a server/],
    [['https://a.example', 't', '--no-listen', '--port', '1'], /--port is for the listener/],
    [['--port', '70000'], /from 0 to 65535/],
    [['--allow-origin', 'croft'], /--allow-origin needs the address of a page/],
    [['--dir', 'nowhere'], /Not a directory: nowhere/],
    [['https://a.example', '--no-listen'], /no earlier connection of this directory/],
    [['https://a.example', 'two words'], /The token is not valid/],
    [['a', 'b', 'c'], /too many arguments/],
  ])('%j', async (args, says) => {
    const { code, stderr } = await here(args);
    expect(stderr).toMatch(says);
    expect(code).toBe(2);
  });

  it('the whole disk, the home directory and the directories above it, unless --dir names them', async () => {
    expect((await here([], '/')).stderr).toMatch(/This is \/, the whole disk.* pass --dir \//);
    expect((await here([], surroundings.home)).stderr).toMatch(/This is your home directory/);
    expect((await here([], surroundings.root)).stderr).toMatch(/Your home directory is inside/);
    const link = join(surroundings.workspace, 'to-home');
    symlinkSync(surroundings.home, link);
    expect((await here([], link)).stderr).toMatch(/This is your home directory/);
    const { event } = start(['--dir', surroundings.home, '--port', '0']);
    expect((await event('shares')).directory).toBe(surroundings.home);
  });

  it('Croft’s own base directory', async () => {
    mkdirSync(surroundings.base, { recursive: true });
    expect((await here(['--dir', surroundings.base])).stderr).toMatch(/Croft's own base directory/);
  });

  it('a taken port with one sentence, but continues without a listener if the server is known', async () => {
    const first = start(['--port', '0']);
    const { port } = await first.event('listening');
    const { code, stderr } = await run(['--port', String(port)]);
    expect(stderr).toBe(
      `croft: Port ${port} is taken, perhaps by another croft connect. Stop that one, or pass --port 0 for any free port\n`,
    );
    expect(code).toBe(2);
  });

  it('a settings file that it cannot parse', async () => {
    mkdirSync(surroundings.base, { recursive: true });
    writeFileSync(join(surroundings.base, 'connect.json'), '{"origins": 7}');
    const { code, stderr } = await here(['--port', '0']);
    expect(stderr).toMatch(
      /connect\.json does not hold settings of croft connect \(origins\); correct it, or delete it/,
    );
    expect(code).toBe(2);
  });
});

describe('croft connect', () => {
  it('listens on loopback only, and prints the shared directory', async () => {
    const { wire, event } = start(['--port', '0', '--allow-write']);
    expect(await event('shares')).toMatchObject({ directory: surroundings.workspace, mayWrite: true });
    const { port } = await event('listening');
    await event('waiting');
    const answer = await fetch(`http://127.0.0.1:${port}/health`, { headers: { origin: 'http://localhost:7860' } });
    expect(await answer.json()).toEqual({ status: 'ok', dir: surroundings.workspace, connected: false });
    wire.child.kill('SIGTERM');
    expect(await wire.ended).toMatchObject({ code: 0 });
  });

  it('keeps the session for a start after a crash, and deletes it on SIGTERM', async () => {
    const server = await startServer();
    const settings = join(surroundings.base, 'connect.json');
    const first = start([server.url, 'gw_token', '--no-listen']);
    await first.event('connected');
    expect(statSync(settings).mode & 0o777).toBe(0o600);
    expect(readFileSync(settings, 'utf8')).toContain('sess_1');
    first.wire.child.kill('SIGKILL');
    await first.wire.ended;
    const second = start([server.url, '--no-listen']);
    await second.event('connected');
    expect(server.seen.filter((line) => line.startsWith('init'))).toEqual(['init gw_token', 'init sess_1']);
    second.wire.child.kill('SIGINT');
    expect(await second.wire.ended).toMatchObject({ code: 0 });
    expect(server.seen).toContain('disconnect sess_1');
    expect(readFileSync(settings, 'utf8')).not.toContain('sess_1');
    await server.stop();
  });

  it('ends with a failure that says how to pair again when the token is not valid', async () => {
    const server = await startServer();
    const { code, stdout } = await run([server.url, 'gw_wrong', '--port', '0']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/does not take this token \(Invalid API key\).*To pair again, open Connect a folder at/);
    await server.stop();
  });

  it('uses CROFT_GATEWAY_API_KEY without a token', async () => {
    const server = await startServer();
    const { event } = start([server.url, '--no-listen'], undefined, { CROFT_GATEWAY_API_KEY: 'sess_1' });
    await event('connected');
    expect(server.seen[0]).toBe('init sess_1');
    expect(existsSync(join(surroundings.base, 'connect.json'))).toBe(false);
    await server.stop();
  });

  it('warns of plain http to another machine, and ends at once on a signal while waiting', async () => {
    const { wire, event } = start(['http://192.0.2.1:9999', 'gw_token', '--no-listen']);
    expect((await event('warning')).message).toMatch(
      /plain http: every machine on the network path can read the files/,
    );
    await event('connecting');
    wire.child.kill('SIGINT');
    expect(await wire.ended).toMatchObject({ code: 0 });
  });

  it('refuses unknown pages without a terminal, and says so', async () => {
    const { wire, event } = start(['--port', '0']);
    const { port } = await event('listening');
    const preflight = { origin: 'https://stranger.example', 'access-control-request-method': 'POST' };
    const answer = await fetch(`http://127.0.0.1:${port}/connect`, { method: 'OPTIONS', headers: preflight });
    expect(answer.status).toBe(403);
    expect((await event('turned_away')).origin).toBe('https://stranger.example');
    expect(wire.stdout()).not.toContain('"asked"');
  });

  it('reaches https servers, and servers through a proxy, also when it starts from V8’s cache', async () => {
    const server = await startServer();
    const tls = server.url.replace('http:', 'https:');
    for (let i = 0; i < 2; i++) {
      // The server does not use TLS; the client notices only during the handshake.
      const direct = start([tls, 'gw_token', '--no-listen']);
      expect((await direct.event('retrying')).why).toBe('it does not speak TLS: is it http:// there?');
      const proxied = start(['http://croft.example', 'gw_token', '--no-listen'], undefined, {
        HTTP_PROXY: 'http://127.0.0.1:9',
      });
      // This machine cannot resolve the name, so only the proxy could; the proxy does not exist.
      expect((await proxied.event('retrying')).why).toBe('nothing listens there');
      for (const { wire } of [direct, proxied]) {
        wire.child.kill('SIGTERM');
        expect(await wire.ended).toMatchObject({ code: 0 });
        expect(wire.stderr()).toBe('');
      }
    }
    await server.stop();
  });

  it.skipIf(process.platform === 'win32')(
    'ends when npx ends, which stops only the shell between npx and croft',
    async () => {
      const program = copyProgram(join(surroundings.root, '_npx'));
      // The shell waits for its child, like that of npx; the second command prevents exec.
      const shell = spawn('/bin/sh', ['-c', `"${process.execPath}" "${program}" connect --json --port 0; true`], {
        cwd: surroundings.workspace,
        env: surroundings.env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let printed = '';
      shell.stdout.on('data', (chunk) => {
        printed += chunk;
        if (printed.includes('"waiting"')) shell.kill('SIGTERM');
      });
      // The pipe closes when the last process with its descriptor ends.
      await once(shell.stdout, 'close');
      expect(printed).toContain('"waiting"');
    },
  );

  it('has all its files in the package', () => {
    const { files } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
      files: string[];
    };
    expect(files).toContain('dist/croft-proxy.cjs');
    const main = readFileSync(join(import.meta.dirname, '../../dist/croft-main.cjs'), 'utf8');
    expect(main.match(/[^.\w]import\(["'][^)]*\)/g)).toBeNull();
  });
});

it('says what croft connect does, and what each flag means', () => {
  expect(commandHelp(addConnectCommand, 'connect')).toEqual({
    usage: 'connect [options] [url] [token]',
    summary: 'let a server use a directory of this machine',
    description:
      'Connects a directory of this machine to a Croft server, whose agents can then read it. Run the command that the server shows under "Connect a folder", or run `croft connect` alone: that page finds it.',
    arguments: [
      'address of the server; may have a path',
      'the pairing token that the server shows; it works once, within five minutes',
    ],
    options: [
      '--dir <dir>: directory to share (default: the current one)',
      '--port <n>: port of the local listener that pages look for, 0 for any (default 7655)',
      '--no-listen: no local listener',
      '--allow-write: let the server change files too; croft undo reverts changes',
      '--allow-origin <url>: let pages of this origin connect without a question (repeatable) = []',
      '--auto-confirm: let every page connect without a question; for scripts',
      '--json: print one JSON object per line, and ask no questions',
    ],
  });
});
