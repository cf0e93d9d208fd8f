import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeSandbox } from '@croft/components';
import { type Edit, emptyFlow, type FlowDocument, type FlowNode } from '@croft/flow';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeKey, startTestServer, type TestServer, type Visitor } from '../testing.ts';

const QUOTA = 3 * 1024 * 1024;

let server: TestServer;
let alice: Visitor;
let bob: Visitor;

beforeAll(async () => {
  server = await startTestServer({ userQuotaBytes: QUOTA });
  await server.running.ready;
  alice = await server.addUser('alice');
  bob = await server.addUser('bob');
});
afterAll(async () => {
  await server?.stop();
  await closeSandbox();
});

/** A component whose output is its text with `body` applied. */
const source = (name: string, body = 'return this.text.toUpperCase();') => `export class ${name} extends Component {
  label = 'My ${name}';
  inputs = [{ name: 'text', kind: 'text', required: true }];
  outputs = [{ name: 'changed', types: ['Message'], method: 'change' }];
  text!: string;

  change(): string {
    ${body}
  }
}
`;

const save = (by: Visitor, name: string, code: string) =>
  by.json<any>(`/api/v1/components/${name}`, { method: 'PUT', json: { code } });
const read = (by: Visitor, name: string) => by.json<any>(`/api/v1/components/${name}`);
const add = (id: string, type: string): Edit => ({
  kind: 'add_component',
  node: { id, type, position: { x: 0, y: 0 }, values: {} },
});
const connect = (from: string, to: string): Edit => {
  const [a = '', output = ''] = from.split('.');
  const [b = '', input = ''] = to.split('.');
  return { kind: 'connect', edge: { from: { node: a, port: output }, to: { node: b, port: input } } };
};

/** A flow that sends the chat message through one component. */
async function flowWith(by: Visitor, type: string): Promise<{ id: string; document: FlowDocument }> {
  const { flow } = (await by.json<any>('/api/v1/flows', { method: 'POST', json: { document: emptyFlow('own') } })).body;
  const edits = [
    add('I', 'ChatInput'),
    { kind: 'batch', edits: [add('C', type)] },
    add('O', 'ChatOutput'),
    connect('I.message', 'C.text'),
    connect('C.changed', 'O.input_value'),
  ];
  const { status } = await by.json(`/api/v1/flows/${flow.id}/edits`, { method: 'POST', json: { base: 1, edits } });
  expect(status).toBe(200);
  return { id: flow.id, document: await documentOf(by, flow.id) };
}

const documentOf = async (by: Visitor, id: string): Promise<FlowDocument> =>
  (await by.json<any>(`/api/v1/flows/${id}`)).body.flow.document;
const run = async (by: Visitor, id: string, message = 'hello') =>
  (await by.json<any>(`/api/v1/flows/${id}/run`, { method: 'POST', json: { message } })).body;
const findingsOf = async (by: Visitor, id: string) => (await by.json<any>(`/api/v1/flows/${id}/check`)).body.findings;
const nodeOf = ({ nodes }: FlowDocument, id: string) => nodes.find((each) => each.id === id) as FlowNode;

it('a component that is saved or removed is in the activity log, without its code', async () => {
  expect((await save(alice, 'Logged', source('Logged', "return 'canary-of-code';"))).status).toBe(200);
  expect((await alice.json('/api/v1/components/Logged', { method: 'DELETE' })).status).toBe(200);
  const logs = () =>
    readdirSync(server.baseDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.startsWith('reads'))
      .map(({ name, parentPath }) => readFileSync(join(parentPath, name), 'utf8'))
      .join('');
  const logged = () =>
    logs()
      .split('\n')
      .filter((line) => line.includes('Logged'))
      .map((line) => JSON.parse(line))
      .map(({ tool, paths, outcome, actor }) => [tool, paths, outcome, actor.via]);
  await expect
    .poll(logged)
    .toEqual(['save_component', 'remove_component'].map((tool) => [tool, ['.components/Logged.ts'], 'ok', 'page']));
  expect(logs()).not.toContain('canary-of-code');
  const { changes } = (await alice.json<any>('/api/v1/activity/changes')).body;
  expect(changes.slice(0, 2)).toEqual(
    ['remove_component', 'save_component'].map((tool) =>
      expect.objectContaining({ tool, kind: null, paths: ['.components/Logged.ts'], undo: 'impossible' }),
    ),
  );
});

describe('a component of a user', () => {
  it('is saved with its ports, listed, read and deleted', async () => {
    const { status, body } = await save(alice, 'Upper', source('Upper'));
    expect([status, body.component]).toMatchObject([
      200,
      { name: 'Upper', label: 'My Upper', fields: [{ name: 'text', kind: 'text' }], outputs: [{ name: 'changed' }] },
    ]);
    expect((await alice.json<any>('/api/v1/components')).body.components).toEqual([
      { name: 'Upper', label: 'My Upper', origin: 'saved', problem: null },
    ]);
    expect((await read(alice, 'Upper')).body.code).toBe(source('Upper'));
    const listed = (await alice.json<any>('/api/v1/flow-components')).body;
    expect(listed.components).toContainEqual(expect.objectContaining({ type: 'Upper', category: 'custom' }));
    expect(listed.leftOut).toEqual([]);
    expect((await alice.json('/api/v1/components/Upper', { method: 'DELETE' })).status).toBe(200);
    expect((await read(alice, 'Upper')).status).toBe(404);
    expect((await alice.json('/api/v1/components/Upper', { method: 'DELETE' })).status).toBe(404);
  });

  it.each([
    ['syntax', source('Broken', 'return this.text.split(;'), { kind: 'syntax', line: 8, column: 28 }],
    ['forbidden', source('Broken', "return require('fs');"), { kind: 'forbidden', line: 8, column: 12 }],
    ['ports', source('Broken').replace("'text', kind", 'text, kind'), { kind: 'ports', line: 3 }],
    ['a failure at its load', `${source('Broken')}throw new Error('no');`, { kind: 'failed', line: 11 }],
    ['a loop at its load', `${source('Broken')}for (;;) {}`, { kind: 'failed', line: 0 }],
    ['another name', source('Other'), { kind: 'name', line: 0 }],
    ['its size', `//${'x'.repeat(1024 * 1024)}\n${source('Broken')}`, { kind: 'syntax', line: 0 }],
  ])('is refused with line and column for %s, and not saved', async (_, code, expected) => {
    const { status, body } = await save(alice, 'Broken', code);
    expect([status, body.problems?.[0]]).toMatchObject([422, { ...expected, fix: expect.any(String) }]);
    expect((await read(alice, 'Broken')).status).toBe(404);
  });

  it('cannot have the name of a built-in component, or a name that differs in case only', async () => {
    expect((await save(alice, 'ChatInput', source('ChatInput'))).status).toBe(409);
    expect((await save(alice, 'Twice', source('Twice'))).status).toBe(200);
    expect((await save(alice, 'TWICE', source('TWICE'))).status).toBe(409);
    await alice.json('/api/v1/components/Twice', { method: 'DELETE' });
    expect((await alice.json('/api/v1/components/..%2Fx', { method: 'DELETE' })).status).toBe(400);
  });

  it('counts in the quota', async () => {
    const large = (name: string) => `${source(name)}//${'x'.repeat(900_000)}`;
    const statuses: number[] = [];
    for (const name of ['LargeA', 'LargeB', 'LargeC', 'LargeD'])
      statuses.push((await save(bob, name, large(name))).status);
    expect(statuses).toEqual([200, 200, 200, 507]);
    for (const name of ['LargeA', 'LargeB', 'LargeC'])
      await bob.json(`/api/v1/components/${name}`, { method: 'DELETE' });
  });

  it('is read without being run', async () => {
    const json = { code: `${source('Loops')}for (;;) {}` };
    const { status, body } = await alice.json<any>('/api/v1/components/check', { method: 'POST', json });
    expect([status, body.component.name]).toEqual([200, 'Loops']);
    const broken = { code: source('Loops', 'return (') };
    const refused = await alice.json<any>('/api/v1/components/check', { method: 'POST', json: broken });
    expect([refused.status, refused.body.problems[0].line]).toEqual([422, 9]);
  });

  it('belongs to its user', async () => {
    await save(alice, 'AliceOnly', source('AliceOnly'));
    expect((await read(bob, 'AliceOnly')).status).toBe(404);
    expect((await bob.json('/api/v1/components/AliceOnly', { method: 'DELETE' })).status).toBe(404);
    expect((await bob.json<any>('/api/v1/components')).body.components).toEqual([]);
    expect(JSON.stringify((await bob.json('/api/v1/flow-components')).body)).not.toContain('AliceOnly');
    expect((await run(bob, (await flowWith(bob, 'AliceOnly')).id)).error.message).toContain('AliceOnly');
    expect((await server.stranger.json('/api/v1/components')).status).toBe(401);
  });

  it('that was broken by other means is left out with its line, and a built-in one wins', async () => {
    const users = join(server.baseDir, 'workspaces/users');
    const own = readdirSync(users).map((name) => join(users, name, '.components'));
    const [dir] = own.filter((each) => readdirSync(join(each, '..')).includes('.components'));
    mkdirSync(dir as string, { recursive: true });
    writeFileSync(join(dir as string, 'Torn.ts'), 'export class Torn extends Component {\n  outputs = [;\n}');
    writeFileSync(join(dir as string, 'ChatInput.ts'), source('ChatInput'));
    const listed = [alice, bob].map(async (by) => (await by.json<any>('/api/v1/flow-components')).body);
    const found = (await Promise.all(listed)).find(({ leftOut }) => leftOut.length > 0);
    expect(found.leftOut).toEqual([
      { file: 'ChatInput.ts', reason: 'A built-in component has the same name.', line: 0 },
      { file: 'Torn.ts', reason: 'Line 2 of the code: Unexpected token.', line: 2 },
    ]);
    expect(found.components.filter(({ type }: { type: string }) => type === 'ChatInput')).toMatchObject([
      { label: 'Chat input' },
    ]);
    for (const name of ['Torn', 'ChatInput'])
      for (const by of [alice, bob]) await by.json(`/api/v1/components/${name}`, { method: 'DELETE' });
  });
});

describe('a flow with a component of its user', () => {
  it('holds the code, and runs directly, queued and through the OpenAI endpoint', async () => {
    await save(alice, 'Loud', source('Loud'));
    const { id, document } = await flowWith(alice, 'Loud');
    expect(nodeOf(document, 'C').code).toBe(source('Loud'));
    expect(await findingsOf(alice, id)).toEqual([]);
    expect(await run(alice, id)).toMatchObject({ status: 'completed', text: 'HELLO' });
    const queued = await alice.json<any>(`/api/v1/flows/${id}/runs`, { method: 'POST', json: { message: 'later' } });
    const stateOf = async () => (await alice.json<any>(`/api/v1/runs/${queued.body.id}`)).body.run;
    await expect.poll(async () => (await stateOf()).status).toBe('completed');
    expect((await stateOf()).text).toBe('LATER');
    const key = await makeKey(alice);
    const client = new OpenAI({ apiKey: key, baseURL: `${server.url}/api/v1/flows/${id}/openai/v1` });
    const answer = await client.chat.completions.create({ model: 'x', messages: [{ role: 'user', content: 'asked' }] });
    expect(answer.choices[0]?.message.content).toBe('ASKED');
  });

  it('keeps the code when the component changes or goes, and takes the new one where it is removed', async () => {
    await save(alice, 'Kept', source('Kept'));
    const { id } = await flowWith(alice, 'Kept');
    await save(alice, 'Kept', source('Kept', "return 'new';"));
    expect((await run(alice, id)).text).toBe('HELLO');
    const edits = [{ kind: 'set_code', id: 'C', code: null }];
    await alice.json(`/api/v1/flows/${id}/edits`, { method: 'POST', json: { base: 2, edits } });
    expect((await run(alice, id)).text).toBe('new');
    await alice.json(`/api/v1/flows/${id}/undo`, { method: 'POST', json: { base: 3 } });
    await alice.json('/api/v1/components/Kept', { method: 'DELETE' });
    expect((await run(alice, id)).text).toBe('HELLO');
  });

  it('that is shared runs the code in the flow, not that of the user who runs it', async () => {
    await save(alice, 'Shared', source('Shared'));
    await save(bob, 'Shared', source('Shared', "return 'of bob';"));
    const { id } = await flowWith(alice, 'Shared');
    const json = { user: 'bob@example.test', access: 'read' };
    expect((await alice.json(`/api/v1/flows/${id}/shares`, { method: 'PUT', json })).status).toBeLessThan(300);
    expect((await run(bob, id)).text).toBe('HELLO');
    expect(await findingsOf(bob, id)).toEqual([]);
  });

  it('has the code also where it is created, replaced or imported as text', async () => {
    await save(alice, 'Filled', source('Filled'));
    const { document } = await flowWith(alice, 'Filled');
    const without = { ...document, nodes: document.nodes.map((node) => ({ ...node, code: undefined })) };
    const made = await alice.json<any>('/api/v1/flows', { method: 'POST', json: { document: without } });
    const replaced = `/api/v1/flows/${made.body.flow.id}`;
    await alice.json(replaced, { method: 'PUT', json: { base: 1, document: without } });
    const text = `nodes:\n  I: ChatInput\n  C: Filled\n  O: ChatOutput\nedges:\n  I.message -> C.text\n  C.changed -> O.input_value\n`;
    const imported = await alice.json<any>('/api/v1/flows/import', { method: 'POST', json: { source: text } });
    for (const found of [
      made.body.flow.document,
      await documentOf(alice, made.body.flow.id),
      imported.body.flow.document,
    ])
      expect(found.nodes.find(({ type }: FlowNode) => type === 'Filled').code).toBe(source('Filled'));
    expect((await run(alice, imported.body.flow.id)).text).toBe('HELLO');
  });

  it('names the line where its code fails', async () => {
    await save(alice, 'Fails', source('Fails', "if (this.text) throw new RangeError('too short'); return '';"));
    const { failure } = await run(alice, (await flowWith(alice, 'Fails')).id);
    expect(failure).toMatchObject({
      node: 'C',
      message: 'Fails, line 8: RangeError: too short',
      fix: 'Change line 8 of the code, or the inputs.',
    });
  });
});

describe('code in a flow', () => {
  const withCode = async (code: string) => {
    const values = { code };
    const nodes = [{ id: 'C', type: 'TypeScriptCode', position: { x: 0, y: 0 }, values }];
    const json = { document: { ...emptyFlow('code'), nodes } };
    return (await alice.json<any>('/api/v1/flows', { method: 'POST', json })).body.flow.id as string;
  };

  it('has its ports when the flow is checked and run', async () => {
    const code = source('Own').replace("kind: 'text', required: true", "kind: 'text', default: 'abc'");
    const id = await withCode(code);
    expect(await findingsOf(alice, id)).toEqual([]);
    expect((await run(alice, id)).error?.message).toContain('no chat input');
    const answer = await alice.json<any>(`/api/v1/flows/${id}/run`, { method: 'POST', json: {} });
    expect(answer.body.outputs).toEqual({ C: { changed: { text: 'ABC' } } });
  });

  it('that is forbidden is found by the check, and no run starts', async () => {
    const id = await withCode(source('Own', 'return eval("1");'));
    const message = 'C: Line 8 of the code: Use of eval() is forbidden in components.';
    expect(await findingsOf(alice, id)).toContainEqual(expect.objectContaining({ node: 'C', field: 'code', message }));
    for (const path of ['run', 'run/stream', 'runs']) {
      const { status, body } = await alice.json<any>(`/api/v1/flows/${id}/${path}`, { method: 'POST', json: {} });
      expect([path, status, body.error?.message]).toEqual([path, 400, expect.stringContaining(message)]);
    }
  });
});

describe('a built-in component', () => {
  it('shows its source, which is itself, and a changed copy runs in its place', async () => {
    const { source } = (await alice.json<any>('/api/v1/flow-components/CombineText/source')).body;
    const codes = [source, source.replace('texts.join(', "texts.reverse().join('/' + ")];
    for (const [code, text] of [
      [codes[0], 'a b'],
      [codes[1], 'b/ a'],
    ]) {
      const values = { text1: 'a', text2: 'b' };
      const nodes = [{ id: 'C', type: 'CombineText', position: { x: 0, y: 0 }, values, code }];
      const json = { document: { ...emptyFlow('edited'), nodes } };
      const { id } = (await alice.json<any>('/api/v1/flows', { method: 'POST', json })).body.flow;
      expect(await findingsOf(alice, id)).toEqual([]);
      const { body } = await alice.json<any>(`/api/v1/flows/${id}/run`, { method: 'POST', json: {} });
      expect(body.outputs).toEqual({ C: { combined_text: { text } } });
    }
  });

  it('says why its code cannot be edited', async () => {
    const { body } = await alice.json<any>('/api/v1/flow-components/APIRequest/source');
    expect(body).toEqual({ type: 'APIRequest', source: null, reason: expect.stringContaining('requests') });
    expect((await alice.json('/api/v1/flow-components/Nothing/source')).status).toBe(404);
    const { components } = (await alice.json<any>('/api/v1/flow-components')).body;
    const editable = components.filter((each: { editable: boolean; category: string }) => each.editable);
    expect(editable.filter(({ category }: { category: string }) => category !== 'custom').length).toBeGreaterThan(19);
  });
});
