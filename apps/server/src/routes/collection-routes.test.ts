import { expect, it } from 'vitest';
import { storeFlow, type Visitor } from '../testing.ts';
import { useTestServer } from '../use-test-server.ts';

let ada: Visitor;
let ben: Visitor;

useTestServer({}, async (started) => {
  ada = await started.signInAdmin();
  ben = await started.addUser('ben');
});

async function run(by: Visitor, spec: string, message: string, path = 'run') {
  const id = await storeFlow(by, spec);
  return by.json<any>(`/api/v1/flows/${id}/${path}`, { method: 'POST', json: { message } });
}

const WRITES = `name: Writes
nodes:
  I: ChatInput
  W: VectorStoreWrite
  T: TypeConverterComponent
  O: ChatOutput
edges:
  I.message -> W.ingest_data
  W.result -> T.input_data
  T.message_output -> O.input_value
config:
  W.collection: sheep/facts
  W.mode: Append
`;
const SEARCHES = `name: Searches
nodes:
  I: ChatInput
  V: VectorSearch
  P: ParserComponent
  O: ChatOutput
edges:
  I.message -> V.search_query
  V.dataframe -> P.input_data
  P.parsed_text -> O.input_value
config:
  V.collection: sheep/facts
  P.pattern: "{text}"
`;

it('a collection stays after the run that wrote it, for other flows of the user and not for others', async () => {
  expect((await run(ada, WRITES, 'Sheep graze on the hill')).status).toBe(200);
  const queued = await run(ada, WRITES, 'The wall is dry', 'runs');
  const status = async () => (await ada.json<any>(`/api/v1/runs/${queued.body.id}`)).body.run.status;
  await expect.poll(status).toBe('completed');
  expect((await run(ada, SEARCHES, 'a dry wall')).body.text).toMatch(/^The wall is dry/);
  const list = async (by: Visitor) => (await by.json<any>('/api/v1/collections')).body.collections;
  expect(await list(ada)).toEqual([
    {
      name: 'sheep/facts',
      embedder: 'croft/lexical',
      chunks: 2,
      bytes: expect.any(Number),
      updatedAt: expect.any(String),
    },
  ]);
  const remove = (by: Visitor) => by.json(`/api/v1/collections/sheep%2Ffacts`, { method: 'DELETE' });
  expect([await list(ben), (await remove(ben)).status]).toEqual([[], 404]);
  expect((await run(ben, SEARCHES, 'a dry wall')).body.failure.message).toContain('There is no collection');
  expect((await remove(ada)).status).toBe(200);
  expect([await list(ada), (await remove(ada)).status]).toEqual([[], 404]);
});
