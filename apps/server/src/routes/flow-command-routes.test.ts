import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { memoryDir } from '@croft/workspace/testing';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { storeFlow, type TestServer, type Visitor } from '../testing.ts';
import { useTestServer } from '../use-test-server.ts';

// These programs end at once and do not speak MCP: a flow that may start one says that it did not answer.
const FIXED = `${process.execPath} --version`;
const COMMAND = `${process.execPath} --help`;

interface Listed {
  readonly fixed: readonly string[];
  readonly commands: readonly { id: string; command: string; argv: string[]; isFound: boolean }[];
}

let server: TestServer;
let admin: Visitor;
let alice: Visitor;
useTestServer({ flowCommands: [FIXED], flowHosts: ['127.0.0.1'] }, async (started) => {
  server = started;
  admin = await started.signInAdmin();
  alice = await started.addUser('alice');
});
afterEach(async () => {
  for (const { id } of (await listed()).commands) await admin.json(`/api/v1/flow-commands/${id}`, { method: 'DELETE' });
});

const listed = async () => (await admin.json<Listed>('/api/v1/flow-commands')).body;
const post = (by: Visitor, path: string, json: object, headers = {}) =>
  by.json<any>(`/api/v1/${path}`, { method: 'POST', json, headers });
const check = (command: string, by = admin) => post(by, 'flow-commands/check', { command });
async function allow(command: string): Promise<string> {
  const { argv } = (await check(command)).body;
  return (await post(admin, 'flow-commands', { command, argv })).body.id;
}

async function runFlow(by: Visitor, spec: string) {
  const id = await storeFlow(by, spec);
  return (await post(by, `flows/${id}/run`, {})).body;
}
const runCommand = async (by: Visitor, command: string): Promise<string> =>
  (await runFlow(by, `nodes:\n  M: MCPTools\nconfig:\n  M.transport: Command\n  M.command: ${command}\n`)).failure
    .message;

const audited = (action: string) =>
  server.lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ audit }) => audit === action);

it('starts a command for flows of administrators from the moment it is allowed until it is removed', async () => {
  expect(await runCommand(admin, COMMAND)).toContain('is not allowed');
  const id = await allow(COMMAND);
  expect(await listed()).toEqual({
    fixed: [FIXED],
    commands: [{ id, command: COMMAND, argv: [expect.stringMatching(/^\/.*node/), '--help'], isFound: true }],
  });
  expect(await runCommand(admin, COMMAND)).toContain('did not answer');
  expect(await runCommand(admin, `${COMMAND} --more`)).toContain('is not allowed');
  expect(await runCommand(alice, COMMAND)).toContain('is not allowed');
  expect((await admin.json(`/api/v1/flow-commands/${id}`, { method: 'DELETE' })).status).toBe(200);
  expect(await runCommand(admin, COMMAND)).toContain('is not allowed');
  expect((await admin.json(`/api/v1/flow-commands/${id}`, { method: 'DELETE' })).status).toBe(404);
  expect(audited('allowFlowCommand').at(-1)).toMatchObject({ outcome: 'ok', via: 'session', targets: [id] });
  expect(audited('removeFlowCommand')).toMatchObject([{ outcome: 'ok', targets: [id] }, { outcome: 'not_found' }]);
});

it('allows exactly what was confirmed, once', async () => {
  const { argv } = (await check(COMMAND)).body;
  const other = await post(admin, 'flow-commands', { command: COMMAND, argv: [...argv, '--more'] });
  expect(other).toMatchObject({ status: 409, body: { error: { code: 'changed' } } });
  await allow(COMMAND);
  expect((await post(admin, 'flow-commands', { command: COMMAND, argv })).body.error.code).toBe('exists');
  expect((await listed()).commands).toHaveLength(1);
});

async function query(text: string, values: unknown[] = []): Promise<void> {
  const client = new pg.Client({ host: join(server.baseDir, 'postgres/run'), user: 'croft', database: 'croft' });
  await client.connect();
  try {
    await client.query(text, values);
  } finally {
    await client.end();
  }
}

it('allows at most 100 commands, also in requests at once', async () => {
  const { argv } = (await check(COMMAND)).body;
  const [file] = argv as [string];
  await query(
    `INSERT INTO flow_command (id, line, file, args, created_at)
     SELECT 'filled-' || n, 'filled ' || n, $1, ARRAY['--filled=' || n], now() FROM generate_series(1, 90) AS n`,
    [file],
  );
  const add = async (_: unknown, at: number) =>
    (await post(admin, 'flow-commands', { command: `${file} --at=${at}`, argv: [file, `--at=${at}`] })).status;
  const statuses = await Promise.all(Array.from({ length: 20 }, add));
  expect(statuses.filter((status) => status === 201)).toHaveLength(10);
  expect((await listed()).commands).toHaveLength(100);
  await query("DELETE FROM flow_command WHERE id LIKE 'filled-%'");
});

it('refuses a program that does not exist, and one that flows can change', async () => {
  const missing = await check('no-such-program --serve');
  expect(missing.status).toBe(400);
  expect(missing.body.error.message).toContain("finds no program 'no-such-program'");
  expect((await check('node \ud800')).status).toBe(400);
  const script = join(server.baseDir, 'written-by-a-flow.sh');
  writeFileSync(script, '#!/bin/sh\n');
  chmodSync(script, 0o755);
  for (const command of [script, `${process.execPath} ${script}`]) {
    expect((await check(command)).body.error.message).toContain('which flows can change');
    const argv = command.split(' ');
    expect((await post(admin, 'flow-commands', { command, argv })).status).toBe(400);
  }
  const inText = [
    `sh -c "node ${script}"`,
    `node -r${script}`,
    `node --import file://${script}`,
    `node --import=file://${script}`,
    `env NODE_OPTIONS=--import=${script} node`,
    `env PATH=${server.baseDir}/bin:/usr/bin node`,
  ];
  for (const command of inText)
    expect([command, (await check(command)).body.error.message]).toEqual([
      command,
      expect.stringContaining('which flows can change'),
    ]);
  expect((await listed()).commands).toEqual([]);
});

it('refuses a confirmed command when its name means another program', async () => {
  const dir = mkdtempSync(join(memoryDir(), 'croft-command-'));
  try {
    const script = join(dir, 'moves.sh');
    for (const file of ['first.sh', 'second.sh']) writeFileSync(join(dir, file), '#!/bin/sh\n', { mode: 0o755 });
    symlinkSync('first.sh', script);
    await allow(script);
    expect(await runCommand(admin, script)).toContain('did not answer');
    rmSync(script);
    symlinkSync('second.sh', script);
    expect((await listed()).commands).toMatchObject([{ isFound: false }]);
    expect(await runCommand(admin, script)).toContain('is not allowed');
  } finally {
    rmSync(dir, { recursive: true });
  }
});

describe('only an administrator with a session changes the list of commands', () => {
  async function refused(by: Visitor, status: number, headers = {}) {
    const id = await allow(COMMAND);
    const { argv } = (await check(COMMAND)).body;
    const answers = [
      await post(by, 'flow-commands/check', { command: FIXED }, headers),
      await post(by, 'flow-commands', { command: FIXED, argv }, headers),
      await by.json(`/api/v1/flow-commands/${id}`, { method: 'DELETE', headers }),
    ];
    expect(answers.map((each) => each.status)).toEqual([status, status, status]);
    expect((await listed()).commands.map((each) => each.id)).toEqual([id]);
    await admin.json(`/api/v1/flow-commands/${id}`, { method: 'DELETE' });
  }

  it('not for another user, a stranger or a page of another site', async () => {
    await refused(alice, 403);
    expect((await alice.json('/api/v1/flow-commands')).status).toBe(403);
    await refused(server.stranger, 401);
    await refused(admin, 403, { origin: 'https://other.example', 'sec-fetch-site': 'cross-site' });
  });

  it('not for a program or agent with an API key of the administrator', async () => {
    const { secret } = (await post(admin, 'keys', { name: 'an agent' })).body;
    await refused(server.withKey(secret), 403);
  });

  it('not for a flow of the administrator that may reach the server', async () => {
    const { secret } = (await post(admin, 'keys', { name: 'a flow' })).body;
    const json = { value: secret, kind: 'credential', hosts: [server.url] };
    expect((await admin.json('/api/v1/variables/FLOW_KEY', { method: 'PUT', json })).status).toBe(200);
    const { argv } = (await check(COMMAND)).body;
    const sent = `curl -X POST ${server.url}/api/v1/flow-commands -H 'content-type: application/json' -d '${JSON.stringify({ command: COMMAND, argv })}'`;
    const request = (more: string) => `nodes:\n  R: APIRequest\nconfig:\n  R.credential: FLOW_KEY\n${more}`;
    const reads = await runFlow(admin, request(`  R.url_input: ${server.url}/api/v1/flow-commands\n`));
    expect(JSON.stringify(reads.outputs)).toContain(FIXED);
    const writes = await runFlow(admin, request(`  R.mode: cURL\n  R.curl_input: ${JSON.stringify(sent)}\n`));
    expect(JSON.stringify(writes)).toContain('403');
    expect((await listed()).commands).toEqual([]);
  });

  it('not for a tool of the assistant or an agent: only the routes of administrators write it', () => {
    const root = join(import.meta.dirname, '../../../..');
    const folders = ['apps/server', ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`)];
    const files = folders.flatMap((folder) =>
      readdirSync(join(root, folder, 'src'), { recursive: true, encoding: 'utf8' }).map(
        (file) => `${folder}/src/${file}`,
      ),
    );
    const isSource = (file: string) => /(?<!\.test)\.tsx?$/.test(file);
    const users = files.filter(
      (file) => isSource(file) && /\b(addFlowCommand|flowCommand)\b/.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(users.toSorted()).toEqual([
      'apps/server/src/routes/flow-command-routes.ts',
      'apps/server/src/store/flow-commands.ts',
      'apps/server/src/store/flow-schema.ts',
    ]);
  });
});
