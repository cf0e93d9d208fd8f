import type { AssistantEvent } from '@croft/assistant';
import { callReply as call, SCRIPTED_USAGE, type ScriptedReply } from '@croft/models/testing';
import { describe, expect, it } from 'vitest';
import type { LiveTurn } from './live-turns.ts';
import { headlessEnd, shownEnd } from './run-headless.ts';
import type { TestServer, Visitor } from '../testing.ts';
import { useScriptedServer } from '../use-test-server.ts';

let server: TestServer;
let admin: Visitor;
let ada: Visitor;

const SPEC =
  'name: Greeting\nnodes:\n  T: TextInput\n  O: ChatOutput\nedges:\n  T.text -> O.input_value\nconfig:\n  T.input_value: hello';
const NET =
  'name: Page\nnodes:\n  U: URLComponent\n  O: ChatOutput\nedges:\n  U.raw_results -> O.input_value\nconfig:\n  U.urls: https://example.test';
const intent = (name: string): ScriptedReply => ({ text: `{"intent": "${name}", "scope": "new"}` });

const { script } = useScriptedServer(async (started, connect) => {
  server = started;
  admin = await started.signInAdmin();
  ada = await started.addUser('ada');
  await connect(ada);
});

async function post(path: string, json: object, replies: readonly ScriptedReply[]): Promise<AssistantEvent[]> {
  script.push(...replies);
  const answer = await ada.request(`/api/v1/agentic${path}`, { method: 'POST', json });
  expect(answer.status).toBe(200);
  return (await answer.text())
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)) as AssistantEvent);
}
const newFlow = async () => (await ada.json<any>('/api/v1/flows', { method: 'POST', json: {} })).body.flow.id as string;
const flowOf = async (id: string) => (await ada.json<any>(`/api/v1/flows/${id}`)).body.flow;

describe('the assistant without a person', () => {
  it('builds on a new flow and says where it is', async () => {
    const events = await post('/assist/run', { instruction: 'build a greeting and run it' }, [
      intent('build_flow'),
      call('build_flow', { spec: SPEC }),
      call('run_flow', {}),
      { text: 'Done.' },
    ]);
    const end = events.at(-1) as any;
    expect(end).toMatchObject({
      event: 'complete',
      data: {
        flow_id: expect.any(String),
        link: `${server.url}/flows/${end.data.flow_id}`,
        result: 'Done.',
        flow_changed: true,
        session_id: expect.stringContaining('agentic_'),
        provider: 'OpenAI compatible',
        model_name: expect.any(String),
      },
    });
    expect((await flowOf(end.data.flow_id)).document.nodes).toHaveLength(2);
    expect(events).toContainEqual(expect.objectContaining({ event: 'run_finished', text: 'hello' }));
  });

  it('says why the last run of the flow failed, also in another conversation', async () => {
    const ask = async (instruction: string, flow_id?: string) => {
      const request = { instruction, provider: 'croft', model_name: 'offline', ...(flow_id && { flow_id }) };
      return (await post('/assist/run', request, [])).at(-1) as any;
    };
    const { data } = await ask('build a flow that reads missing.md and counts its words, then run it');
    const { result } = (await ask('why did the last run fail?', data.flow_id)).data;
    expect(result).toMatch(/^The last run failed\. “Read file” \(File-\w+\): File not found: missing\.md/);
    const other = await ask('why did the last run fail?', await newFlow());
    expect(other.data.result).toMatch(/^I know of no run of this flow/);
  });

  it('changes a flow that there is, and answers 404 for the flow of another user', async () => {
    const flow_id = await newFlow();
    const events = await post('/assist/run', { instruction: 'say nothing', flow_id }, [
      intent('question'),
      { text: 'Hi.' },
    ]);
    expect(events.at(-1)).toMatchObject({ event: 'complete', data: { flow_id, flow_changed: false } });
    const json = { instruction: 'x', flow_id };
    expect((await admin.json('/api/v1/agentic/assist/run', { method: 'POST', json })).status).toBe(404);
  });

  it('leaves no flow where it is refused', async () => {
    const flowsAt = async (path: string) => (await ada.json<any>(`/api/v1/${path}`)).body.flows as unknown[];
    const before = await flowsAt('flows');
    const json = { instruction: 'x', provider: 'x', model_name: 'x' };
    const refused = await ada.json<any>('/api/v1/agentic/assist/run', { method: 'POST', json });
    expect([refused.status, await flowsAt('flows'), await flowsAt('deleted-flows')]).toEqual([400, before, []]);
  });

  it('does not run what reaches the network, because no person can allow it', async () => {
    const events = await post('/assist/run', { instruction: 'read the page' }, [
      intent('build_flow'),
      call('build_flow', { spec: NET }),
      call('run_flow', {}),
      { text: 'Not run.' },
    ]);
    expect(events).toContainEqual(expect.objectContaining({ event: 'answered', choice: 'Do not run' }));
    expect(events.some(({ event }) => event === 'run_started')).toBe(false);
    expect(events.at(-1)).toMatchObject({ event: 'complete' });
  });
});

it('stops after the step that reaches the token limit, and keeps what was changed', async () => {
  const perStep = SCRIPTED_USAGE.input + SCRIPTED_USAGE.output;
  const flow_id = await newFlow();
  const add = call('add_component', { component_type: 'ChatInput' });
  const events = await post('/assist/stream', { flow_id, input_value: 'add inputs', token_limit: perStep * 3 }, [
    intent('build_flow'),
    add,
    add,
    add,
    add,
    { text: 'All added.' },
  ]);
  const end = events.at(-1) as any;
  expect(events).toContainEqual(
    expect.objectContaining({ event: 'notice', message: expect.stringContaining(`limit of ${perStep * 3} tokens`) }),
  );
  expect(end).toMatchObject({ event: 'complete', data: { usage: { total_tokens: perStep * 3 } } });
  expect((await flowOf(flow_id)).document.nodes).toHaveLength(2);
});

describe('reverting a turn', () => {
  const write = (path: string, content: string) => call('write_file', { path, content });
  const contentOf = async (path: string) => {
    const answer = await ada.request(`/api/v1/files/content?path=${path}`);
    return answer.status === 200 ? answer.text() : undefined;
  };
  const revert = (events: readonly AssistantEvent[]) =>
    ada.json<any>(`/api/v1/agentic/turns/${(events[0] as any).turn_id}/revert`, { method: 'POST', json: {} });

  it('takes back the files that it wrote, and leaves those that changed since', async () => {
    await ada.json('/api/v1/tools/full/write_file', { method: 'POST', json: { path: 'old.md', content: 'before' } });
    const flow_id = await newFlow();
    const events = await post('/assist/stream', { flow_id, input_value: 'write old.md and two more files' }, [
      intent('manage_files'),
      write('old.md', 'by the assistant'),
      write('new.md', 'by the assistant'),
      write('mine.md', 'by the assistant'),
      { text: 'Written.' },
    ]);
    await ada.json('/api/v1/tools/full/write_file', {
      method: 'POST',
      json: { path: 'mine.md', content: 'changed since' },
    });
    const { status, body } = await revert(events);
    expect({ status, body }).toMatchObject({ status: 200, body: { version: null } });
    expect(body.files).toEqual(
      expect.arrayContaining([
        { path: 'old.md', reverted: true, problem: null },
        { path: 'new.md', reverted: true, problem: null },
        { path: 'mine.md', reverted: false, problem: expect.any(String) },
      ]),
    );
    expect(await contentOf('old.md')).toBe('before');
    expect(await contentOf('new.md')).toBeUndefined();
    expect(await contentOf('mine.md')).toBe('changed since');
  });

  it('takes back the canvas and the files together, and no file of another turn', async () => {
    const flow_id = await newFlow();
    const first = await post('/assist/stream', { flow_id, input_value: 'write' }, [
      intent('manage_files'),
      write('first.md', 'one'),
      { text: 'Written.' },
    ]);
    const second = await post('/assist/stream', { flow_id, input_value: 'add' }, [
      intent('build_flow'),
      call('add_component', { component_type: 'ChatInput' }),
      write('second.md', 'two'),
      { text: 'Done.' },
    ]);
    expect((await revert(second)).body).toMatchObject({ version: 3, files: [{ path: 'second.md', reverted: true }] });
    expect((await flowOf(flow_id)).document.nodes).toEqual([]);
    expect(await contentOf('first.md')).toBe('one');
    expect(await contentOf('second.md')).toBeUndefined();
    expect((await revert(first)).body).toMatchObject({ version: null, files: [{ path: 'first.md', reverted: true }] });
    expect((await revert(first)).status).toBe(409);
  });
});

it('counts turns, tools and decisions for admins, without texts of users', async () => {
  const flow_id = await newFlow();
  const events = await post('/assist/stream', { flow_id, input_value: 'a secret wish' }, [
    intent('build_flow'),
    call('search_components', { query: 'chat' }),
    call('search_components', { query: 'chat' }),
    call('build_flow', { spec: 'nodes:\n  A: ChatInput\n  B: ChatOutput' }),
    call('build_flow', { spec: SPEC }),
    { text: 'Proposed.' },
  ]);
  const proposal = events.find((each) => each.event === 'flow_update') as any;
  await ada.json(`/api/v1/agentic/turns/${(events[0] as any).turn_id}/answer`, {
    method: 'POST',
    json: { id: proposal.id, choice: 'add' },
  });
  await ada.json('/api/v1/agentic/sessions/reset', { method: 'POST', json: {} });
  expect((await ada.request('/api/v1/agentic/metrics')).status).toBe(403);
  const text = await (await admin.request('/api/v1/agentic/metrics')).text();
  const valueOf = (line: string) =>
    Number(new RegExp(`^${line.replace(/[{}"]/g, '\\$&')} (\\S+)$`, 'm').exec(text)?.[1]);
  expect(valueOf('croft_assistant_turns_total{intent="build_flow",end="complete"}')).toBeGreaterThanOrEqual(1);
  expect(valueOf('croft_assistant_orphan_rejections_total')).toBe(1);
  expect(valueOf('croft_assistant_tool_cache_total{tool="search_components",result="hit"}')).toBe(1);
  expect(valueOf('croft_assistant_proposal_decisions_total{kind="flow",choice="add"}')).toBe(1);
  expect(valueOf('croft_assistant_session_resets_total')).toBeGreaterThanOrEqual(1);
  expect(valueOf('croft_assistant_turn_duration_seconds_count')).toBeGreaterThanOrEqual(1);
  expect(valueOf('croft_assistant_tool_calls_total{tool="build_flow",ok="false"}')).toBe(1);
  expect(text).not.toContain('secret wish');
  const logged = server.lines.filter((line) => line.includes('"assistant.'));
  for (const name of ['intent.classified', 'spec.orphan', 'proposal.ready', 'turn.ended', 'tool.failed'])
    expect(logged.some((line) => line.includes(`"assistant.${name}"`))).toBe(true);
  expect(logged.join('')).not.toContain('secret wish');
});

it('ends when the API key that started it is revoked, also after its reader left', async () => {
  const { key, secret } = (await ada.json<any>('/api/v1/keys', { method: 'POST', json: { name: 'leaked' } })).body;
  const flow_id = await newFlow();
  script.push({ stall: 'before' });
  const leaving = new AbortController();
  const json = { instruction: 'build a greeting', flow_id, session_id: 'leaked' };
  const thief = server.withKey(secret);
  await thief.request('/api/v1/agentic/assist/run', { method: 'POST', json, signal: leaving.signal });
  leaving.abort();
  await ada.json(`/api/v1/keys/${key.id}`, { method: 'DELETE' });
  const session = `/api/v1/agentic/sessions/leaked?flow_id=${flow_id}`;
  await expect.poll(async () => (await ada.json<any>(session)).body.turns[0]?.status).toBe('cancelled');
});

it('shows the end of a turn to a program', () => {
  const end = { status_line: 'Line', usage: {}, duration_seconds: 1 };
  const data = { ...end, result: 'Done', outcome: 'partly_done', left_out: ['the rest'], has_flow: true };
  const shown = (event: object | undefined) => shownEnd(event as AssistantEvent | undefined);
  expect(shown({ event: 'complete', data })).toEqual({
    status: 'complete',
    result: 'Done',
    status_line: 'Line',
    outcome: 'partly_done',
    left_out: ['the rest'],
  });
  for (const event of ['error', 'cancelled'])
    expect(shown({ event, message: 'Why', ...end })).toEqual({ status: event, result: 'Why', status_line: 'Line' });
  expect([shown(undefined), shown({ event: 'token' })]).toEqual([{ status: 'running' }, { status: 'running' }]);
});

it('adds to the last event of a turn where its flow is, and to no other', () => {
  const turn = { flowId: 'f', sessionId: 's', summary: () => ({ flow_changed: true }) } as unknown as LiveTurn;
  const head = { flow_id: 'f', link: 'http://s/flows/f', session_id: 's', flow_changed: true };
  const ended = (event: object) => JSON.parse(headlessEnd(turn, 'http://s', JSON.stringify(event))) as unknown;
  expect(ended({ event: 'complete', data: { result: 'x' } })).toEqual({
    event: 'complete',
    data: { result: 'x', ...head },
  });
  for (const event of ['error', 'cancelled'])
    expect(ended({ event, message: 'x' })).toEqual({ event, message: 'x', ...head });
  expect(headlessEnd(turn, 'http://s', '{ "event": "token" }')).toBe('{ "event": "token" }');
});
