import { expect, it } from 'vitest';
import { makeKey, type TestServer, type Visitor, visitor } from '../testing.ts';
import { connectMcp } from '../testing-mcp.ts';
import { useTestServer } from '../use-test-server.ts';

let server: TestServer;
let page: Visitor;
let program: Visitor;
let secret: string;
let flow: string;

const ECHO = 'name: Echo\nnodes:\n  I: ChatInput\n  O: ChatOutput\nedges:\n  I.message -> O.input_value';

useTestServer({}, async (started) => {
  server = started;
  page = await started.signInAdmin();
  secret = await makeKey(page);
  program = visitor(started.url, { authorization: `Bearer ${secret}` });
  flow = (await page.json<any>('/api/v1/flows/import', { method: 'POST', json: { source: ECHO } })).body.flow.id;
});

/** How the newest run of the flow was started, in the list and in its details. */
async function latest(): Promise<string> {
  const [{ id, source, startedBy }] = (await page.json<any>(`/api/v1/runs?flow=${flow}&limit=1`)).body.runs;
  const { run } = (await page.json<any>(`/api/v1/runs/${id}`)).body;
  expect([run.source, run.startedBy]).toEqual([source, startedBy]);
  return `${source} ${startedBy}`;
}
const post = (by: Visitor, path: string, json: object) => by.request(path, { method: 'POST', json });

it('the history says how each run was started, and a program cannot claim to be a page', async () => {
  const run = (by: Visitor, more: object = {}) => post(by, `/api/v1/flows/${flow}/run`, { message: 'hi', ...more });
  await run(page);
  expect(await latest()).toBe('direct page');
  const stream = { message: 'hi', from: 'canvas' };
  await (await post(page, `/api/v1/flows/${flow}/run/stream`, stream)).text();
  expect(await latest()).toBe('direct canvas');
  await run(page, { from: 'playground' });
  expect(await latest()).toBe('direct playground');
  await run(program, { from: 'canvas' });
  expect(await latest()).toBe('direct key');
  const messages = [{ role: 'user', content: 'hi' }];
  expect((await post(program, `/api/v1/flows/${flow}/openai/v1/chat/completions`, { messages })).status).toBe(200);
  expect(await latest()).toBe('direct openai');

  const link = await page.json<any>(`/api/v1/flows/${flow}/link`, { method: 'PUT', json: {} });
  await (await post(server.stranger, `/api/v1/public/${link.body.link.id}/messages`, { messages })).text();
  expect(await latest()).toBe('direct link');

  const client = await connectMcp(server, secret, '/mcp/flows');
  await client.callTool({ name: 'run_flow', arguments: { flow_id: flow, input_value: 'hi' } });
  await client.close();
  expect(await latest()).toBe('direct mcp');

  const queued = await post(program, `/api/v1/flows/${flow}/runs`, { message: 'hi' });
  expect([await queued.text(), queued.status]).toEqual([expect.any(String), 202]);
  expect(await latest()).toBe('api key');
});
