import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryDir } from '@croft/workspace/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, storeFlow, type TestServer, type Visitor } from '../testing.ts';

let server: TestServer;
let page: Visitor;
let picked: string;

beforeAll(async () => {
  picked = mkdtempSync(join(tmpdir(), 'croft-remote-disk-'));
  writeFileSync(join(picked, 'notes.md'), 'granite');
  const baseDir = mkdtempSync(join(memoryDir(), 'croft-remote-files-'));
  server = await startTestServer({ autoLogin: true, filesystemPath: picked, baseDir });
  await server.running.ready;
  page = await server.openPage();
});
afterAll(async () => {
  await server?.stop();
  for (const dir of [picked, server?.baseDir]) if (dir) rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
});

async function readNotes() {
  const spec =
    'nodes:\n  R: RemoteFiles\n  O: ChatOutput\nedges:\n  R.message -> O.input_value\nconfig:\n  R.path: notes.md\n';
  const id = await storeFlow(page, spec);
  const ran = await page.json<any>(`/api/v1/flows/${id}/run`, { method: 'POST', json: {} });
  return ran.body as { text: string; failure?: { message: string } };
}

it('reads files of the machine of its user, while its switch is on', async () => {
  const toggle = (enabled: boolean) =>
    page.json('/instance-ai/filesystem/toggle', { method: 'POST', json: { enabled } });
  await toggle(true);
  expect((await readNotes()).text).toBe('granite');
  await toggle(false);
  expect((await readNotes()).failure?.message).toBe('No machine is connected.');
});
