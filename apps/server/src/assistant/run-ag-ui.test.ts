import { builtinRegistry } from '@croft/components';
import { createEventLog } from '@croft/event-log';
import { beforeEach, describe, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { TEST_CALLER } from '../../../../tests/support/route-caller.ts';
import { createFlow } from '../flows/create-flow.ts';
import type { Db } from '../store/database.ts';
import { documentOf } from '../testing.ts';
import type { AgUiEvent } from './ag-ui-events.ts';
import { type AgUiInput, type AgUiOptions, runAgUi } from './run-ag-ui.ts';

let db: Db;
let flowId: string;
const userId = 'ru-ann';
useSharedDatabase((database) => void (db = database.db), [userId]);

let stored: any[];
let logged: unknown[][];
let started: any[];
let readers: number;
let left: AbortController;
let end: () => void;
let log: ReturnType<typeof createEventLog>;
beforeEach(async () => {
  flowId = (
    await createFlow(
      db,
      userId,
      documentOf('name: F\nnodes:\n  A: ChatInput', (_, id) => id),
    )
  ).flow.id;
  [stored, logged, started, readers] = [[], [], [], 0];
  left = new AbortController();
  log = createEventLog({ maxEvents: 100, maxBytes: 100_000 });
});

const add = (...events: object[]) => {
  for (const event of events) log.append({ data: JSON.stringify(event) });
};
function turn() {
  return {
    id: 'turn',
    userId,
    flowId,
    sessionId: 'thread',
    firstEventId: log.lastId,
    log,
    ended: new Promise<void>((resolve) => (end = resolve)),
    attend: () => {
      readers++;
      return () => void readers--;
    },
    summary: () => ({ provider: 'p', model_name: 'm', flow_changed: false }),
  };
}
async function run(input: Partial<AgUiInput> = {}, whenStarted: () => void = () => {}): Promise<AgUiEvent[]> {
  const options = {
    liveTurns: {
      find: () => undefined,
      decide: (_: string, __: string, work: () => Promise<unknown>) => work(),
      start(request: object) {
        started.push(request);
        const made = turn();
        setImmediate(whenStarted);
        return made;
      },
    },
    log: { error: (...args: unknown[]) => void logged.push(args) },
    events: { send: () => {} },
    flowComponents: { fillEdits: async (_: string, edits: unknown) => edits },
    metrics: { decided: () => {} },
    registry: builtinRegistry(),
    storage: async () => db,
    turnStore: {
      add: async (_: string, event: object) => void stored.push(event),
      find: async () => ({ flowId, sessionId: 'thread', events: stored }),
      turns: async () => [],
      memory: async () => [],
    },
    variables: { open: async () => [] },
  } as unknown as AgUiOptions;
  const events: AgUiEvent[] = [];
  const all = runAgUi(
    options,
    { ...TEST_CALLER, userId },
    {
      flowId,
      threadId: 'thread',
      runId: 'r',
      message: 'hello',
      resume: [],
      provider: undefined,
      modelName: undefined,
      left: left.signal,
      ...input,
    },
  );
  for await (const event of all) events.push(event);
  return events;
}
const usage = { input_tokens: 1, output_tokens: 2, total_tokens: 3 };
const complete = { event: 'complete', data: { result: 'Hi', usage, continuation_expected: false } };
const STARTED = { type: 'RUN_STARTED', threadId: 'thread', runId: 'r', protocolVersion: '1.0' };
const FINISHED = { type: 'RUN_FINISHED', threadId: 'thread', runId: 'r' };

describe('a run of an AG-UI client', () => {
  it('sends the message and follows the turn to its end', async () => {
    const events = await run({}, () => add({ event: 'token', chunk: 'Hi' }, complete));
    expect(events[0]).toEqual(STARTED);
    expect(events.map(({ type }) => type)).toContain('TEXT_MESSAGE_CONTENT');
    expect(events.at(-1)).toMatchObject({ ...FINISHED, outcome: { type: 'success' }, result: complete.data });
    expect(JSON.stringify(events.at(-1)?.['usage'])).toContain('3');
    expect(started).toMatchObject([{ flowId, sessionId: 'thread', message: 'hello' }]);
    expect(readers).toBe(0);
  });

  it('ends with an interrupt for a question, and for open proposals', async () => {
    const question = { event: 'question', id: 'q', kind: 'effects', text: 'Run?', choices: ['Run', 'No'] };
    expect((await run({}, () => add(question))).at(-1)).toMatchObject({
      ...FINISHED,
      outcome: { type: 'interrupt', interrupts: [{ id: 'turn/q' }] },
    });
    stored = [{ event: 'flow_update', action: 'propose_plan', id: 'p', markdown: 'First' }];
    expect((await run({}, () => add(complete))).at(-1)).toMatchObject({
      outcome: { type: 'interrupt', interrupts: [{ id: 'turn/p' }] },
      result: complete.data,
    });
  });

  it('ends with the error or the stop of the turn', async () => {
    expect((await run({}, () => add({ event: 'error', message: 'Broken', usage }))).at(-1)).toMatchObject({
      type: 'RUN_ERROR',
      message: 'Broken',
      code: 'error',
      usage: expect.anything() as object,
    });
    expect((await run({}, () => add({ event: 'cancelled', message: 'Stopped', usage }))).at(-1)).toMatchObject({
      ...FINISHED,
      outcome: { type: 'cancelled' },
      result: { message: 'Stopped' },
    });
  });

  it('sends nothing more to a client that left', async () => {
    expect(await run({}, () => left.abort())).toEqual([STARTED]);
    expect(readers).toBe(0);
  });

  it('says where the rest is when the turn ended without an end', async () => {
    expect((await run({}, () => end())).at(-1)).toEqual({
      type: 'RUN_ERROR',
      message: 'The events were not read in time. Read them at /api/v1/agentic/turns/turn/events.',
      code: 'slow',
    });
  });

  it('ends with the proposals that are left after decisions', async () => {
    const plan = (id: string) => ({ event: 'flow_update', action: 'propose_plan', id, markdown: 'First' });
    const dismiss = (id: string) => run({ resume: [{ interruptId: `turn/${id}`, status: 'cancelled' }] });
    stored = [plan('p'), plan('q')];
    expect((await dismiss('p')).at(-1)).toMatchObject({
      ...FINISHED,
      outcome: { type: 'interrupt', interrupts: [{ id: 'turn/q' }] },
    });
    expect((await dismiss('q')).at(-1)).toEqual({ ...FINISHED, outcome: { type: 'success' } });
    expect((await dismiss('q')).at(-1)).toEqual({
      type: 'RUN_ERROR',
      message: 'This interrupt is not open in this thread any more.',
      code: 'not_found',
    });
    expect(started).toEqual([]);
  });

  it('needs a message of at most 20,000 characters', async () => {
    const error = async (message: string | undefined) => (await run({ message })).at(-1);
    expect(await error(undefined)).toEqual({
      type: 'RUN_ERROR',
      message: 'messages: The last message of the user has no text.',
      code: 'invalid',
    });
    expect(await error('x'.repeat(20_001))).toMatchObject({
      message: 'messages: The last message of the user has more than 20000 characters.',
    });
    expect(logged).toEqual([]);
    expect(started).toEqual([]);
  });

  it('logs a failure of the server and tells the client no more than that', async () => {
    expect((await run({ flowId: undefined as never, resume: null as never })).at(-1)).toEqual({
      type: 'RUN_ERROR',
      message: 'The run failed. Send the message again.',
      code: 'internal',
    });
    expect(logged).toEqual([[{ err: expect.any(TypeError) as Error, runId: 'r' }, 'a run of an AG-UI client failed']]);
  });
});
