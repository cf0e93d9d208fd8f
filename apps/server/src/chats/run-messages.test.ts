import type { RunResult } from '@croft/flow';
import { eq } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { createFlow } from '../flows/create-flow.ts';
import { deleteForGood } from '../flows/deleted-flows.ts';
import { chatMessage } from '../store/chat-schema.ts';
import type { Db } from '../store/database.ts';
import { documentOf } from '../testing.ts';
import { runMessages } from './run-messages.ts';
import { listMessages } from './sessions.ts';

let db: Db;
let flowId: string;
const userId = 'rm-ann';
useSharedDatabase((database) => void (db = database.db), [userId]);
const flow = documentOf(
  'name: F\nnodes:\n  A: ChatInput\n  B: ChatOutput\nedges:\n  A.message -> B.input_value',
  (_, id) => id,
);
beforeEach(async () => {
  flowId = (await createFlow(db, userId, flow)).flow.id;
});

const result = (text = 'Hi', outputs: object = { B: { message: { text } } }) =>
  ({
    status: 'completed',
    text,
    outputs,
    metrics: { input_tokens: 3, output_tokens: 4, total_tokens: 7, duration_seconds: 1 },
  }) as unknown as RunResult;
const of = (values: object, more: object = {}) =>
  runMessages(async () => db, {
    flow,
    inputs: { A: values as never },
    userId,
    flowId,
    runId: `run-${flowId}`,
    secrets: new Set(['sk-canary']),
    ...more,
  });
async function stored(session = 's') {
  const found = await listMessages(db, { userId, flowId, sessionId: session }, { limit: 10 }).catch(() => undefined);
  return found?.messages.map(({ sender, senderName, text, tokens }) => [sender, senderName, text, tokens]).reverse();
}

it('stores the message when the run begins, and the answer with its tokens when it ends', async () => {
  const messages = of({ session_id: ' s ', input_value: 'Hello', sender_name: 'Ann' });
  await messages.begin();
  expect(await stored()).toEqual([['User', 'Ann', 'Hello', null]]);
  await messages.end(result());
  expect((await stored())?.[1]).toEqual(['Machine', 'AI', 'Hi', { input: 3, output: 4 }]);
  await messages.begin();
  expect(await stored()).toHaveLength(2);
});

it('stores nothing without a session, or for one that no list could show', async () => {
  for (const session_id of ['', '  ', 'x'.repeat(201), 'a\0b']) {
    const messages = of({ session_id, input_value: 'Hello' });
    await messages.begin();
    await messages.end(result());
    expect(await stored(session_id.trim())).toBeUndefined();
  }
});

it('stores no secret, and no empty text', async () => {
  await of({ session_id: 's', input_value: 'key sk-canary', sender_name: 'sk-canary' }).begin();
  expect(JSON.stringify(await stored())).not.toContain('sk-canary');
  await of({ session_id: 't', input_value: '' }).begin();
  expect(await stored('t')).toBeUndefined();
});

it('stores no answer of a flow whose outputs did not run', async () => {
  const messages = of({ session_id: 's', input_value: 'Hello' });
  await messages.begin();
  await messages.end(result('Hi', {}));
  expect(await stored()).toHaveLength(1);
});

it('takes the session of the chat output, and values of the stored flow', async () => {
  const named = {
    ...flow,
    nodes: flow.nodes.map((node) =>
      node.id === 'B'
        ? { ...node, values: { ...node.values, session_id: 'of-output' } }
        : { ...node, values: { ...node.values, input_value: 'stored', session_id: '' } },
    ),
  };
  await of({}, { flow: named }).begin();
  expect(await stored('of-output')).toEqual([['User', 'User', 'stored', null]]);
});

it('ends a run whose flow was deleted meanwhile', async () => {
  const messages = of({ session_id: 's', input_value: 'Hello' });
  await messages.begin();
  await deleteForGood(db, userId, flowId);
  await messages.end(result());
});

it('names sender and answer as the flow does, in messages that belong to the run', async () => {
  const named = {
    ...flow,
    nodes: flow.nodes.map((node) =>
      node.id === 'B'
        ? { ...node, values: { ...node.values, sender_name: 'Shop sk-canary' } }
        : { ...node, values: { ...node.values, sender: 'Machine', session_id: 's' } },
    ),
  };
  const messages = of({ input_value: 'Hello' }, { flow: named });
  await messages.begin();
  await messages.end(result('Key sk-canary'));
  const rows = await db.select().from(chatMessage).where(eq(chatMessage.flowId, flowId));
  expect(rows.map(({ id, runId, isOfRun }) => [id, runId, isOfRun]).sort()).toEqual([
    [`run-${flowId}.answer`, `run-${flowId}`, true],
    [`run-${flowId}.user`, `run-${flowId}`, true],
  ]);
  const [user, answer] = (await stored()) ?? [];
  expect(user?.slice(0, 3)).toEqual(['Machine', 'User', 'Hello']);
  expect(answer?.[1]).toMatch(/^Shop [^ ]+$/);
  expect(JSON.stringify([rows, answer])).not.toContain('sk-canary');
});

it('fails where the database does', async () => {
  const failing = runMessages(() => Promise.reject(new Error('no database')), {
    flow,
    inputs: { A: { session_id: 's', input_value: 'x' } },
    userId,
    flowId,
    runId: 'r',
    secrets: new Set(),
  });
  await expect(failing.begin()).rejects.toThrow('no database');
  await expect(failing.end(result())).rejects.toThrow('no database');
});
