// Components that the assistant writes. docs/assistant-scenarios.md lists the scenarios by their names.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AssistantEvent } from '@croft/assistant';
import { callReply as call, type ScriptedReply } from '@croft/models/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TestServer, Visitor } from '../testing.ts';
import { useScriptedServer } from '../use-test-server.ts';

let server: TestServer;
let alice: Visitor;
let bob: Visitor;

const sourceOf = (
  name: string,
  result = "'sum: ' + String(Number(this.a) + Number(this.b))",
) => `export class ${name} extends Component {
  label = 'Sum of two';
  description = 'Adds two numbers.';
  inputs = [
    { name: 'a', label: 'A', kind: 'number', default: 40 },
    { name: 'b', label: 'B', kind: 'number', default: 2 },
  ];
  outputs = [{ name: 'total', label: 'Total', types: ['Message'], method: 'build_output' }];
  a: unknown;
  b: unknown;

  build_output() {
    return ${result};
  }
}`;
const flowWith = (type: string) =>
  `name: Sum\nnodes:\n  S: ${type}\n  O: ChatOutput\nedges:\n  S.total -> O.input_value\n`;
const intent = (name: string): ScriptedReply => ({ text: `{"intent": "${name}", "scope": "new"}` });

const { script, requests } = useScriptedServer(async (started, connect) => {
  server = started;
  [alice, bob] = [await started.addUser('alice'), await started.addUser('bob')];
  for (const each of [alice, bob]) await connect(each);
});
beforeEach(async () => {
  for (const each of [alice, bob]) await each.json('/api/v1/agentic/sessions/reset', { method: 'POST', json: {} });
});

async function makeFlow(by: Visitor): Promise<string> {
  return (await by.json<any>('/api/v1/flows', { method: 'POST', json: {} })).body.flow.id;
}

/** Sends a message to the scripted model, and gives all events. */
async function send(by: Visitor, replies: readonly ScriptedReply[], more: object = {}): Promise<AssistantEvent[]> {
  script.push(...replies);
  const json = { flow_id: await makeFlow(by), input_value: 'go on', ...more };
  const answer = await by.request('/api/v1/agentic/assist/stream', { method: 'POST', json });
  expect(answer.status).toBe(200);
  return (await answer.text())
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)) as AssistantEvent);
}
const generate = (by: Visitor, name: string, code = sourceOf(name)) =>
  send(by, [intent('generate_component'), call('generate_component', { code }), { text: 'Written.' }]);
const listOf = async (by: Visitor) => (await by.json<any>('/api/v1/components')).body.components;
/** The results of tools, as the model read them. */
const seenByModel = () => JSON.stringify(requests().at(-1) ?? '');
const filesBelow = (dir: string): string[] =>
  existsSync(dir) ? readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts')) : [];

describe('a generated component', () => {
  it('User Component — auto-register after generation passes Layer-2', async () => {
    const events = await generate(alice, 'SumOfTwo');
    expect(events).toContainEqual(
      expect.objectContaining({
        event: 'component',
        class_name: 'SumOfTwo',
        saved: false,
        component_code: sourceOf('SumOfTwo'),
      }),
    );
    expect(await listOf(alice)).toMatchObject([{ name: 'SumOfTwo', label: 'Sum of two', origin: 'generated' }]);
    const files = filesBelow(server.baseDir);
    expect(files.filter((name) => name.includes('.components'))).toEqual([expect.stringContaining('SumOfTwo')]);
    const end = events.at(-1) as Extract<AssistantEvent, { event: 'complete' }>;
    expect(end.data.status_line).toContain('Wrote component SumOfTwo');
  });

  it('is refused with the line and a fix where the code is wrong, and the model corrects it', async () => {
    const events = await send(alice, [
      intent('generate_component'),
      call('generate_component', { code: sourceOf('Leaky', "process.env['HOME']") }),
      call('generate_component', { code: sourceOf('Leaky') }),
      { text: 'Written.' },
    ]);
    const steps = events.flatMap((each) => (each.event === 'progress' ? [each.step] : []));
    expect(steps).toEqual(expect.arrayContaining(['validating', 'validation_failed', 'validated']));
    expect(seenByModel()).toContain('process is forbidden in components');
    expect(seenByModel()).toMatch(/Line \d+: process is forbidden/);
    expect(await listOf(alice)).toMatchObject([{ name: 'Leaky' }]);
  });

  it('is refused where an output has the name of the tool output, and the model corrects it', async () => {
    const code = sourceOf('Menu').replace("outputs = [{ name: '", "outputs = [{ name: 'component_as_tool', old: '");
    await send(alice, [
      intent('generate_component'),
      call('generate_component', { code }),
      call('generate_component', { code: sourceOf('Menu') }),
      { text: 'Written.' },
    ]);
    expect(seenByModel()).toContain("The name 'component_as_tool' of outputs[0] is reserved. Choose another one.");
    expect(await listOf(alice)).toMatchObject([{ name: 'Menu' }]);
  });

  it('User Component — appears in search_components on next request', async () => {
    await generate(alice, 'SumOfTwo');
    await send(alice, [intent('question'), call('search_components', { query: 'Sum of two' }), { text: 'Found.' }]);
    expect(seenByModel()).toContain('SumOfTwo');
    await send(bob, [intent('question'), call('search_components', { query: 'Sum of two' }), { text: 'None.' }]);
    expect(seenByModel()).not.toContain('SumOfTwo');
  });

  it('User Component — build_flow materializes a node with the real code', async () => {
    await generate(alice, 'SumOfTwo');
    const flow_id = await makeFlow(alice);
    const events = await send(
      alice,
      [intent('build_flow'), call('build_flow', { spec: flowWith('SumOfTwo') }), { text: 'Built.' }],
      { flow_id },
    );
    const turn = (events[0] as { turn_id: string }).turn_id;
    const proposal = events.find((each) => each.event === 'flow_update') as { id: string };
    await alice.json(`/api/v1/agentic/turns/${turn}/answer`, {
      method: 'POST',
      json: { id: proposal.id, choice: 'add' },
    });
    const { document } = (await alice.json<any>(`/api/v1/flows/${flow_id}`)).body.flow;
    expect(document.nodes.find(({ type }: any) => type === 'SumOfTwo').code).toBe(sourceOf('SumOfTwo'));
    const ran = await alice.json<any>(`/api/v1/flows/${flow_id}/run`, { method: 'POST', json: {} });
    expect(ran.body).toMatchObject({ status: 'completed', text: 'sum: 42' });
  });

  it('Compound build-component-then-flow-then-run in one prompt', async () => {
    const flow_id = await makeFlow(alice);
    const events = await send(
      alice,
      [
        intent('component_then_flow'),
        call('generate_component', { code: sourceOf('SumOfTwo') }),
        call('search_components', { query: 'SumOfTwo' }),
        call('build_flow', { spec: flowWith('SumOfTwo') }),
        call('run_flow', {}),
        { text: 'Done.' },
      ],
      { flow_id },
    );
    expect(events).toContainEqual(
      expect.objectContaining({ event: 'run_finished', status: 'completed', text: 'sum: 42' }),
    );
    const { document } = (await alice.json<any>(`/api/v1/flows/${flow_id}`)).body.flow;
    expect(document.nodes.map(({ type }: any) => type)).toEqual(['SumOfTwo', 'ChatOutput']);
  });

  it('User component runs correctly after real introspection (build_output regression)', async () => {
    const events = await send(alice, [
      intent('component_then_flow'),
      call('generate_component', { code: sourceOf('Greeting', "'hello'") }),
      call('describe_component', { component_type: 'Greeting' }),
      call('build_flow', { spec: flowWith('Greeting') }),
      call('run_flow', {}),
      { text: 'Done.' },
    ]);
    expect(seenByModel()).toContain('total');
    expect(events).toContainEqual(expect.objectContaining({ event: 'run_finished', text: 'hello' }));
  });

  it('is kept for good only when the user asks for it', async () => {
    await generate(alice, 'Kept');
    await generate(alice, 'Gone');
    const events = await send(alice, [
      intent('generate_component'),
      call('save_component', { class_name: 'Kept' }),
      { text: 'Saved.' },
    ]);
    expect(events).toContainEqual(expect.objectContaining({ event: 'tool_end', tool: 'save_component', ok: true }));
    await alice.json('/api/v1/agentic/sessions/reset', { method: 'POST', json: {} });
    expect(await listOf(alice)).toMatchObject([{ name: 'Kept', origin: 'saved' }]);
    await alice.json('/api/v1/components/Kept', { method: 'DELETE' });
  });

  it('replaces a component that the user saved only if the user allows it', async () => {
    const code = sourceOf('Mine');
    expect((await alice.json('/api/v1/components/Mine', { method: 'PUT', json: { code } })).status).toBe(200);
    script.push(
      intent('generate_component'),
      call('generate_component', { code: sourceOf('Mine', "'of the assistant'") }),
      call('save_component', { class_name: 'Mine' }),
      { text: 'Saved.' },
    );
    const json = { instruction: 'write Mine' };
    const run = await alice.request('/api/v1/agentic/assist/run', { method: 'POST', json });
    expect(await run.text()).toContain('You have saved a component of this name. Replace its code? “Mine”');
    expect(seenByModel()).toContain('Not saved');
    await alice.json('/api/v1/agentic/sessions/reset', { method: 'POST', json: {} });
    expect((await alice.json<any>('/api/v1/components/Mine')).body.code).toBe(code);
    await alice.json('/api/v1/components/Mine', { method: 'DELETE' });
  });

  it('is saved with the code of its own conversation, also where another one wrote the same class', async () => {
    const sendIn = (session_id: string, name: string, args: object) =>
      send(alice, [intent('generate_component'), call(name, args), { text: 'Done.' }], { session_id });
    const [ofA, ofB] = [sourceOf('Twice', "'of A'"), sourceOf('Twice', "'of B'")];
    await sendIn('A', 'generate_component', { code: ofA });
    await sendIn('B', 'generate_component', { code: ofB });
    await sendIn('A', 'save_component', { class_name: 'Twice' });
    expect((await alice.json<any>('/api/v1/components/Twice')).body).toMatchObject({ origin: 'saved', code: ofA });
    // A second time there is nothing to save.
    expect(await sendIn('A', 'save_component', { class_name: 'Twice' })).toContainEqual(
      expect.objectContaining({ event: 'tool_end', tool: 'save_component', ok: true }),
    );
    expect((await alice.json<any>('/api/v1/components/Twice')).body.code).toBe(ofA);
    await alice.json('/api/v1/components/Twice', { method: 'DELETE' });
  });

  it('User Component — name collisions favor the base registry', async () => {
    await generate(alice, 'ChatInput');
    expect(requests().some((body) => body.includes('is a built-in component'))).toBe(true);
    expect(await listOf(alice)).toEqual([]);
    await send(alice, [
      intent('question'),
      call('describe_component', { component_type: 'ChatInput' }),
      { text: 'ok' },
    ]);
    expect(seenByModel()).toContain('input_value');
  });

  it('User Component — per-user isolation preserved across modes', async () => {
    await generate(alice, 'SumOfTwo');
    expect(await listOf(bob)).toEqual([]);
    expect((await bob.json('/api/v1/components/SumOfTwo')).status).toBe(404);
    await generate(bob, 'SumOfTwo', sourceOf('SumOfTwo', "'of bob'"));
    expect((await alice.json<any>('/api/v1/components/SumOfTwo')).body.code).toBe(sourceOf('SumOfTwo'));
  });

  it('User Component — registration refuses anonymous requests', async () => {
    const before = filesBelow(server.baseDir);
    const json = { flow_id: 'none', input_value: 'write a component' };
    expect((await server.stranger.request('/api/v1/agentic/assist/stream', { method: 'POST', json })).status).toBe(401);
    expect(filesBelow(server.baseDir)).toEqual(before);
  });

  it.each([
    ['User Component — name validation rejects path traversal', '../escape'],
    ['User Component — name validation rejects Windows reserved devices', 'CON'],
    ['User Component — class name length cap (Windows MAX_PATH safeguard)', `A${'a'.repeat(64)}`],
  ])('%s', async (_, name) => {
    await generate(alice, name);
    expect(await listOf(alice)).toEqual([]);
    expect(filesBelow(server.baseDir).join(' ')).not.toContain('escape');
    const put = await alice.json(`/api/v1/components/${encodeURIComponent(name)}`, {
      method: 'PUT',
      json: { code: sourceOf(name) },
    });
    expect(put.status).toBeGreaterThanOrEqual(400);
  });

  it('User Component — registry overlay skips broken files silently', async () => {
    await generate(alice, 'SumOfTwo');
    const file = filesBelow(server.baseDir).find((name) => name.includes('SumOfTwo')) ?? '';
    const stored = join(server.baseDir, file);
    writeFileSync(stored.replace('SumOfTwo', 'Broken'), 'export class Broken extends Component { inputs = [');
    expect(readFileSync(stored, 'utf8')).toBe(sourceOf('SumOfTwo'));
    const events = await send(alice, [intent('question'), call('search_components', {}), { text: 'ok' }]);
    expect(events.at(-1)).toMatchObject({ event: 'complete' });
    expect(seenByModel()).toContain('SumOfTwo');
    expect(seenByModel()).not.toContain('"Broken');
  });

  it('Session reset wipes components on explicit New session click', async () => {
    await generate(alice, 'One');
    await generate(alice, 'Two');
    const reset = () => alice.json<any>('/api/v1/agentic/sessions/reset?session_id=new', { method: 'POST', json: {} });
    expect((await reset()).body).toEqual({ status: 'ok', components_cleared: 2, session_id: 'new' });
    expect(await listOf(alice)).toEqual([]);
    expect((await reset()).body).toMatchObject({ components_cleared: 0 });
  });

  it('a new session keeps the unsaved components of other conversations', async () => {
    const sendIn = (session_id: string, name: string) =>
      send(
        alice,
        [intent('generate_component'), call('generate_component', { code: sourceOf(name) }), { text: 'Written.' }],
        { session_id },
      );
    await sendIn('first', 'OfTheFirst');
    await sendIn('second', 'OfTheSecond');
    const reset = await alice.json<any>('/api/v1/agentic/sessions/reset?session_id=third&ended_session_id=second', {
      method: 'POST',
      json: {},
    });
    expect(reset.body).toMatchObject({ components_cleared: 1 });
    expect(await listOf(alice)).toMatchObject([{ name: 'OfTheFirst' }]);
  });

  it('Session reset endpoint refuses cross-user wipes', async () => {
    await generate(alice, 'Hers');
    const mine = await bob.json<any>('/api/v1/agentic/sessions/reset?session_id=hers', { method: 'POST', json: {} });
    expect(mine.body).toMatchObject({ components_cleared: 0 });
    expect(await listOf(alice)).toMatchObject([{ name: 'Hers' }]);
    const stranger = await server.stranger.request('/api/v1/agentic/sessions/reset', { method: 'POST', json: {} });
    expect(stranger.status).toBe(401);
    expect(await listOf(alice)).toMatchObject([{ name: 'Hers' }]);
  });

  it('RunFlow refuses to run unsafe component code', async () => {
    await generate(alice, 'SumOfTwo');
    const flow_id = await makeFlow(alice);
    const node = {
      id: 'S',
      type: 'SumOfTwo',
      position: { x: 0, y: 0 },
      values: {},
      code: sourceOf('SumOfTwo', "process.env['HOME']"),
    };
    await alice.json(`/api/v1/flows/${flow_id}/edits`, {
      method: 'POST',
      json: { base: 1, edits: [{ kind: 'add_component', node }] },
    });
    const events = await send(alice, [intent('run_flow'), call('run_flow', {}), { text: 'It did not run.' }], {
      flow_id,
    });
    expect(events).toContainEqual(
      expect.objectContaining({
        event: 'tool_end',
        tool: 'run_flow',
        ok: false,
        error: expect.stringContaining('process is forbidden'),
      }),
    );
    expect(events.some(({ event }) => event === 'run_started')).toBe(false);
  });
});
