import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ConnectMcp, createGuardedFetch, type Services } from '@croft/components';
import { createModels } from '@croft/models';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { fileDir } from '../../../../tests/support/temp-dir.ts';
import { type LocalServer, runNode, runSpec, startServer } from '../../../../packages/components/src/testing.ts';
import { makeKey, startTestServer, type TestServer } from '../testing.ts';
import { createMcpClients, type McpClients } from './mcp-clients.ts';

const croft = fileURLToPath(new URL('../../../cli/dist/croft.cjs', import.meta.url));
const dir = fileDir();
let server: TestServer;
let key: string;
let host: string;
let clients: McpClients;

beforeAll(async () => {
  for (const each of ['files', 'flow']) mkdirSync(join(dir, each));
  writeFileSync(join(dir, 'files/notes.md'), 'The wall is made of granite.');
  server = await startTestServer({});
  await server.running.ready;
  host = new URL(server.url).host;
  const admin = await server.signInAdmin();
  key = await makeKey(admin);
});
afterAll(() => server?.stop());

const command = () => `${process.execPath} ${croft} mcp ${join(dir, 'files')} --no-second-wall`;
const open = (allowed: readonly string[] = [command()], allow = [host]) =>
  createMcpClients({
    fetch: createGuardedFetch({ allow }),
    commands: () => ({ allowed, writable: [join(dir, 'flow')], howToAllow: 'Ask the administrator.' }),
  });

beforeEach(() => {
  // Commands get it, and not CROFT_BASE_DIR.
  vi.stubEnv('HOME', dir);
  clients = open();
});
afterEach(() => {
  vi.unstubAllEnvs();
  return clients.close();
});

const credential = () => ({ value: key, hosts: [`http://${host}`] });
const services = (mcp: ConnectMcp = clients.connect): Partial<Services> => ({ mcp, credential });
const run = (config: object, signal?: AbortSignal, mcp?: ConnectMcp) =>
  runNode(
    { type: 'MCPTools', output: 'message', config: { ...config }, services: services(mcp) },
    signal && { signal },
  );
const http = (more: object) => run({ url: `${server.url}/mcp`, credential: 'KEY', ...more });

describe('an MCP server at an address', () => {
  it('lists its tools, and one of them is called', async () => {
    expect(((await http({})).value as { text: string }).text).toMatch(/^read_file: /m);
    const args = { path: 'new.md', content: 'written' };
    expect((await http({ tool: 'write_file', tool_arguments: args })).status).toBe('completed');
    const { value } = await http({ tool: 'read_file', tool_arguments: { path: 'new.md' } });
    expect((value as { text: string }).text).toContain('written');
  });

  it('is connected once for all components of a run', async () => {
    const guarded = createGuardedFetch({ allow: [host] });
    const lists: string[] = [];
    const counted = createMcpClients({
      fetch: (input, init) => {
        if (typeof init?.body === 'string' && init.body.includes('"tools/list"')) lists.push(init.body);
        return guarded(input, init);
      },
      commands: () => ({ allowed: [], writable: [], howToAllow: '' }),
    });
    const config = (id: string) => [`  ${id}.url: ${server.url}/mcp`, `  ${id}.credential: KEY`];
    const { status } = await runSpec(
      [
        'nodes:',
        '  A: MCPTools',
        '  B: MCPTools',
        '  C: MCPTools',
        '  P: CombineText',
        'edges:',
        '  A.message -> P.texts',
        '  B.message -> P.texts',
        '  C.message -> P.texts',
        'config:',
        ...['A', 'B', 'C'].flatMap(config),
      ],
      services(counted.connect),
    );
    await counted.close();
    expect([status, lists.length]).toEqual(['completed', 1]);
  });

  it('gives its tools to an agent', async () => {
    const spec = `nodes:
  I: ChatInput
  M: MCPTools
  A: Agent
  O: ChatOutput
edges:
  I.message -> A.input_value
  M.component_as_tool -> A.tools
  A.response -> O.input_value
config:
  I.input_value: Read the file new.md
  M.url: ${server.url}/mcp
  M.credential: KEY
`;
    const { text } = await runSpec(spec, { ...services(), models: createModels({ variables: {} }) });
    expect(text).toContain('written');
  });

  it('says what is wrong: an unknown tool, a tool that fails, no credential, another server', async () => {
    expect((await http({ tool: 'nothing' })).failure?.fix).toContain('read_file');
    const failed = await http({ tool: 'read_file', tool_arguments: { path: 'none.md' } });
    expect(failed.failure?.message).toMatch(/^The tool 'read_file' failed: .*none\.md/);
    const wrong = await http({ tool: 'read_file', tool_arguments: { path: 5 } });
    expect(wrong.failure).toMatchObject({
      message: "The MCP tool 'read_file' was not called: the argument 'path' is a number, and the tool expects a text.",
      fix: "Change the argument 'path' to a text.",
    });
    expect((await run({ url: `${server.url}/mcp` })).failure?.message).toContain(`The MCP server at '${host}'`);
    expect((await run({ url: 'https://example.com/mcp', credential: 'KEY' })).failure?.message).toContain(
      'is not sent',
    );
    expect((await run({ url: `${server.url}/`, credential: 'KEY' })).failure?.fix).toContain('Streamable HTTP');
    expect((await run({ url: 'nowhere' })).failure?.message).toBe('The address is not valid.');
  });

  async function cancelledAt(listen: (end: () => void) => Promise<LocalServer>) {
    const abort = new AbortController();
    const slow = await listen(() => abort.abort());
    const own = open([], [`127.0.0.1:${slow.port}`]);
    const ran = await run({ url: slow.url }, abort.signal, own.connect);
    await own.close();
    await slow.close();
    return ran.status;
  }

  it('is left when the run is cancelled', async () => {
    let left = false;
    const status = await cancelledAt((end) =>
      startServer((_, response) => {
        response.once('close', () => {
          left = true;
        });
        end();
      }),
    );
    await expect.poll(() => left).toBe(true);
    expect(status).toBe('cancelled');
  });

  it('cannot flood the run', async () => {
    const flood = await startServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(1 << 20)));
      };
      response.on('drain', more);
      more();
    });
    const own = open([], [`127.0.0.1:${flood.port}`]);
    const { failure } = await run({ url: flood.url }, undefined, own.connect);
    expect(failure?.message).toContain('has more than 4194304 bytes');
    await own.close();
    await flood.close();
  });
});

describe('an MCP server of a command', () => {
  const start = (line: string, mcp?: ConnectMcp) =>
    run(
      { transport: 'Command', command: line, tool: 'read_file', tool_arguments: { path: 'notes.md' } },
      undefined,
      mcp,
    );

  it('runs where exactly this command is allowed', async () => {
    const { value, failure } = await start(command());
    expect(failure).toBeUndefined();
    expect((value as { text: string }).text).toContain('granite');
    symlinkSync(process.execPath, join(dir, 'other-name'));
    expect((await start(command().replace(process.execPath, join(dir, 'other-name')))).status).toBe('completed');
  });

  it.each([
    ['with other arguments', () => `${command()} --read-only`],
    ['of another program', () => command().replace(process.execPath, '/bin/sh')],
    ['with fewer arguments', () => `${process.execPath} ${croft}`],
    ['in a shell', () => `/bin/sh -c "${command()}"`],
    ['that does not exist', () => 'no-such-program-anywhere'],
  ])('does not run %s', async (_, line) => {
    const { failure } = await start(line());
    expect(failure).toMatchObject({
      message: expect.stringContaining('is not allowed') as string,
      fix: 'Ask the administrator.',
    });
  });

  it('does not run a file that flows can change, though it is allowed', async () => {
    const script = join(dir, 'flow/server.mjs');
    writeFileSync(
      script,
      `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(join(dir, 'ran'))}, '');`,
    );
    symlinkSync(script, join(dir, 'link.mjs'));
    for (const line of [script, join(dir, 'link.mjs'), `--import=${script}`].map(
      (each) => `${process.execPath} ${each}`,
    )) {
      const own = open([line]);
      expect((await start(line, own.connect)).failure?.message, line).toContain('which flows can change');
      await own.close();
    }
    expect(() => realpathSync(join(dir, 'ran'))).toThrow();
  });

  it('gets no keys of the environment, and ends with the run', async () => {
    vi.stubEnv('CANARY_API_KEY', 'canary');
    const script = join(dir, 'tell.mjs');
    writeFileSync(
      script,
      `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(join(dir, 'told'))}, JSON.stringify({ env: process.env, pid: process.pid })); process.stdin.resume();`,
    );
    const line = `${process.execPath} ${script}`;
    const abort = new AbortController();
    const own = open([line]);
    const running = run({ transport: 'Command', command: line }, abort.signal, own.connect);
    const { readFileSync } = await import('node:fs');
    const said = await expect
      .poll(() => readFileSync(join(dir, 'told'), 'utf8'))
      .toContain('"pid"')
      .then(() => JSON.parse(readFileSync(join(dir, 'told'), 'utf8')) as { env: object; pid: number });
    expect(JSON.stringify(said.env)).not.toContain('canary');
    abort.abort();
    expect((await running).status).toBe('cancelled');
    await own.close();
    await expect.poll(() => isRunning(said.pid)).toBe(false);
  });

  function isRunning(pid: number): boolean {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  }
});
