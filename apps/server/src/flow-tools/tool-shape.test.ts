import { DOCUMENT_VERSION } from '@croft/flow';
import { expect, it } from 'vitest';
import { type TestDatabase, useTestDatabase } from '../../../../tests/store/use-test-database.ts';
import { createFlowComponents } from '../components/flow-components.ts';
import { createFlow } from '../flows/create-flow.ts';
import { type ListedTool, listPublishedTools } from '../flows/published-tools.ts';
import { documentOf } from '../testing.ts';
import { createToolShapes } from './tool-shape.ts';

let opened: TestDatabase;

useTestDatabase(async (started) => {
  opened = started;
  const document = JSON.stringify({ version: DOCUMENT_VERSION, name: 'Greet', description: '', nodes: [], edges: [] });
  await opened.database.pool.query(`
    INSERT INTO "user" (id, name, email) VALUES ('ada', 'Ada', 'ada@example.test');
    INSERT INTO flow (id, user_id, name, description, document, version, document_bytes, stored_bytes)
    VALUES ('greet', 'ada', 'greet', '', '${document}', 2, 100, 100);
    INSERT INTO published_tool (flow_id, user_id, name, description, shape, shape_version)
    VALUES ('greet', 'ada', 'flow_greet', '', '{"title":"Old","inputs":[]}', 1);
    INSERT INTO flow_approval VALUES ('greet', 'ada', 2);
  `);
});

it('computes a shape once for two lists that read their rows before it was stored', async () => {
  const { db } = opened.database;
  const components = createFlowComponents({ list: async () => ({ components: [], skipped: [] }) });
  let computed = 0;
  const shapes = createToolShapes({
    flowComponents: {
      forFlow: (userId, flow) => {
        computed += 1;
        return components.forFlow(userId, flow);
      },
    },
    log: { warn: (problem: unknown) => expect(problem).toBeUndefined() },
    storage: async () => db,
  });
  const rows = await listPublishedTools(db, 'ada');
  expect(await shapes.of('ada', rows)).toEqual([{ title: 'Greet', inputs: [] }]);
  expect(await shapes.of('ada', rows)).toEqual([{ title: 'Greet', inputs: [] }]);
  expect(computed).toBe(1);
});

/** The shapes of tools, with a count of computed ones and what was logged. */
function start(storage = async () => opened.database.db) {
  const components = createFlowComponents({ list: async () => ({ components: [], skipped: [] }) });
  const computed: string[] = [];
  const logged: unknown[] = [];
  const shapes = createToolShapes({
    flowComponents: {
      forFlow: (userId, flow) => {
        computed.push(userId);
        return components.forFlow(userId, flow);
      },
    },
    log: { warn: (...line: unknown[]) => void logged.push(line) } as never,
    storage,
  });
  return { shapes, computed, logged };
}
const shapeOf = (title: string) => ({ title, inputs: [] });
const tool = (more: Partial<ListedTool> = {}): ListedTool => ({
  flowId: 'greet',
  name: 'flow_greet',
  description: '',
  shape: undefined,
  version: 2,
  documentBytes: 100,
  isAccepted: true,
  ...more,
});
const stored = (version: number, title = 'Stored') => ({ version, json: JSON.stringify(shapeOf(title)) });

it('keeps a stored shape of this version, and the former one of a version that the owner has not accepted', async () => {
  const { shapes, computed } = start();
  expect(
    await shapes.of('ada', [
      tool({ shape: stored(2, 'Same') }),
      tool({ shape: stored(1, 'Former'), isAccepted: false }),
    ]),
  ).toEqual([shapeOf('Same'), shapeOf('Former')]);
  expect(computed).toEqual([]);
});

it('computes a bounded title and the inputs, and stores them', async () => {
  const { db, pool } = opened.database;
  const document = documentOf('name: F\nnodes:\n  A: ChatInput', (_, id) => id);
  const { flow } = await createFlow(db, 'ada', { ...document, name: ` A\u0001\n b${'x'.repeat(150)}` });
  await pool.query(
    `INSERT INTO published_tool (flow_id, user_id, name, description) VALUES ('${flow.id}', 'ada', 'flow_a', '')`,
  );
  const { shapes, computed } = start();
  const list = async () => (await listPublishedTools(db, 'ada')).filter(({ name }) => name === 'flow_a');
  const [shape] = await shapes.of('ada', await list());
  expect(shape).toEqual({
    title: `A b${'x'.repeat(97)}`,
    inputs: [expect.objectContaining({ node: 'A', field: 'input_value', type: 'string' })],
  });
  expect((await list())[0]?.shape).toEqual({ version: 1, json: JSON.stringify(shape) });
  expect([await shapes.of('ada', await list()), computed]).toEqual([[shape], ['ada']]);
});

it('has no shape of a flow that it cannot read, and keeps the stored one where a later version exists', async () => {
  const { shapes, computed, logged } = start();
  const rows = [
    tool({ flowId: 'gone' }),
    tool({ flowId: 'gone', shape: stored(1) }),
    tool({ version: 7, shape: stored(1) }),
  ];
  expect(await shapes.of('ada', rows)).toEqual([undefined, shapeOf('Stored'), shapeOf('Stored')]);
  expect(await shapes.of('bob', [tool({ version: 3 })])).toEqual([undefined]);
  expect([computed, logged]).toEqual([[], []]);
});

it('goes on with the other tools where one fails, and says so', async () => {
  const failure = new Error('no database');
  const { shapes, logged } = start(() => Promise.reject(failure));
  expect(await shapes.of('ada', [tool({ version: 3, shape: stored(1) }), tool({ shape: stored(2, 'Same') })])).toEqual([
    shapeOf('Stored'),
    shapeOf('Same'),
  ]);
  expect(logged).toEqual([[{ err: failure, flow: 'greet' }, 'the tool of a flow could not be described']]);
});

it('reads documents of 16 MiB for one list, and computes the same shape once for lists that come together', async () => {
  let reads = 0;
  const { shapes } = start(() => {
    reads++;
    return Promise.reject(new Error('none'));
  });
  const large = (flowId: string, documentBytes: number) => tool({ flowId, documentBytes });
  await shapes.of('ada', [large('a', 16 * 1024 * 1024 - 1), large('b', 1), large('c', 1)]);
  expect(reads).toBe(2);
  reads = 0;
  await Promise.all([shapes.of('ada', [tool()]), shapes.of('ada', [tool()]), shapes.of('ada', [tool({ version: 3 })])]);
  expect(reads).toBe(2);
  await shapes.of('ada', [tool()]);
  expect(reads).toBe(3);
});
