import { newWebhookSecret } from '@croft/runs/webhook';
import { expect, it } from 'vitest';
import { createFlowComponents } from '../components/flow-components.ts';
import { Problem } from '../problem.ts';
import { documentOf } from '../testing.ts';
import { deliver, type DeliverOptions } from './deliver.ts';

const secret = newWebhookSecret();
const flowComponents = createFlowComponents({ list: async () => ({ components: [], skipped: [] }) });
const FLOW = documentOf(
  'name: F\nnodes:\n  W: Webhook\n  B: ChatOutput\nedges:\n  W.output_data -> B.input_value',
  (_, id) => id,
);
const OTHER = documentOf('name: F\nnodes:\n  A: ChatInput', (_, id) => id);

interface Over {
  readonly flow?: unknown;
  readonly isKnown?: boolean;
  readonly listens?: boolean;
  readonly limit?: Error;
  readonly enqueue?: Error;
  readonly given?: string;
}

/** Delivers a request; what was queued, noted and captured. */
async function send({ flow = FLOW, isKnown = true, listens = false, limit, enqueue, given = secret }: Over = {}) {
  const queued: any[] = [];
  const notes: unknown[] = [];
  const captured: unknown[] = [];
  const options = {
    flowComponents,
    readApproved: async () => {
      if (flow instanceof Error) throw flow;
      return flow && { document: flow, documentBytes: 10, version: 1, access: 'owner' };
    },
    webhooks: {
      open: async (id: string) => (isKnown ? { id, userId: 'ann', flowId: 'f', secret } : undefined),
      note: async (id: string, outcome: object) => void notes.push([id, outcome]),
    },
    listeners: {
      capture: async (_: string, request: unknown) => {
        if (listens) captured.push(request);
        return listens;
      },
    },
    hookLimits: {
      accept: () => {
        if (limit) throw limit;
      },
    },
    queuedRuns: {
      enqueue: async (request: object) => {
        if (enqueue) throw enqueue;
        queued.push(request);
        return 'run-1';
      },
    },
  } as unknown as DeliverOptions;
  const headers = { 'content-type': 'application/json', 'x-croft-token': given, 'webhook-id': 'd-1' };
  const call = { id: 'hook', headers, body: Buffer.from('{"a":1}'), query: { q: 'x' } };
  const [runId, error] = await deliver(options, call).then(
    (id) => [id, undefined] as const,
    (failure: unknown) => [undefined, failure as Problem] as const,
  );
  return { runId, error, queued, notes, captured };
}

it('queues a run of the owner with the request, once for each delivery', async () => {
  const { runId, queued, notes } = await send();
  expect(runId).toBe('run-1');
  expect(queued).toMatchObject([
    {
      userId: 'ann',
      flowId: 'f',
      startedBy: 'webhook',
      inputs: { W: { data: { a: 1 }, query: { q: 'x' } } },
      webhook: { id: 'hook', deliveryId: 'd-1' },
    },
  ]);
  expect(JSON.stringify(queued)).not.toContain(secret);
  expect(notes).toEqual([['hook', { runId: 'run-1' }]]);
});

it('says the same for a wrong secret and a missing webhook', async () => {
  const [wrong, missing] = [await send({ given: newWebhookSecret() }), await send({ isKnown: false })];
  expect([wrong.error?.code, wrong.error?.message]).toEqual([missing.error?.code, missing.error?.message]);
  expect([wrong.error?.code, wrong.queued, wrong.notes]).toEqual(['not_found', [], []]);
});

it('keeps the request where its owner listens, and starts no run', async () => {
  const { runId, error, queued, captured } = await send({ listens: true });
  expect([runId, error, queued]).toEqual([undefined, undefined, []]);
  expect(captured).toMatchObject([{ data: { a: 1 }, query: { q: 'x' } }]);
});

it('refuses too many requests, before it looks at the flow', async () => {
  const { error, queued, notes } = await send({ limit: new Problem(429, 'busy', 'Later.') });
  expect([error?.code, queued, notes]).toEqual(['busy', [], []]);
});

it('tells the owner why the flow cannot run, and the sender only that', async () => {
  const { error, notes, queued } = await send({ flow: OTHER });
  expect(error).toMatchObject({
    code: 'run_failed',
    message: 'The flow cannot run. Its owner finds the reason in the list of webhooks.',
  });
  expect([queued, notes]).toEqual([
    [],
    [['hook', { failure: 'The flow has no component Webhook. Add one, which gives the request to the flow.' }]],
  ]);
  const gone = await send({ flow: new Problem(404, 'not_found', 'x') });
  expect([gone.error?.code, gone.notes]).toEqual([
    'run_failed',
    [['hook', { failure: 'The flow is not shared with you any more.' }]],
  ]);
});

it('passes a full queue and unexpected failures on, so that the sender tries again', async () => {
  const busy = await send({ enqueue: new Problem(503, 'busy', 'Later.') });
  expect([busy.error?.code, busy.notes]).toEqual(['busy', []]);
  expect((await send({ enqueue: new TypeError('bug') })).error).toBeInstanceOf(TypeError);
});
