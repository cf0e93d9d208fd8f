import { expect, it } from 'vitest';
import type { TestServer, Visitor } from '../testing.ts';
import { useTestServer } from '../use-test-server.ts';

let page: Visitor;
useTestServer({ autoLogin: true }, async (server: TestServer) => void (page = await server.openPage()));

const BUILD = 'build a flow that reads notes.md and shows `notes.md has N words`';
const REPLACE = 'replace `milk` with `bread` in notes.md';
const NOTES = 'milk and eggs';
let conversations = 0;

/** A conversation about a new flow, whose canvas already has what the user built. */
async function converse() {
  const { body } = await page.json<any>('/api/v1/flows', { method: 'POST', json: {} });
  const id = body.flow.id as string;
  const session_id = `agentic_undo_${conversations++}`;
  const write = (content: string) =>
    page.json('/api/v1/tools/full/write_file', { method: 'POST', json: { path: 'notes.md', content } });
  await write(NOTES);
  const flow = async () => (await page.json<any>(`/api/v1/flows/${id}`)).body.flow;
  return {
    write,
    async say(input_value: string) {
      const json = { flow_id: id, input_value, session_id, skip_all: true };
      const { body: answer } = await page.json<any>('/api/v1/agentic/assist', { method: 'POST', json });
      return { turnId: answer.turn_id as string, ...answer.end.data } as Record<string, string>;
    },
    async rename(name: string) {
      const { version: base } = await flow();
      const edits = [{ kind: 'set_details', name }];
      return page.json<any>(`/api/v1/flows/${id}/edits`, { method: 'POST', json: { base, edits } });
    },
    revert: (turnId = '') => page.json<any>(`/api/v1/agentic/turns/${turnId}/revert`, { method: 'POST', json: {} }),
    async state() {
      const notes = await page.request('/api/v1/files/content?path=notes.md');
      const { document } = await flow();
      return [await notes.text(), document.nodes.length > 0];
    },
    flow,
  };
}

it('takes back the files of the newest message, and then the canvas of the one before', async () => {
  const { say, state } = await converse();
  await say(BUILD);
  await say(REPLACE);
  expect(await state()).toEqual(['bread and eggs', true]);
  const first = await say('undo that');
  expect(first['result']).toBe('Undone: changes of notes.md.');
  expect(first['status_line']).toContain('Took back changes of notes.md');
  expect(await state()).toEqual([NOTES, true]);
  expect((await say('undo that'))['result']).toMatch(/^Undone: removed /);
  expect(await state()).toEqual([NOTES, false]);
});

it('takes back a newer change of the canvas first, by a message or by hand', async () => {
  const { say, state, rename, flow } = await converse();
  await say(REPLACE);
  await say(BUILD);
  const { name } = await flow();
  expect((await rename('By hand')).status).toBe(200);
  await say('undo that');
  expect([(await flow()).name, ...(await state())]).toEqual([name, 'bread and eggs', true]);
  await say('undo that');
  expect(await state()).toEqual(['bread and eggs', false]);
  await say('undo that');
  expect(await state()).toEqual([NOTES, false]);
});

it('says which file stays because it was changed since, and undoes nothing older', async () => {
  const { say, state, write, revert } = await converse();
  await say(BUILD);
  const { turnId } = await say(REPLACE);
  await write('by a person');
  expect(await say('undo that')).toMatchObject({
    result: 'Nothing was undone. Not taken back: notes.md was changed since.',
    outcome: 'not_done',
  });
  expect(await state()).toEqual(['by a person', true]);
  const refused = await revert(turnId);
  expect([refused.status, refused.body.error]).toMatchObject([
    409,
    { code: 'changed', message: 'Not taken back: notes.md was changed since.' },
  ]);
});
