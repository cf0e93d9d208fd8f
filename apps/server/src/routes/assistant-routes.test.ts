import type { AssistantEvent } from '@croft/assistant';
import { WORD_COUNT_SPEC } from '@croft/assistant/testing';
import { callReply as call, type ScriptedReply } from '@croft/models/testing';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { expect, it } from 'vitest';
import { documentOf, type Visitor } from '../testing.ts';
import { useScriptedServer } from '../use-test-server.ts';

/** Asks the scripted provider. */
let alice: Visitor;
/** Has no provider: croft/offline answers. */
let bob: Visitor;

const intent = (scope: 'new' | 'edit'): ScriptedReply => ({ text: `{"intent": "build_flow", "scope": "${scope}"}` });

const { script, requests } = useScriptedServer(async (started, connect) => {
  [alice, bob] = [await started.addUser('alice'), await started.addUser('bob')];
  await connect(alice);
});

async function makeFlow(by: Visitor, spec?: string): Promise<string> {
  const document = spec === undefined ? undefined : documentOf(spec, (_, id) => `${id}-aaaaa`);
  const made = await by.json<{ flow: { id: string } }>('/api/v1/flows', { method: 'POST', json: { document } });
  return made.body.flow.id;
}

const flowOf = async (by: Visitor, id: string) => (await by.json<any>(`/api/v1/flows/${id}`)).body.flow;
const typesOf = async (by: Visitor, id: string): Promise<string[]> =>
  (await flowOf(by, id)).document.nodes.map(({ type }: { type: string }) => type);

const send = (by: Visitor, flowId: string, message: string, more: object = {}) =>
  by.request('/api/v1/agentic/assist/stream', {
    method: 'POST',
    json: { flow_id: flowId, input_value: message, ...more },
  });

function parse(text: string): { frames: EventSourceMessage[]; events: AssistantEvent[] } {
  const frames: EventSourceMessage[] = [];
  createParser({ onEvent: (frame) => frames.push(frame) }).feed(text);
  return { frames, events: frames.map(({ data }) => JSON.parse(data) as AssistantEvent) };
}
const read = async (response: Response) => parse(await response.text());
const turnIdOf = (events: readonly AssistantEvent[]): string => (events[0] as { turn_id: string }).turn_id;
const proposalOf = (events: readonly AssistantEvent[]): string =>
  (events.find((each) => each.event === 'flow_update') as { id: string }).id;
const decide = (by: Visitor, turn: string, id: string, choice: string) =>
  by.json<any>(`/api/v1/agentic/turns/${turn}/answer`, { method: 'POST', json: { id, choice } });

it('builds a flow from a message, adds it when the user accepts, and reverts it as one step', async () => {
  const flowId = await makeFlow(alice);
  script.push(intent('new'), call('build_flow', { spec: WORD_COUNT_SPEC }), { text: 'I propose a word counter.' });
  const { events } = await read(await send(alice, flowId, 'Build me a word counter'));
  expect(events.at(-1)).toMatchObject({ event: 'complete', data: { result: 'I propose a word counter.' } });
  expect(await typesOf(alice, flowId)).toEqual([]);

  const turn = turnIdOf(events);
  const accepted = await decide(alice, turn, proposalOf(events), 'add');
  expect(accepted.body).toMatchObject({ choice: 'add', version: 2, continuation_expected: false });
  expect(await typesOf(alice, flowId)).toEqual(['ChatInput', 'TextStatistics', 'ParserComponent', 'ChatOutput']);
  expect((await decide(alice, turn, proposalOf(events), 'add')).status).toBe(404);

  const reverted = await alice.json(`/api/v1/agentic/turns/${turn}/revert`, { method: 'POST', json: {} });
  expect(reverted.body).toEqual({ id: turn, version: 3, files: [] });
  expect(await typesOf(alice, flowId)).toEqual([]);
});

it('builds and runs a flow without a key, and one undo takes the whole turn back', async () => {
  const flowId = await makeFlow(bob);
  await bob.json('/api/v1/tools/full/write_file', {
    method: 'POST',
    json: { path: 'notes.md', content: 'one two three' },
  });
  const message = 'build a flow that reads notes.md from my workspace and shows `notes.md has N words`, then run it';
  const { events } = await read(await send(bob, flowId, message));
  expect(events.at(-1)).toMatchObject({
    event: 'complete',
    data: {
      result: expect.stringContaining('notes.md has 3 words'),
      status_line: 'Built into the flow · checked without problems · run completed.',
    },
  });
  const run = events.find((each) => each.event === 'run_finished') as { run_id: string };
  expect((await bob.json<any>(`/api/v1/runs/${run.run_id}`)).body.run).toMatchObject({ status: 'completed', flowId });

  const { version } = await flowOf(bob, flowId);
  await bob.json(`/api/v1/flows/${flowId}/undo`, { method: 'POST', json: { base: version } });
  expect(await typesOf(bob, flowId)).toEqual([]);
  await bob.json(`/api/v1/flows/${flowId}/redo`, { method: 'POST', json: { base: version + 1 } });
  expect(await typesOf(bob, flowId)).toHaveLength(4);
});

it('undoes several edits of a turn together, and keeps what the user changed meanwhile', async () => {
  const flowId = await makeFlow(alice, WORD_COUNT_SPEC);
  script.push(
    intent('edit'),
    call('add_component', { component_type: 'CurrentDate' }),
    call('add_component', { component_type: 'CalculatorComponent' }),
    { text: 'Added.' },
  );
  const { events } = await read(await send(alice, flowId, 'add a date and a calculator'));
  expect(
    events.filter((each) => each.event === 'flow_update').map((each) => (each as { version: number }).version),
  ).toEqual([2, 3]);
  const edits = [{ kind: 'configure', id: 'P-aaaaa', values: { pattern: 'mine' } }];
  await alice.json(`/api/v1/flows/${flowId}/edits`, { method: 'POST', json: { base: 3, edits } });
  await alice.json(`/api/v1/agentic/turns/${turnIdOf(events)}/revert`, { method: 'POST', json: {} });
  const { document } = await flowOf(alice, flowId);
  expect(document.nodes.map(({ type }: { type: string }) => type)).toEqual([
    'ChatInput',
    'TextStatistics',
    'ParserComponent',
    'ChatOutput',
  ]);
  expect(document.nodes[2].values).toEqual({ pattern: 'mine' });
});

it('accepts a proposed text only while the field has the value that the user saw', async () => {
  const flowId = await makeFlow(alice, WORD_COUNT_SPEC);
  const propose = async () => {
    const args = { component_id: 'P-aaaaa', params: { pattern: '{words} words here' } };
    script.push(intent('edit'), call('configure_component', args), call('run_flow', {}), { text: 'It waits.' });
    const { events } = await read(await send(alice, flowId, 'change the text, then run it'));
    expect(events.at(-1)).toMatchObject({ data: { continuation_expected: true } });
    return [turnIdOf(events), proposalOf(events)] as const;
  };
  const accepted = await decide(alice, ...(await propose()), 'accept');
  expect(accepted.body).toMatchObject({ version: 2, continuation_expected: true });
  const later = await propose();
  const edits = [{ kind: 'configure', id: 'P-aaaaa', values: { pattern: 'mine' } }];
  await alice.json(`/api/v1/flows/${flowId}/edits`, { method: 'POST', json: { base: 2, edits } });
  expect((await decide(alice, ...later, 'accept')).body).toMatchObject({ error: { code: 'changed' } });
  expect((await flowOf(alice, flowId)).document.nodes[2].values).toEqual({ pattern: 'mine' });
});

it('works on when the client leaves, and a reader resumes by id without loss or repetition', async () => {
  const flowId = await makeFlow(alice, WORD_COUNT_SPEC);
  script.push(intent('edit'), call('ask_user', { question: 'Which?', choices: ['A', 'B'] }), { text: 'You chose.' });
  const leaving = new AbortController();
  const response = await alice.request('/api/v1/agentic/assist/stream', {
    method: 'POST',
    json: { flow_id: flowId, input_value: 'ask me' },
    signal: leaving.signal,
  });
  let first = '';
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  while (!first.includes('"event":"question"')) first += new TextDecoder().decode((await reader.read()).value);
  leaving.abort();
  const seen = parse(first);
  const turn = turnIdOf(seen.events);
  const question = seen.events.find((each) => each.event === 'question') as { id: string };
  expect((await decide(bob, turn, question.id, 'A')).status).toBe(404);
  expect((await decide(alice, turn, question.id, 'A')).status).toBe(200);
  const lastEventId = seen.frames.at(-1)?.id;
  const rest = await read(
    await alice.request(`/api/v1/agentic/turns/${turn}/events`, { headers: { 'last-event-id': lastEventId } }),
  );
  const all = await read(await alice.request(`/api/v1/agentic/turns/${turn}/events`));
  expect([...seen.events, ...rest.events]).toEqual(all.events);
  expect(all.events.at(-1)).toMatchObject({ event: 'complete', data: { result: 'You chose.' } });
});

it('stops a turn at once and keeps what it changed', async () => {
  const flowId = await makeFlow(alice, WORD_COUNT_SPEC);
  script.push(intent('edit'), call('add_component', { component_type: 'CurrentDate' }), { stall: 'before' });
  const response = await send(alice, flowId, 'add a date');
  let text = '';
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  while (!text.includes('"add_component","node"')) text += new TextDecoder().decode((await reader.read()).value);
  const turn = turnIdOf(parse(text).events);
  expect((await send(alice, flowId, 'more', { session_id: sessionOf(text) })).status).toBe(429);
  await alice.json(`/api/v1/agentic/turns/${turn}/cancel`, { method: 'POST', json: {} });
  const { events } = await read(await alice.request(`/api/v1/agentic/turns/${turn}/events`));
  expect(events.at(-1)).toMatchObject({ event: 'cancelled', status_line: 'Changed the flow (1 change) · not run.' });
  expect(await typesOf(alice, flowId)).toContain('CurrentDate');
});

const sessionOf = (text: string): string => /"session_id":"([^"]+)"/.exec(text)?.[1] ?? '';

it('keeps flows and turns of users apart', async () => {
  const flowId = await makeFlow(alice, WORD_COUNT_SPEC);
  expect((await send(bob, flowId, 'what is this?')).status).toBe(404);
  script.push({ text: '{"intent": "question"}' }, { text: 'A word counter.' });
  const turn = turnIdOf((await read(await send(alice, flowId, 'what is this?'))).events);
  for (const path of ['events', 'cancel', 'revert'])
    expect(
      (
        await bob.request(
          `/api/v1/agentic/turns/${turn}/${path}`,
          path === 'events' ? {} : { method: 'POST', json: {} },
        )
      ).status,
    ).toBe(404);
});

it('remembers a conversation: the newest six messages with their replies, cut, and those of no other', async () => {
  const flowId = await makeFlow(alice, WORD_COUNT_SPEC);
  const session_id = 'agentic_memory';
  const talk = async (message: string, reply: string, more: object = {}) => {
    script.push({ text: '{"intent": "question"}' }, { text: reply });
    await read(await send(alice, flowId, message, { session_id, ...more }));
    return JSON.parse(requests().at(-1) ?? '{}') as unknown;
  };
  for (let turn = 1; turn <= 11; turn++) await talk(`message ${turn} ${'x'.repeat(3_000)}`, `reply ${turn}`);
  const body = JSON.stringify(await talk('and now?', 'Now.'));
  const turns = [...body.matchAll(/User: message (\d+)/g)].map(([, turn]) => Number(turn));
  expect(turns).toEqual([6, 7, 8, 9, 10, 11]);
  expect(body).toContain('[End of conversation history]');
  expect(body).not.toContain('x'.repeat(2_000));
  expect(JSON.stringify(await talk('none', 'None.', { history_limit: 0 }))).not.toContain('reply 11');
  expect(JSON.stringify(await talk('other', 'Other.', { session_id: 'agentic_other' }))).not.toContain('reply 11');

  const kept = await alice.json<any>(`/api/v1/agentic/sessions/${session_id}?flow_id=${flowId}`);
  expect(kept.body.turns).toHaveLength(10);
  expect(kept.body.turns.at(-1)).toMatchObject({ message: 'none', reply: 'None.', status: 'complete' });
  const listed = await alice.json<any>(`/api/v1/agentic/sessions?flow_id=${flowId}`);
  expect(listed.body.sessions.map((each: any) => [each.session_id, each.turns])).toEqual([
    ['agentic_other', 1],
    [session_id, 10],
  ]);
  expect((await bob.json<any>(`/api/v1/agentic/sessions/${session_id}?flow_id=${flowId}`)).body.turns).toEqual([]);
  const gone = await alice.json(`/api/v1/agentic/sessions/${session_id}?flow_id=${flowId}`, {
    method: 'DELETE',
    json: {},
  });
  expect(gone.body).toEqual({ id: session_id, removed: 10 });
  expect(JSON.stringify(await talk('again', 'Again.'))).not.toContain('reply 11');
});

it('goes back to before a message: canvas, conversation or both', async () => {
  const flowId = await makeFlow(alice, WORD_COUNT_SPEC);
  const session_id = 'agentic_rewind';
  const add = async (type: string) => {
    script.push(intent('edit'), call('add_component', { component_type: type }), { text: 'Added.' });
    return turnIdOf((await read(await send(alice, flowId, `add ${type}`, { session_id }))).events);
  };
  const first = await add('CurrentDate');
  await add('CalculatorComponent');
  const rewind = (turn: string, what: string) =>
    alice.json<any>(`/api/v1/agentic/turns/${turn}/rewind`, { method: 'POST', json: { what } });
  expect((await rewind(first, 'canvas')).body).toMatchObject({ message: 'add CurrentDate', version: 4, removed: 0 });
  expect(await typesOf(alice, flowId)).toEqual(['ChatInput', 'TextStatistics', 'ParserComponent', 'ChatOutput']);
  expect((await rewind(first, 'chat')).body).toMatchObject({ version: null, removed: 2 });
  expect((await rewind(first, 'both')).status).toBe(404);
  await alice.json(`/api/v1/flows/${flowId}/undo`, { method: 'POST', json: { base: 4 } });
  expect(await typesOf(alice, flowId)).toContain('CalculatorComponent');
});

it('runs a flow that asks a person up to its question, and the run goes on with the answer', async () => {
  const flowId = await makeFlow(
    alice,
    'nodes:\n  I: ChatInput\n  H: HumanApproval\n  O: ChatOutput\nedges:\n  I.message -> H.value\n  H.approved -> O.input_value\n',
  );
  script.push(intent('edit'), call('run_flow', { message: 'send it' }), { text: 'It waits.' });
  const { events } = await read(await send(alice, flowId, 'run it with "send it"'));
  const finished = events.find((each: any) => each.event === 'run_finished') as any;
  expect(finished).toMatchObject({ status: 'waiting', text: 'Approve this value?' });
  expect((events.at(-1) as any).data).toMatchObject({ outcome: 'done' });
  const getRun = async () => (await alice.json<any>(`/api/v1/runs/${finished.run_id}`)).body.run;
  const { startedBy, questions } = await getRun();
  expect(startedBy).toBe('assistant');
  const json = { key: questions[0].key, choice: 'approve' };
  await alice.json(`/api/v1/runs/${finished.run_id}/answer`, { method: 'POST', json });
  await expect.poll(async () => (await getRun()).text).toBe('send it');
});

it('continues after accepted edits and approved plans, and takes the same words for a message elsewhere', async () => {
  const flowId = await makeFlow(alice, WORD_COUNT_SPEC);
  const session_id = 'agentic_continue';
  const CONTINUE =
    'The proposed canvas edits were applied. Continue with the remaining steps of my previous request (for example, running the flow). If editing was the entire request, just confirm briefly.';
  const args = { component_id: 'P-aaaaa', params: { pattern: '{words} words here' } };
  script.push(intent('edit'), call('configure_component', args), call('run_flow', { message: 'a b' }), {
    text: 'It waits.',
  });
  const { events } = await read(await send(alice, flowId, 'change the text, then run it', { session_id }));
  await decide(alice, turnIdOf(events), proposalOf(events), 'accept');
  script.push(call('run_flow', { message: 'a b' }), { text: 'Two words.' });
  const continued = await read(await send(alice, flowId, CONTINUE, { session_id }));
  expect(continued.events).toContainEqual(expect.objectContaining({ event: 'run_finished', text: '2 words here' }));
  const { runs } = (await alice.json<any>(`/api/v1/runs?flow=${flowId}`)).body;
  expect(runs).toMatchObject([{ source: 'direct', startedBy: 'assistant' }]);
  expect(continued.events).toContainEqual(expect.objectContaining({ message: 'Continuing...' }));

  const asked = requests().length;
  script.push({ text: '{"intent": "question"}' }, { text: 'What do you mean?' });
  await read(await send(alice, flowId, CONTINUE, { session_id }));
  expect(requests().length - asked).toBe(2);

  script.push(intent('new'), call('propose_plan', { plan: '1. Count words' }), { text: 'Shall I?' });
  await read(await send(alice, flowId, 'plan something large', { session_id }));
  script.push({ text: 'I go on.' });
  const approved = await read(
    await send(alice, flowId, 'User approved the plan. Proceed with the build.', { session_id }),
  );
  expect(approved.events).toContainEqual(expect.objectContaining({ message: 'Generating flow...' }));
  expect(requests().at(-1)).toContain('1. Count words');
});

it('asks before a flow reaches the network, and does not run it without consent', async () => {
  const flowId = await makeFlow(
    alice,
    'name: Page\nnodes:\n  I: ChatInput\n  U: URLComponent\n  O: ChatOutput\nedges:\n  I.message -> U.urls\n  U.raw_results -> O.input_value\n',
  );
  script.push({ text: '{"intent": "run_flow"}' }, call('run_flow', { message: 'https://example.com/' }), {
    text: 'Not run.',
  });
  const response = await send(alice, flowId, 'run the flow');
  let text = '';
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  while (!text.includes('"event":"question"')) text += new TextDecoder().decode((await reader.read()).value);
  const { events } = parse(text);
  const question = events.find((each) => each.event === 'question') as { id: string; kind: string };
  expect(question.kind).toBe('effects');
  await decide(alice, turnIdOf(events), question.id, 'Do not run');
  const all = await read(await alice.request(`/api/v1/agentic/turns/${turnIdOf(events)}/events`));
  expect(all.events.some(({ event }) => event === 'run_started')).toBe(false);
  expect(all.events.at(-1)).toMatchObject({
    event: 'complete',
    data: { status_line: 'Nothing was changed · not run.' },
  });
});

it('makes the calls of one reply one after another: each question is answered, and a run finds the flow', async () => {
  const flowId = await makeFlow(alice);
  const ask = (question: string) => ({ name: 'ask_user', arguments: { question, choices: ['Yes', 'No'] } });
  const build = { name: 'build_flow', arguments: { spec: WORD_COUNT_SPEC } };
  const run = { name: 'run_flow', arguments: { message: 'one two' } };
  script.push(intent('new'), { calls: [ask('First?'), ask('Second?'), build, run] }, { text: 'Done.' });
  const response = await send(alice, flowId, 'build a word counter and run it');
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const answered: string[] = [];
  let [text, isDone] = ['', false];
  while (!isDone) {
    const { value, done } = await reader.read();
    isDone = done;
    text += new TextDecoder().decode(value);
    const { events } = parse(text);
    const question = events.findLast((each) => each.event === 'question');
    if (question === undefined || answered.includes(question.id)) continue;
    answered.push(question.id);
    expect((await decide(alice, turnIdOf(events), question.id, 'Yes')).status).toBe(200);
  }
  const { events } = parse(text);
  expect(events.filter(({ event }) => event === 'question' || event === 'answered').map(({ event }) => event)).toEqual([
    'question',
    'answered',
    'question',
    'answered',
  ]);
  expect(events.find((each) => each.event === 'run_finished')).toMatchObject({ text: '2 words' });
  expect(events.at(-1)).toMatchObject({ event: 'complete' });
});

it('ends at a question where the client waits for the end, and runs nothing', async () => {
  const flowId = await makeFlow(
    alice,
    'name: Page\nnodes:\n  I: ChatInput\n  U: URLComponent\n  O: ChatOutput\nedges:\n  I.message -> U.urls\n  U.raw_results -> O.input_value\n',
  );
  script.push({ text: '{"intent": "run_flow"}' }, call('run_flow', { message: 'https://example.com/' }));
  const json = { flow_id: flowId, input_value: 'run the flow' };
  const { body } = await alice.json<any>('/api/v1/agentic/assist', { method: 'POST', json });
  expect(body.end).toMatchObject({ event: 'cancelled', message: expect.stringContaining('has a question') });
  expect((await alice.json<any>(`/api/v1/runs?flow=${flowId}`)).body.runs).toEqual([]);
});

it('lets a user follow turns with at most 20 streams, and frees a stream when it closes', async () => {
  const flowId = await makeFlow(alice, WORD_COUNT_SPEC);
  script.push(intent('edit'), { stall: 'before' });
  const first = await send(alice, flowId, 'wait');
  let text = '';
  const reader = (first.body as ReadableStream<Uint8Array>).getReader();
  while (!text.includes('"turn_id"')) text += new TextDecoder().decode((await reader.read()).value);
  const turn = turnIdOf(parse(text).events);
  // The responses are kept: fetch closes the stream of a response that is garbage.
  const open: { leaving: AbortController; response: Response }[] = [];
  const follow = async () => {
    const leaving = new AbortController();
    const response = await alice.request(`/api/v1/agentic/turns/${turn}/events`, { signal: leaving.signal });
    open.push({ leaving, response });
    return response.status;
  };
  for (let streams = 0; streams < 20; streams++) expect(await follow()).toBe(200);
  expect(await follow()).toBe(429);
  open.shift()?.leaving.abort();
  await expect.poll(follow).toBe(200);
  await alice.json(`/api/v1/agentic/turns/${turn}/cancel`, { method: 'POST', json: {} });
  for (const { leaving } of open) leaving.abort();
});

it('says which models it can use, and begins a new conversation without forgetting others', async () => {
  expect((await bob.json('/api/v1/agentic/check-config')).body).toMatchObject({
    configured: false,
    providers: [],
    default_provider: 'croft',
  });
  expect((await alice.json('/api/v1/agentic/check-config')).body).toMatchObject({
    configured: true,
    configured_providers: ['OpenAI compatible'],
  });
  const reset = await alice.json('/api/v1/agentic/sessions/reset?session_id=agentic_new', { method: 'POST', json: {} });
  expect(reset.body).toEqual({ status: 'ok', components_cleared: 0, session_id: 'agentic_new' });
});

it('undoes no earlier message where the last one only proposed a flow', async () => {
  const flowId = await makeFlow(alice);
  const session_id = 'agentic_undo_proposal';
  const ask = async (tool: string, args: object, more: object = {}) => {
    script.push(intent('new'), call(tool, args), { text: 'Done.' });
    await read(await send(alice, flowId, tool === 'undo_change' ? 'Undo it' : 'Do it', { session_id, ...more }));
  };
  await ask('build_flow', { spec: WORD_COUNT_SPEC }, { skip_all: true });
  const before = await typesOf(alice, flowId);
  expect(before).not.toEqual([]);
  await ask('build_flow', { spec: WORD_COUNT_SPEC });
  await ask('undo_change', {});
  expect(await typesOf(alice, flowId)).toEqual(before);
  await ask('undo_change', {});
  expect(await typesOf(alice, flowId)).toEqual([]);
});

it('dismisses proposals on request and with the next message, and quotes a plan once to the message that changes it', async () => {
  const flowId = await makeFlow(alice);
  const session_id = 'agentic_dismiss';
  const build = async () => {
    script.push(intent('new'), call('build_flow', { spec: WORD_COUNT_SPEC }), { text: 'Review it.' });
    const { events } = await read(await send(alice, flowId, 'Build it', { session_id }));
    return [turnIdOf(events), proposalOf(events)] as const;
  };
  const first = await build();
  expect((await decide(alice, ...first, 'dismiss')).body).toMatchObject({ version: null });
  expect((await decide(alice, ...first, 'add')).status).toBe(404);

  const second = await build();
  script.push(intent('new'), call('propose_plan', { plan: '1. Use one model' }), { text: 'Shall I?' });
  await read(await send(alice, flowId, 'Plan it', { session_id }));
  expect((await decide(alice, ...second, 'add')).status).toBe(404);
  expect(await typesOf(alice, flowId)).toEqual([]);

  const talk = async (message: string) => {
    script.push({ text: '{"intent": "question"}' }, { text: 'Fine.' });
    await read(await send(alice, flowId, message, { session_id }));
    return requests().at(-1) ?? '';
  };
  expect(await talk('use two models instead')).toContain('[Previous plan you proposed');
  expect(await talk('and another thing')).not.toContain('[Previous plan you proposed');
});

it('forgets turns that were stopped or failed', async () => {
  const flowId = await makeFlow(alice, WORD_COUNT_SPEC);
  const session_id = 'agentic_failed';
  script.push({ text: '{"intent": "question"}' }, { status: 400, body: '{"error": {"message": "no"}}' });
  const { events } = await read(await send(alice, flowId, 'a failing message', { session_id }));
  expect(events.at(-1)).toMatchObject({ event: 'error' });
  script.push({ text: '{"intent": "question"}' }, { text: 'Hello.' });
  await read(await send(alice, flowId, 'hello', { session_id }));
  expect(requests().at(-1)).not.toContain('a failing message');
});
