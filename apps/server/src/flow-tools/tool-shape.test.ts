import { DOCUMENT_VERSION } from '@croft/flow';
import { expect, it } from 'vitest';
import { type TestDatabase, useTestDatabase } from '../../../../tests/store/use-test-database.ts';
import { createFlowComponents } from '../components/flow-components.ts';
import { listPublishedTools } from '../flows/published-tools.ts';
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
