import { createServer } from 'node:net';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  connect,
  makeStranger,
  openWire,
  startMcpHttp,
  type Surroundings,
  toolNames,
  useSurroundings,
} from '@croft/mcp/testing';
import { describe, expect, it } from 'vitest';
import { runCroftHere } from '../../../../tests/support/run-croft-here.ts';
import { serveHere } from '../../../../tests/support/serve-here.ts';
import { UsageError } from '../usage-error.ts';
import { version } from '../version.ts';
import { type McpHttpFlags, runMcpHttp } from './run-mcp-http.ts';

let surroundings: Surroundings;

useSurroundings((made) => {
  surroundings = made;
});

const at = (name: string) => join(surroundings.workspace, name);

describe('croft mcp --http', () => {
  it('serves the shared workspace without a directory, and prints all addresses', async () => {
    const serve = await startMcpHttp([], surroundings);
    try {
      const said = serve.wire.stdout();
      expect(said).toContain(join(surroundings.base, 'workspaces/shared'));
      expect(said).toContain(`${serve.url}/mcp`);
      expect(said).toContain(join(surroundings.base, 'mcp-token'));
      expect(said).not.toContain(serve.token);
      const shared = join(surroundings.base, 'workspaces/shared');
      for (const command of ['log', 'undo'])
        expect(said).toMatch(new RegExp(`^ +node /\\S+croft\\.cjs ${command} --dir ${shared}$`, 'm'));
      expect(said).not.toContain('\u001b');
      expect(statSync(join(surroundings.base, 'mcp-token')).mode & 0o777).toBe(0o600);
      const { client, close } = await connect('modern', serve);
      await client.callTool({ name: 'write_file', arguments: { path: 'a.txt', content: 'x' } });
      await close();
      expect(existsSync(join(surroundings.base, 'workspaces/shared/a.txt'))).toBe(true);
    } finally {
      await serve.stop();
    }
    expect(serve.wire.stderr()).toBe('');
  });

  it('reports a taken port in one sentence, and ends with code 2', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => holder.once('listening', resolve));
    const { port } = holder.address() as { port: number };
    const ended = await runCroftHere(['mcp', '--http', surroundings.workspace, '--port', String(port), '--no-open'], {
      env: surroundings.env,
      cwd: surroundings.workspace,
    });
    holder.close();
    expect(ended).toEqual({
      code: 2,
      stdout: '',
      stderr: `croft: Port ${port} is taken. Stop what uses it, or pass --port 0 for any free port\n`,
    });
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('ends with code 0 on %s while a stream is open', async (signal) => {
    writeFileSync(at('slow.txt'), `${'a'.repeat(50_000)}\n`.repeat(100));
    const serve = await startMcpHttp([surroundings.workspace], surroundings);
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'grep_search', arguments: { pattern: '(a*)\\1b', is_regex: true } },
    };
    const headers = {
      Authorization: `Bearer ${serve.token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    };
    const answer = fetch(`${serve.url}/mcp`, { method: 'POST', headers, body: JSON.stringify(body) })
      .then((response) => response.text())
      .catch(() => 'cut');
    await new Promise((resolve) => setTimeout(resolve, 300));
    serve.wire.child.kill(signal);
    expect(await serve.wire.ended).toEqual({ code: 0, signal: null });
    await answer;
  });

  it('warns about --no-token, and then accepts requests without a token', async () => {
    const serve = await startMcpHttp([surroundings.workspace, '--no-token'], surroundings);
    try {
      expect(serve.wire.stdout()).toContain('none: every program on this machine can use these tools');
      const { client, close } = await connect('legacy', { ...serve, token: 'none' });
      expect((await client.listTools()).tools).toHaveLength(toolNames('full').length);
      await close();
    } finally {
      await serve.stop();
    }
  });

  it('refuses a token file without a token, with one sentence', async () => {
    const file = join(surroundings.base, 'mcp-token');
    mkdirSync(surroundings.base, { recursive: true, mode: 0o700 });
    writeFileSync(file, '', { mode: 0o600 });
    const ended = await runCroftHere(['mcp', '--http', surroundings.workspace, '--port', '0', '--no-open'], {
      env: surroundings.env,
      cwd: surroundings.workspace,
    });
    expect(ended).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `croft: ${file} does not hold a token; delete it to have a new one made\n`,
    });
  });

  it('uses a token for this run if the token file cannot be written', async () => {
    const wire = openWire(['mcp', '--http', surroundings.workspace, '--port', '0', '--no-open'], {
      env: surroundings.env,
      ...makeStranger(surroundings),
    });
    await expect.poll(() => wire.stdout()).toContain('for this run only; the page shows it');
    expect(wire.stderr()).toMatch(/the token cannot be kept/);
    expect(wire.stderr().match(/activity log and undo are off/g)).toHaveLength(1);
    const [oneTimeUrl] = /http:\S+code=\S+/.exec(wire.stdout()) ?? [''];
    const [, key] = /'croft',"([^"]+)"/.exec(await (await fetch(oneTimeUrl)).text()) ?? [];
    const page = await fetch(new URL('/page', oneTimeUrl), { headers: { 'X-Croft-Key': key ?? '' } });
    const [token] = /croft_[\w-]{43}/.exec(await page.text()) ?? [''];
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    };
    const answer = await fetch(new URL('/mcp', oneTimeUrl), {
      method: 'POST',
      headers,
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    });
    expect(answer.status).toBe(200);
    await wire.kill();
  });

  it('serves one user on a host name of this machine, inside the second sandbox', async () => {
    const serve = await startMcpHttp(['--user', 'bob', '--host', 'localhost'], surroundings);
    try {
      const { client, close } = await connect('modern', serve);
      const written = await client.callTool({ name: 'write_file', arguments: { path: 'a.txt', content: 'needle' } });
      expect(written.isError ?? false, JSON.stringify(written)).toBe(false);
      const found = await client.callTool({ name: 'grep_search', arguments: { pattern: 'needle' } });
      expect(JSON.stringify(found)).toContain('a.txt');
      await close();
    } finally {
      await serve.stop();
    }
  });

  it('logs calls over HTTP in the log of the workspace', async () => {
    const serve = await startMcpHttp([surroundings.workspace], surroundings);
    const { client, close } = await connect('modern', serve);
    await client.callTool({ name: 'write_file', arguments: { path: 'a.txt', content: 'x' } });
    await close();
    await serve.stop();
    const here = { env: surroundings.env, cwd: surroundings.workspace };
    const { stdout } = await runCroftHere(['log', '--dir', surroundings.workspace, '--json'], here);
    expect(JSON.parse(stdout)).toMatchObject({
      actor: { userId: null, via: 'mcp', client: 'modern test' },
      tool: 'write_file',
      paths: ['a.txt'],
      outcome: 'ok',
    });
    expect((await runCroftHere(['undo', '--yes', '--dir', surroundings.workspace], here)).code).toBe(0);
    expect(existsSync(at('a.txt'))).toBe(false);
  });
});

describe('runMcpHttp', () => {
  const FLAGS = {
    toolset: 'full',
    ignore: [],
    denyList: true,
    deny: [],
    secondWall: false,
    open: false,
    token: true,
    port: 0,
  } as const;

  /** Serves in this process, without the second sandbox, until `during` has ended; what it wrote. */
  async function serve(more: Partial<McpHttpFlags> = {}, during?: (out: string) => unknown) {
    const flags = { ...FLAGS, dir: [surroundings.workspace], ...more };
    const { out, err } = await serveHere(surroundings, () => runMcpHttp(flags), during);
    const lines = out
      .replaceAll(/(:\/\/[\w.]+|0\.0\.0\.0):\d+/g, '$1:PORT')
      .replace(/code=\S+/, 'code=CODE')
      .replaceAll(/\S+ \S+ (log|undo) --/g, 'croft $1 --')
      .split('\n');
    return { lines, err };
  }
  it('keeps its token across restarts, and makes a new one-time address', async () => {
    const file = join(surroundings.base, 'mcp-token');
    const codes: (string | undefined)[] = [];
    const tokens: string[] = [];
    for (let start = 0; start < 2; start++)
      await serve({}, (out) => {
        codes.push(/code=(\S+)/.exec(out)?.[1]);
        tokens.push(readFileSync(file, 'utf8').trim());
      });
    expect(tokens[0]).toMatch(/^croft_/);
    expect(tokens[1]).toBe(tokens[0]);
    expect(codes[0]).toBeDefined();
    expect(codes[1]).not.toBe(codes[0]);
  });

  const sandbox = expect.stringMatching(/^ {2}Sandbox {3}\w+; second sandbox off \(switched off\)$/) as string;

  it('says what it serves, where, and how to undo what agents did', async () => {
    const { lines, err } = await serve();
    const dir = surroundings.workspace;
    expect(lines).toEqual([
      '',
      `  Croft ${version} serves ${dir}`,
      '',
      '  Page      http://127.0.0.1:PORT/open?code=CODE',
      '            works once; shows how to connect Claude Code, Cursor, VS Code and others',
      '  MCP       http://127.0.0.1:PORT/mcp',
      `  Token     in ${join(surroundings.base, 'mcp-token')}`,
      sandbox,
      '',
      '  Stop with Ctrl+C. See what agents did, and undo it, with',
      `    croft log --dir ${dir}`,
      `    croft undo --dir ${dir}`,
      '',
      '',
    ]);
    expect(err).toBe('');
  });

  it('warns where other machines or programs can use it', async () => {
    const open = await serve({ host: '0.0.0.0', readOnly: true });
    expect(open.lines[1]).toBe(`  Croft ${version} serves ${surroundings.workspace} (read only)`);
    expect(open.lines[6]).toBe(
      '  OPEN      listens on 0.0.0.0:PORT: every machine that reaches this one can send requests, over plain http',
    );
    const { lines } = await serve({ token: false });
    expect(lines[6]).toBe('  Token     none: every program on this machine can use these tools');
    await expect(serve({ token: false, host: '0.0.0.0' })).rejects.toThrow(
      new UsageError(
        '--no-token on 0.0.0.0 would open these directories to the network; keep the token or listen on 127.0.0.1',
      ),
    );
  });

  it('says why it cannot listen', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => holder.once('listening', resolve));
    const { port } = holder.address() as { port: number };
    await expect(serve({ port })).rejects.toThrow(
      new UsageError(`Port ${port} is taken. Stop what uses it, or pass --port 0 for any free port`),
    );
    holder.close();
    await expect(serve({ host: '192.0.2.1' })).rejects.toThrow(
      /^Cannot listen on 192\.0\.2\.1: .+\. Give an address of this machine, e\.g\. --host 127\.0\.0\.1$/,
    );
  });

  it('serves the namespace of a user, and asks with the token that it keeps', async () => {
    const { lines } = await serve({ dir: [], user: 'bob' }, async (out) => {
      const [url = ''] = /http:\S+\/mcp/.exec(out) ?? [];
      const list = (token: string) =>
        fetch(url, {
          method: 'POST',
          headers: {
            Authorization: `Bearer ${token}`,
            'Content-Type': 'application/json',
            Accept: 'application/json, text/event-stream',
          },
          body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
        });
      const token = readFileSync(join(surroundings.base, 'mcp-token'), 'utf8').trim();
      expect([(await list(token)).status, (await list('other')).status]).toEqual([200, 401]);
    });
    expect(lines.slice(-4, -2)).toEqual(['    croft log --user bob', '    croft undo --user bob']);
  });
});
