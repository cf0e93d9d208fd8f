import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { makeSurroundings, PROGRAM, type Surroundings } from '@croft/mcp/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, makeKey, startTestServer, type TestServer, type Visitor } from '../../apps/server/src/testing.ts';
import { type Called, callEveryFlowTool, CORE_FLOW_TOOLS, OLDER_FLOW_TOOLS } from '../support/every-flow-tool.ts';

/** A Python that has the package `mcp`: CROFT_TEST_PYTHON, or the one of the path. */
const PYTHON = process.env['CROFT_TEST_PYTHON'] ?? 'python3';
const found = spawnSync(PYTHON, ['-c', 'from importlib.metadata import version; print(version("mcp"))'], {
  encoding: 'utf8',
});
const hasClient = found.status === 0;
if (!hasClient)
  process.stderr.write(
    `The Python client is not tested: ${PYTHON} has no package mcp. Make one with "python3 -m venv DIR && DIR/bin/pip install mcp", and set CROFT_TEST_PYTHON=DIR/bin/python.\n`,
  );
const SCRIPT = join(import.meta.dirname, 'call_tools.py');

let server: TestServer;
let page: Visitor;
let key: string;
let surroundings: Surroundings;
const children: ChildProcess[] = [];

describe.skipIf(!hasClient)('flows over MCP with the Python client', { timeout: 360_000 }, () => {
  beforeAll(async () => {
    surroundings = makeSurroundings();
    server = await startTestServer();
    await server.running.ready;
    page = await server.signIn(ADMIN.login, ADMIN.password);
    key = await makeKey(page);
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill();
  });
  afterAll(async () => {
    await server?.stop();
    surroundings?.remove();
  });

  /** Starts the client. Calls are made one after the other. */
  async function start(...args: string[]) {
    const child = spawn(PYTHON, [SCRIPT, ...args], {
      env: { ...surroundings.env, CROFT_API_KEY: key },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    children.push(child);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async (): Promise<any> => {
      const { value, done } = await lines.next();
      if (done === true) throw new Error('the client ended');
      return JSON.parse(value);
    };
    const { tools } = await next();
    return {
      tools: tools as string[],
      async call(name: string, given: Record<string, unknown> = {}): Promise<Called> {
        child.stdin.write(`${JSON.stringify({ name, arguments: given })}\n`);
        return next();
      },
    };
  }
  const readFile = async (path: string) =>
    (await page.request(`/api/v1/files/content?path=${encodeURIComponent(path)}`)).text();

  it.each([
    ['HTTP', () => ['http', `${server.url}/mcp/flows?toolset=all`, key]],
    [
      'stdio',
      () => ['stdio', process.execPath, PROGRAM, 'mcp', '--flows', '--server', server.url, '--flow-tools', 'all'],
    ],
  ] as const)('every tool works over %s', async (kind, args) => {
    const client = await start(...args());
    for (const name of [...CORE_FLOW_TOOLS, ...OLDER_FLOW_TOOLS]) expect(client.tools).toContain(name);
    await callEveryFlowTool(client, { label: `Python ${kind}`, url: server.url, readFile });
  });
});
