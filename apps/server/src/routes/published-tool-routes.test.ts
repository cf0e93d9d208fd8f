import { buildFromSpec, type FlowDocument } from '@croft/flow';
import { builtinRegistry } from '@croft/components';
import { beforeEach, describe, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { routeCaller } from '../../../../tests/support/route-caller.ts';
import { createFlowComponents } from '../components/flow-components.ts';
import { createFlow } from '../flows/create-flow.ts';
import { shareFlow } from '../flows/share-flow.ts';
import type { Db } from '../store/database.ts';
import { makePublishedToolRoutes } from './published-tool-routes.ts';

const SPEC = 'name: Say hello\nnodes:\n  I: ChatInput\n  O: ChatOutput\nedges:\n  I.message -> O.input_value\n';
let db: Db;
let path: string;
let flowId: string;
const userId = 'po-ann';
useSharedDatabase((database) => void (db = database.db), [userId, 'po-bob']);
const call = (method: string, json?: object, by = userId) =>
  routeCaller(
    makePublishedToolRoutes({
      storage: async () => db,
      flowComponents: createFlowComponents({ list: async () => ({ components: [], skipped: [] }) } as never),
    } as never),
  )(`${method} ${path}`, { ...(json && { json }), caller: { userId: by, role: 'user', via: 'session' } });

beforeEach(async () => {
  const built = buildFromSpec(SPEC, builtinRegistry(), (_, id) => id) as { flow: FlowDocument };
  flowId = (await createFlow(db, userId, built.flow)).flow.id;
  path = `/api/v1/flows/${flowId}/tool`;
});
const ABOUT = { description: 'Says hello.' };
const name = () => `flow_${flowId.replaceAll('-', '_').slice(0, 20)}`;

describe('a flow as a tool', () => {
  it('has a suggested name until it is published', async () => {
    expect((await call('GET')).body).toEqual({ tool: null, suggestion: 'flow_say_hello' });
  });

  it('is published with its inputs, changed and read', async () => {
    const tool = {
      name: name(),
      ...ABOUT,
      inputs: [
        expect.objectContaining({ component_id: 'I', type: 'string', required: expect.any(Boolean) as boolean }),
      ],
    };
    expect(await call('PUT', { name: name(), ...ABOUT })).toMatchObject({ status: 200, body: { tool } });
    expect((await call('GET')).body).toEqual({ tool, suggestion: 'flow_say_hello' });
    const changed = await call('PUT', { name: name(), description: 'Other.' });
    expect(changed.body.tool.description).toBe('Other.');
    expect(Object.keys(changed.body.tool.inputs[0]).sort()).toEqual([
      'component_id',
      'description',
      'name',
      'required',
      'type',
    ]);
  });

  it('is withdrawn once', async () => {
    await call('PUT', { name: name(), ...ABOUT });
    expect((await call('DELETE')).body).toEqual({ removed: true });
    expect((await call('DELETE')).body).toEqual({ removed: false });
    expect((await call('GET')).body.tool).toBeNull();
  });

  it('is published by the owner only', async () => {
    expect((await call('GET', undefined, 'po-bob')).status).toBe(404);
    await shareFlow(db, { userId, flowId, email: 'po-bob@example.test', access: 'edit' });
    for (const [method, json] of [['GET'], ['PUT', { name: name(), ...ABOUT }]] as const)
      expect(await call(method, json, 'po-bob')).toMatchObject({
        status: 403,
        body: { error: { code: 'forbidden', message: 'Only the owner of this flow can do this.' } },
      });
  });
});
