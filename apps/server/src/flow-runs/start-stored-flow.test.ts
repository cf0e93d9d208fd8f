import { setImmediate as turnOfLoop, setTimeout as sleep } from 'node:timers/promises';
import { builtinRegistry } from '@croft/components';
import { createRegistry, emptyFlow, type FlowDocument } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { createFlow } from '../flows/create-flow.ts';
import { editFlow } from '../flows/edit-flow.ts';
import { shareFlow } from '../flows/share-flow.ts';
import type { Caller } from '../identity.ts';
import type { Db } from '../store/database.ts';
import { documentOf } from '../testing.ts';
import {
  approvedFlowFrom,
  type ReadFlow,
  readFlowFrom,
  type ReadyFlow,
  readyFlow,
  type ReadyOptions,
  type StartOptions,
  startStoredFlow,
} from './start-stored-flow.ts';

it('reads the flows of requests that come together in different turns of the event loop', async () => {
  let sinceTurn = 0;
  let most = 0;
  const options: ReadyOptions = {
    readFlow: async () => {
      most = Math.max(most, ++sinceTurn);
      return { document: emptyFlow(), documentBytes: 0, access: 'owner', version: 1 };
    },
    flowComponents: { forFlow: async () => ({ registry: createRegistry([]), findings: [] }) },
  };
  let isOver = false;
  const turns = (async () => {
    for (; !isOver; await turnOfLoop()) sinceTurn = 0;
  })();
  await Promise.all(Array.from({ length: 20 }, () => readyFlow(options, 'one', { flowId: 'flow', values: {} })));
  isOver = true;
  await turns;
  // Two where the turn of this test ends between them.
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(2);
});

it('checks one request at a time, however many come together', async () => {
  let checking = 0;
  let most = 0;
  const options: ReadyOptions = {
    async readFlow() {
      most = Math.max(most, ++checking);
      await sleep(1);
      return { document: emptyFlow(), documentBytes: 0, access: 'owner', version: 1 };
    },
    flowComponents: {
      async forFlow() {
        await sleep(1);
        checking--;
        return { registry: createRegistry([]), findings: [] };
      },
    },
  };
  await Promise.all(Array.from({ length: 20 }, () => readyFlow(options, 'one', { flowId: 'flow', values: {} })));
  // More on a machine that is so busy that one takes more than 20 ms.
  expect(most).toBeLessThan(6);
});

const document = documentOf(
  'name: F\nnodes:\n  A: ChatInput\n  B: ChatOutput\n  C: TextInput\nedges:\n  A.message -> B.input_value',
  (_, id) => id,
);
const caller = { userId: 'ann', role: 'user', via: 'key', key: 'k1' } as unknown as Caller;

/** Parts that know one flow of a user; `asked`: what was read, for whom. */
function parts(found: Partial<Awaited<ReturnType<ReadFlow>>> | 'none' = {}) {
  const asked: unknown[] = [];
  const started: any[] = [];
  const options: StartOptions = {
    readFlow: async (...of) => {
      asked.push(of);
      return found === 'none' ? undefined : { document, documentBytes: 100, access: 'owner', version: 3, ...found };
    },
    flowComponents: {
      forFlow: async (userId, flow) => {
        asked.push([userId, flow.nodes.map(({ id }) => id)]);
        return { registry: builtinRegistry() as never, findings: [] };
      },
    },
    liveRuns: { start: (request) => (started.push(request), { id: 'run' }) as never },
  };
  return { options, asked, started };
}
const ready = (request: Partial<Parameters<typeof readyFlow>[2]>, found: Parameters<typeof parts>[0] = {}) =>
  readyFlow(parts(found).options, 'ann', { flowId: 'f', values: {}, ...request });

it('reads a flow and its components for the user, and gives it its values', async () => {
  const { options, asked } = parts();
  const found = await readyFlow(options, 'ann', { flowId: 'f', values: { message: 'hi' } });
  expect(asked).toEqual([
    ['ann', 'f'],
    ['ann', ['A', 'B', 'C']],
  ]);
  expect(found.flow).toBe(document);
  expect(JSON.parse(JSON.stringify(found.inputs))).toEqual({ A: { input_value: 'hi' } });
  expect(found.registry.get('ChatInput')?.descriptor.type).toBe('ChatInput');
  expect(found.bytes).toBe(100 + '[{"A":{"input_value":"hi"}},{}]'.length);
});

it('refuses a flow that the user does not have, has another version, or cannot run', async () => {
  await expect(ready({}, 'none')).rejects.toMatchObject({
    status: 404,
    code: 'not_found',
    message: 'You have no such flow.',
  });
  await expect(ready({ version: 2 })).rejects.toMatchObject({
    status: 409,
    code: 'changed',
    message: 'The flow has version 3 now, and not 2.',
  });
  expect((await ready({ version: 3 })).flow).toBe(document);
  await expect(ready({ startAt: 'Z' })).rejects.toThrow("startAt: The flow has no component 'Z'.");
  const broken = { ...document, nodes: [{ ...document.nodes[0], id: 'X', type: 'Gone' } as never], edges: [] };
  await expect(ready({}, { document: broken })).rejects.toThrow(/^The flow cannot run: .*Gone/);
});

it('runs a part of a flow, without values of the components that it leaves out', async () => {
  const inputs = { A: { input_value: 'a' }, C: { input_value: 'c' } };
  const part = await ready({ until: 'B', values: { inputs } });
  expect(part.flow.nodes.map(({ id }) => id)).toEqual(['A', 'B']);
  expect(JSON.parse(JSON.stringify(part.inputs))).toEqual({ A: { input_value: 'a' } });
  const message = await ready({ until: 'B', values: { message: 'hi' } });
  expect(JSON.parse(JSON.stringify(message.inputs))).toEqual({ A: { input_value: 'hi' } });
  await expect(ready({ until: 'B', values: { inputs: { Z: {} } } })).rejects.toThrow("'Z' is not an input of the flow");
});

it('lets only the owner change fields for a run, and computes values from the flow that runs', async () => {
  const tweaks = { C: { input_value: 'new' } };
  const given: unknown[] = [];
  const values = (flow: FlowDocument) => {
    given.push(flow.nodes[2]?.values['input_value']);
    return { message: 'from the flow' };
  };
  const tweaked = await ready({ tweaks, values });
  expect(tweaked.flow.nodes[2]?.values['input_value']).toBe('new');
  expect(given).toEqual(['new']);
  expect(JSON.parse(JSON.stringify(tweaked.inputs))).toEqual({ A: { input_value: 'from the flow' } });
  expect(tweaked.bytes).toBe(100 + JSON.stringify([tweaked.inputs, tweaks]).length);
  await expect(ready({ tweaks }, { access: 'edit' })).rejects.toMatchObject({ code: 'forbidden' });
});

it('starts a run of the caller with the way and the client that started it', async () => {
  const { options, started } = parts();
  const history = {} as never;
  const request = { flowId: 'f', startedBy: 'mcp', client: 'editor', values: { message: 'hi' }, timeoutMs: 5 } as const;
  const { run, flow } = await startStoredFlow(options, caller, { ...request, startAt: 'A', history });
  expect([run.id, flow.nodes.map(({ id }) => id)]).toEqual(['run', ['A', 'B']]);
  expect(started).toEqual([
    {
      flow,
      inputs: expect.anything(),
      registry: expect.anything(),
      bytes: expect.any(Number),
      actor: { userId: 'ann', via: 'mcp', client: 'editor', key: 'k1' },
      flowId: 'f',
      startedBy: 'mcp',
      timeoutMs: 5,
      startAt: 'A',
      history,
    },
  ]);
  await startStoredFlow(options, caller, { flowId: 'f', startedBy: 'key', values: {}, timeoutMs: 1 });
  expect(started[1]).toMatchObject({ actor: { via: 'api', client: null }, startAt: undefined });
  expect(started[1]).not.toHaveProperty('history');
});

it('starts no run that is not approved', async () => {
  const { options, started } = parts();
  const seen: unknown[] = [];
  const approve = async (flow: ReadyFlow) => {
    seen.push(flow.flow.name);
    throw new Error('not approved');
  };
  const starting = startStoredFlow(options, caller, {
    flowId: 'f',
    startedBy: 'mcp',
    values: {},
    timeoutMs: 1,
    approve,
  });
  await expect(starting).rejects.toThrow('not approved');
  expect([seen, started]).toEqual([['F'], []]);
});

describe('a stored flow', () => {
  let db: Db;
  useSharedDatabase((database) => void (db = database.db), ['ssf-ann', 'ssf-bob', 'ssf-cid']);
  const storage = async () => db;

  it('is read for those who have it, and runs on its own only in a version that the user accepted', async () => {
    const { id } = (await createFlow(db, 'ssf-ann', emptyFlow('Shop'))).flow;
    await shareFlow(db, { userId: 'ssf-ann', flowId: id, email: 'ssf-bob@example.test', access: 'edit' });
    expect(await readFlowFrom(storage)('ssf-ann', id)).toMatchObject({ version: 1, access: 'owner' });
    expect(await readFlowFrom(storage)('ssf-cid', id)).toBeUndefined();
    expect(await approvedFlowFrom(storage)('ssf-ann', id)).toMatchObject({ version: 1 });
    expect(await approvedFlowFrom(storage)('ssf-cid', id)).toBeUndefined();
    await editFlow(db, { userId: 'ssf-bob', flowId: id, base: 1, edits: [{ kind: 'set_details', name: 'Other' }] });
    expect(await readFlowFrom(storage)('ssf-ann', id)).toMatchObject({ version: 2 });
    await expect(approvedFlowFrom(storage)('ssf-ann', id)).rejects.toMatchObject({
      status: 400,
      code: 'invalid',
      message:
        'Another user changed the flow after you turned this on. Check the flow, and accept this version under Use it.',
    });
    await expect(approvedFlowFrom(storage, () => new Error('own'))('ssf-ann', id)).rejects.toThrow('own');
  });
});
