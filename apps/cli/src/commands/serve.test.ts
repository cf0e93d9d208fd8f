import { cpSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import {
  connect,
  openWire,
  PROGRAM,
  runCroft,
  type Surroundings,
  useSurroundings,
  type Wire,
} from '@croft/mcp/testing';
import { describe, expect, it } from 'vitest';
import { commandHelp, refusalOf } from '../../../../tests/support/command-help.ts';
import { runCroftHere } from '../../../../tests/support/run-croft-here.ts';
import { copyNewDatabase } from '../../../server/src/testing-database.ts';
import { addServeCommand } from './serve.ts';

let surroundings: Surroundings;

useSurroundings((made) => {
  surroundings = made;
});

async function startServe(more: Record<string, string> = {}): Promise<{ wire: Wire; oneTimeUrl: string; url: string }> {
  const wire = openWire(['serve', '--port', '0', '--no-open'], { env: { ...surroundings.env, ...more } });
  await expect.poll(() => wire.stdout()).toMatch(/Page +\S+\n/);
  const [, oneTimeUrl = ''] = /Page +(\S+)\n/.exec(wire.stdout()) ?? [];
  return { wire, oneTimeUrl, url: new URL(oneTimeUrl).origin };
}

async function stop(wire: Wire, signal: NodeJS.Signals = 'SIGTERM') {
  wire.child.kill(signal);
  return wire.ended;
}

/** Runs a command in this process. */
const here = (args: readonly string[], more: Record<string, string> = {}) =>
  runCroftHere(args, { env: { ...surroundings.env, ...more }, cwd: surroundings.workspace });

describe('croft serve', () => {
  it('prints the one-time address last, and serves MCP with the token of this machine', async () => {
    const { wire, oneTimeUrl, url } = await startServe();
    expect(wire.stdout().trimEnd().split('\n').at(-1)).toContain(oneTimeUrl);
    const token = readFileSync(join(surroundings.base, 'mcp-token'), 'utf8').trim();
    expect(wire.stdout()).not.toContain(token);
    expect(statSync(join(surroundings.base, 'serve.json')).mode & 0o777).toBe(0o600);
    const stopped = () => stop(wire, 'SIGINT');
    const { client, close } = await connect('modern', {
      wire,
      url,
      oneTimeUrl,
      token,
      stop: async () => void (await stopped()),
    });
    await client.callTool({ name: 'write_file', arguments: { path: 'a.txt', content: 'x' } });
    await close();
    expect(existsSync(join(surroundings.base, 'workspaces/shared/a.txt'))).toBe(true);
    expect(await stopped()).toEqual({ code: 0, signal: null });
    expect(existsSync(join(surroundings.base, 'serve.json'))).toBe(false);
    expect(wire.stderr()).toBe('');
  });

  it('refuses a mistyped variable, which would leave its default in place; other commands warn', async () => {
    const mistyped = { CROFT_AUTOLOGIN: 'false' };
    const wrong = 'CROFT_AUTOLOGIN is not a setting of Croft; did you mean CROFT_AUTO_LOGIN?';
    for (const role of ['server', 'worker'])
      expect(await here(['serve', '--no-open', '--role', role], mistyped)).toMatchObject({
        code: 2,
        stderr: `croft: ${wrong} Correct the name, or unset the variable\n`,
      });
    const doctor = await here(['doctor', '--json'], mistyped);
    expect(doctor.stderr).toContain(`croft: warning: ${wrong}\n`);
  });

  it('prints project and mode of its guard, and croft open finds it, also after a second server was refused', async () => {
    // The first test creates a database as a first start does.
    await copyNewDatabase(surroundings.base);
    const guard = { CROFT_GUARD_UPSTREAM: 'http://127.0.0.1:9', CROFT_GUARD_ROOT: surroundings.base };
    const { wire, url } = await startServe({ ...guard, ENABLE_SANDBOXING: 'false' });
    expect(wire.stdout()).toMatch(
      /^ {2}Guard {5}\/.*\n {12}off .*\n {12}WARNING: The guard is off \(ENABLE_SANDBOXING\)/m,
    );
    const { stdout, code } = await runCroft(['open'], { env: surroundings.env });
    expect(code).toBe(0);
    const opened = await fetch(stdout.trim(), { redirect: 'manual' });
    expect(opened.headers.getSetCookie()).toHaveLength(1);
    const second = await runCroft(['serve', '--port', '0', '--no-open'], { env: surroundings.env });
    expect(second).toMatchObject({ code: 2, stdout: '' });
    // One line: background work that waits for the database logs nothing of its own.
    expect(second.stderr).toMatch(
      new RegExp(
        `^croft: Another Croft server \\(process ${wire.child.pid}\\) is using ${surroundings.base}\\. Use that one, .* CROFT_BASE_DIR\\. It answers at ${url}; .* open opens its page\\.\n$`,
      ),
    );
    const { port } = new URL(url);
    const samePort = await here(['serve', '--port', port, '--no-open']);
    expect(samePort).toMatchObject({ code: 2, stdout: '' });
    expect(samePort.stderr).toMatch(
      new RegExp(
        `^croft: Croft already runs on port ${port}\\. Open its page with .* open, or stop that server first\n$`,
      ),
    );
    const again = await here(['open'], { CROFT_PORT: '1' });
    expect(new URL(again.stdout.trim()).origin).toBe(url);
    await stop(wire);
    const after = await here(['open'], { CROFT_PORT: '1' });
    expect(after).toMatchObject({ code: 2, stdout: '' });
    expect(after.stderr).toMatch(
      /^croft: No server answers at http:\/\/127\.0\.0\.1:1\. Start it with node .*bin\/croft\.cjs serve\n$/,
    );
  });

  it('refuses to start without sign-in if other machines could reach it, in one sentence', async () => {
    const open = await here(['serve', '--host', '0.0.0.0', '--no-open']);
    expect(open).toMatchObject({ code: 2, stdout: '' });
    expect(open.stderr).toMatch(/^croft: Without sign-in .* --allow-open-auto-login to serve without sign-in\n$/);
  });

  it('refuses to be a worker without DATABASE_URL, in one sentence', async () => {
    const worker = await here(['serve', '--role', 'worker']);
    expect(worker).toMatchObject({ code: 2, stdout: '' });
    expect(worker.stderr).toMatch(/^croft: A worker needs DATABASE_URL: .*\n$/);
  });

  it('reports a taken port in one sentence', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => holder.once('listening', resolve));
    const { port } = holder.address() as { port: number };
    const ended = await here(['serve', '--port', String(port), '--no-open']);
    holder.close();
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toBe(`croft: Port ${port} is taken. Stop what uses it, or pass --port 0 for any free port\n`);
  });

  it('says how to get the server if it is not installed', () => {
    const alone = join(surroundings.root, 'alone');
    mkdirSync(alone);
    cpSync(dirname(PROGRAM), join(alone, 'dist'), { recursive: true });
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(alone, 'dist/croft.cjs'), 'serve', '--port', '0'],
      {
        env: surroundings.env,
        encoding: 'utf8',
      },
    );
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toBe(
      'croft: croft serve needs the package @croft/server, which is not installed. Run croft serve from a checkout of Croft, which has it: npm start\n',
    );
  });
});

it('says what croft serve does, and what each flag means', () => {
  expect(commandHelp(addServeCommand, 'serve')).toEqual({
    usage: 'serve [options]',
    summary: 'run the server: files, accounts, agents, and the gateway to other machines',
    description:
      'Runs the Croft server: its pages, MCP at /mcp, REST, and the gateway that machines connect their folders to. Settings come from the environment and from croft.config.yaml in the base directory; croft doctor shows every value that is set or has a default. To serve only one directory to an agent, use croft mcp --http <dir>.',
    arguments: [],
    options: [
      '--host <address>: address to listen on (default 127.0.0.1)',
      '--port <n>: port to listen on, 0 for any (default 7860)',
      '--public-url <url>: the address that users open, behind a proxy; may have a path',
      '--no-open: do not open the page in a browser',
      '--allow-open-auto-login: let other machines reach a server without sign-in: everyone with the address is its one user',
      '--role <role>: server, or worker: takes queued runs of a server with the same DATABASE_URL, base directory and secret key (server, worker) = "server"',
    ],
  });
});

it.each(['croft.example', 'ftp://croft.example', 'https://', 'https://a b', 'https://a?b', 'https://a#b', 'xhttp://a'])(
  'refuses the public address %j',
  async (url) => {
    expect(await refusalOf(addServeCommand, ['serve', '--public-url', url])).toBe(
      `error: option '--public-url <url>' argument '${url}' is invalid. Give an address such as https://croft.example/.`,
    );
  },
);
