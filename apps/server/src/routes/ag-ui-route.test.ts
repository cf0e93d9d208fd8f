import { type BaseEvent, HttpAgent, type Interrupt } from '@ag-ui/client';
import { WORD_COUNT_SPEC } from '@croft/assistant/testing';
import { callReply as call } from '@croft/models/testing';
import { expect, it } from 'vitest';
import { makeKey, type TestServer, type Visitor } from '../testing.ts';
import { useScriptedServer } from '../use-test-server.ts';

let server: TestServer;
let user: Visitor;
let key: string;

const { script } = useScriptedServer(async (started, connect) => {
  server = started;
  user = await started.signInAdmin();
  await connect(user);
  key = await makeKey(user);
});

async function open() {
  const made = await user.json<any>('/api/v1/flows', { method: 'POST', json: {} });
  return openAgent(made.body.flow.id);
}

/** The official client; it checks the order and the fields of the events. */
function openAgent(flowId: string) {
  const agent = new HttpAgent({
    url: `${server.url}/api/v1/agentic/flows/${flowId}/ag-ui`,
    headers: { Authorization: `Bearer ${key}` },
  });
  const events: BaseEvent[] = [];
  agent.subscribe({ onEvent: ({ event }) => void events.push(event) });
  const run = async (resume?: object[]) => {
    events.length = 0;
    await agent.runAgent(resume === undefined ? {} : ({ resume } as never)).catch(() => undefined);
    const last = events.at(-1) as BaseEvent & {
      outcome?: { type: string; interrupts?: Interrupt[] };
      message?: string;
    };
    return { events: [...events], last, interrupts: last?.outcome?.interrupts ?? [] };
  };
  const say = (content: string) => {
    agent.addMessage({ id: crypto.randomUUID(), role: 'user', content });
    return run();
  };
  const types = async () =>
    (await user.json<any>(`/api/v1/flows/${flowId}`)).body.flow.document.nodes.map((node: any) => node.type);
  /** Decides about interrupts, in order. Without a choice: cancels. */
  const decide = (decisions: readonly (readonly [Interrupt | undefined, string?])[]) =>
    run(
      decisions.map(([interrupt, choice]) => ({
        interruptId: interrupt?.id,
        ...(choice === undefined ? { status: 'cancelled' } : { status: 'resolved', payload: { choice } }),
      })),
    );
  return { flowId, agent, say, decide, types };
}

/** A run of another client: JSON as given, and the text of the response. */
async function post(flowId: string, body: object, visitor: Pick<Visitor, 'request'> = user) {
  const path = `/api/v1/agentic/flows/${flowId}/ag-ui`;
  const response = await visitor.request(path, { method: 'POST', json: { threadId: 't', runId: 'r', ...body } });
  return { status: response.status, text: await response.text() };
}
const message = (content: unknown) => ({ messages: [{ id: '1', role: 'user', content }] });
const success = { type: 'RUN_FINISHED', outcome: { type: 'success' } };
const asks = () =>
  script.push({ text: '{"intent": "question"}' }, call('ask_user', { question: 'Which one?', choices: ['A', 'B'] }));
const kinds = (events: readonly BaseEvent[]) => events.map(({ type }) => String(type));

it('streams a turn to the official client: text, calls of tools and steps, in the order that it requires', async () => {
  const { say, agent } = await open();
  script.push({ text: '{"intent": "question"}' }, call('search_components', { query: 'chat' }), {
    text: 'There are many.',
  });
  const { events, last } = await say('which components are there for chats?');
  expect(kinds(events)[0]).toBe('RUN_STARTED');
  expect(last).toMatchObject(success);
  for (const type of ['STEP_STARTED', 'TOOL_CALL_START', 'TOOL_CALL_RESULT', 'TEXT_MESSAGE_CONTENT'])
    expect(kinds(events)).toContain(type);
  expect(agent.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'There are many.' });
  expect(JSON.stringify(events)).toContain('Nothing was changed');
});

it('ends with an interrupt for a built flow, and the next run adds it to the canvas', async () => {
  const { say, decide, types, flowId } = await open();
  script.push({ text: '{"intent": "build_flow", "scope": "new"}' }, call('build_flow', { spec: WORD_COUNT_SPEC }), {
    text: 'I propose a word counter.',
  });
  const { interrupts } = await say('Build me a word counter');
  expect(interrupts).toMatchObject([
    { reason: 'set_flow', responseSchema: { properties: { choice: { enum: ['add', 'replace', 'dismiss'] } } } },
  ]);
  expect(await types()).toEqual([]);
  const resumed = await decide([[interrupts[0], 'add']]);
  expect(resumed.last).toMatchObject(success);
  expect(await types()).toEqual(['ChatInput', 'TextStatistics', 'ParserComponent', 'ChatOutput']);
  const { nodes } = (await user.json<any>(`/api/v1/flows/${flowId}`)).body.flow.document;
  const { body } = await user.json<any>(`/api/v1/flows/${flowId}/components/${nodes[0].id}/origin`);
  expect(body).toMatchObject({ origin: { by: 'assistant', version: 2 } });
  const again = await decide([[interrupts[0], 'add']]);
  expect(again.last).toMatchObject({ type: 'RUN_ERROR', code: 'not_found' });
});

it('ends with an interrupt for a question, waits, and goes on with the answer in the next run', async () => {
  const { say, decide } = await open();
  asks();
  script.push({ text: 'You chose B.' });
  const { interrupts } = await say('ask me');
  expect(interrupts).toMatchObject([{ reason: 'question', message: 'Which one?' }]);
  expect(Date.parse(interrupts[0]?.expiresAt ?? '')).toBeGreaterThan(Date.now());
  const resumed = await decide([[interrupts[0], 'B']]);
  expect(resumed.last).toMatchObject({ ...success, usage: [{ inputTokens: 30, outputTokens: 15, totalTokens: 45 }] });
  expect(JSON.stringify(resumed.events)).toContain('You chose B.');
});

it('stops a turn whose question the person cancels, which is neither a success nor a failure', async () => {
  const { say, decide } = await open();
  asks();
  const { interrupts } = await say('ask me');
  const { last } = await decide([[interrupts[0]]]);
  expect(last).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'cancelled' } });
});

it('decides only about interrupts of the same user, flow and thread', async () => {
  const { say, decide, flowId, agent } = await open();
  asks();
  const { interrupts } = await say('ask me');
  const resume = [{ interruptId: interrupts[0]?.id, status: 'resolved', payload: { choice: 'B' } }];
  const bob = await server.addUser('bob');
  const elsewhere = await open();
  const refused = await Promise.all([
    post(flowId, message('hello'), bob),
    post(flowId, { threadId: agent.threadId, resume }, bob),
    post(flowId, { threadId: 'another', resume }),
    post(elsewhere.flowId, { threadId: agent.threadId, resume }),
    post(flowId, { threadId: agent.threadId, resume: [{ interruptId: 'none/none', payload: { choice: 'approve' } }] }),
  ]);
  for (const { text } of refused) expect(text).toContain('"type":"RUN_ERROR","message":');
  for (const { text } of refused) expect(text).toContain('"code":"not_found"');
  script.push({ text: 'You chose A.' });
  expect((await decide([[interrupts[0], 'A']])).last).toMatchObject(success);
});

it('asks again about proposals that a run leaves open, and changes nothing where one decision is invalid', async () => {
  const { say, decide, flowId, agent } = await open();
  script.push({ text: '{"intent": "build_flow", "scope": "new"}' }, call('build_flow', { spec: WORD_COUNT_SPEC }), {
    text: 'Built.',
  });
  await decide([[(await say('Build me a word counter')).interrupts[0], 'add']]);
  const read = async () => (await user.json<any>(`/api/v1/flows/${flowId}`)).body.flow.document.nodes;
  const ids: string[] = (await read()).map((node: any) => node.id);
  const edit = (type: string, field_name: string, new_value: string) =>
    call('propose_field_edit', { component_id: ids.find((id) => id.startsWith(type)), field_name, new_value });
  script.push(
    { text: '{"intent": "build_flow", "scope": "edit"}' },
    edit('ParserComponent', 'pattern', '{words} of them'),
    edit('ChatInput', 'input_value', 'hello'),
    { text: 'Two changes wait.' },
  );
  const { interrupts } = await say('change two fields');
  expect(interrupts.map(({ reason }) => reason)).toEqual(['edit_field', 'edit_field']);
  const resume = [`${interrupts[0]?.id}`, `${interrupts[1]?.id}0`].map((interruptId) => ({
    interruptId,
    payload: 'accept',
  }));
  expect((await post(flowId, { threadId: agent.threadId, resume })).text).toContain('"code":"not_found"');
  // The official client does not send a repeated id.
  const accepted = { interruptId: interrupts[0]?.id, payload: 'accept' };
  const refuse = async (second: object) => {
    const { text } = await post(flowId, { threadId: agent.threadId, resume: [accepted, second] });
    expect(JSON.stringify(await read())).not.toContain('of them');
    return /"code":"(\w+)"/.exec(text)?.[1];
  };
  expect(await refuse({ ...accepted, status: 'cancelled' })).toBe('invalid');
  expect(await refuse({ interruptId: interrupts[1]?.id, payload: 'replace' })).toBe('invalid');
  const values = { input_value: 'mine' };
  const { version: base } = (await user.json<any>(`/api/v1/flows/${flowId}`)).body.flow;
  const edits = [{ kind: 'configure', id: ids.find((id) => id.startsWith('ChatInput')), values }];
  await user.json(`/api/v1/flows/${flowId}/edits`, { method: 'POST', json: { base, edits } });
  expect(await refuse({ interruptId: interrupts[1]?.id, payload: 'accept' })).toBe('changed');
  expect(JSON.stringify(await read())).not.toContain('of them');
  const partly = await post(flowId, { threadId: agent.threadId, resume: resume.slice(0, 1) });
  expect(partly.text).toContain('"outcome":{"type":"interrupt"');
  expect(partly.text).toContain(`"id":"${interrupts[1]?.id}"`);
  expect(partly.text).not.toContain(`"id":"${interrupts[0]?.id}"`);
  const cancelled = [{ interruptId: interrupts[1]?.id, status: 'cancelled' }];
  expect((await post(flowId, { threadId: agent.threadId, resume: cancelled })).text).toContain('{"type":"success"}');
  expect(JSON.stringify(await read())).toContain('of them');
  expect(JSON.stringify(await read())).not.toContain('hello');
});

it('carries out one of several decisions about a proposal that come at once', async () => {
  const { say, flowId, agent } = await open();
  script.push({ text: '{"intent": "build_flow", "scope": "new"}' }, call('build_flow', { spec: WORD_COUNT_SPEC }), {
    text: 'Built.',
  });
  const [interrupt] = (await say('Build me a word counter')).interrupts;
  const send = (choice: string) =>
    post(flowId, { threadId: agent.threadId, resume: [{ interruptId: interrupt?.id, payload: { choice } }] });
  const runs = await Promise.all(['replace', 'add', 'replace', 'dismiss', 'add'].map(send));
  expect(runs.filter(({ text }) => text.includes('"type":"RUN_FINISHED"'))).toHaveLength(1);
  expect(runs.filter(({ text }) => text.includes('"code":"not_found"'))).toHaveLength(4);
});

it('refuses requests without a key, large bodies, long messages and messages without text', async () => {
  const { flowId } = await open();
  expect(await post(flowId, message('hello'), server.stranger)).toMatchObject({ status: 401 });
  expect(await post(flowId, message('x'.repeat(4 * 1024 * 1024)))).toMatchObject({ status: 413 });
  for (const content of ['x'.repeat(20_001), [{ type: 'image' }], '', undefined, 7])
    expect((await post(flowId, message(content))).text).toContain('"code":"invalid"');
  expect((await post(flowId, { resume: [{ interruptId: 'a/b', payload: {} }] })).text).toContain('"code":"invalid"');
  expect((await post('none', message('hello'))).text).toContain('"code":"not_found"');
});

it('finishes a turn whose client disconnects', async () => {
  const { flowId, types } = await open();
  const left = new AbortController();
  script.push({ text: '{"intent": "build_flow", "scope": "new"}' }, call('build_flow', { spec: WORD_COUNT_SPEC }), {
    text: 'Built.',
  });
  const response = await fetch(`${server.url}/api/v1/agentic/flows/${flowId}/ag-ui`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ threadId: 'left', runId: 'r', ...message('Build me a word counter') }),
    signal: left.signal,
  });
  await response.body?.getReader().read();
  left.abort();
  const stored = async () =>
    (await user.json<any>(`/api/v1/agentic/sessions/left?flow_id=${flowId}`)).body.turns?.[0]?.status;
  await expect.poll(stored).toBe('complete');
  expect(await types()).toEqual([]);
});

it('approves a plan, which starts the build', async () => {
  const { say, decide } = await open();
  script.push(
    { text: '{"intent": "build_flow", "scope": "new"}' },
    call('propose_plan', { plan: '1. Read\n2. Count' }),
    {
      text: 'This is the plan.',
    },
  );
  const { interrupts } = await say('build something large');
  expect(interrupts).toMatchObject([{ reason: 'propose_plan', message: '1. Read\n2. Count' }]);
  script.push(call('build_flow', { spec: WORD_COUNT_SPEC }), { text: 'Built as planned.' });
  const built = await decide([[interrupts[0], 'approve']]);
  expect(built.interrupts).toMatchObject([{ reason: 'set_flow' }]);
});
