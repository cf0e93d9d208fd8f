import { builtinRegistry } from '@croft/components';
import { buildFromSpec } from '@croft/flow';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADMIN, startTestServer, type TestServer, type Visitor } from '../testing.ts';

// This program ends at once and does not speak MCP, and the client says that it did not answer.
const LISTED = `${process.execPath} --version`;
let server: TestServer;
let admin: Visitor;
let alice: Visitor;

beforeAll(async () => {
  server = await startTestServer({ flowCommands: [LISTED] });
  await server.running.ready;
  admin = await server.signIn(ADMIN.login, ADMIN.password);
  const json = { name: 'alice', email: 'alice@example.test', password: 'password of alice' };
  await admin.json('/api/v1/users', { method: 'POST', json });
  alice = await server.signIn(json.email, json.password);
}, 60_000);
afterAll(() => server?.stop());

async function runCommand(by: Visitor, command: string): Promise<string> {
  const built = buildFromSpec(
    `nodes:\n  M: MCPTools\nconfig:\n  M.transport: Command\n  M.command: ${command}\n`,
    builtinRegistry(),
    (_type, id) => id,
  );
  if ('error' in built) throw new Error(`${built.error} ${built.details}`);
  const stored = await by.json<any>('/api/v1/flows', { method: 'POST', json: { document: built.flow } });
  const { body } = await by.json<any>(`/api/v1/flows/${stored.body.flow.id}/run`, { method: 'POST', json: {} });
  return body.failure.message;
}

it('starts a listed command for an administrator', async () => {
  expect(await runCommand(admin, LISTED)).toContain('did not answer');
});

it('starts no other command, and none for other users', async () => {
  expect(await runCommand(admin, `${LISTED} --help`)).toContain('is not allowed');
  expect(await runCommand(alice, LISTED)).toContain('is not allowed');
});
