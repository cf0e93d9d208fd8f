import { expect, it } from 'vitest';
import { storeFlow, type Visitor } from '../testing.ts';
import { useTestServer } from '../use-test-server.ts';

// This program ends at once and does not speak MCP, and the client says that it did not answer.
const LISTED = `${process.execPath} --version`;
let admin: Visitor;
let alice: Visitor;

useTestServer({ flowCommands: [LISTED] }, async (started) => {
  admin = await started.signInAdmin();
  alice = await started.addUser('alice');
});

async function runCommand(by: Visitor, command: string): Promise<string> {
  const id = await storeFlow(by, `nodes:\n  M: MCPTools\nconfig:\n  M.transport: Command\n  M.command: ${command}\n`);
  const { body } = await by.json<any>(`/api/v1/flows/${id}/run`, { method: 'POST', json: {} });
  return body.failure.message;
}

it('starts a listed command for an administrator', async () => {
  expect(await runCommand(admin, LISTED)).toContain('did not answer');
});

it('starts no other command, and none for other users', async () => {
  expect(await runCommand(admin, `${LISTED} --help`)).toContain('is not allowed');
  expect(await runCommand(alice, LISTED)).toContain('is not allowed');
});
