import { emptyFlow, parseFlow } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import type { Visitor } from '../testing.ts';
import { useTestServer } from '../use-test-server.ts';

const CANARY = 'cAnArY0123456789abcdef';
let page: Visitor;

useTestServer({}, async (started) => {
  page = await started.signInAdmin();
});

const ask = (method: string, path: string, json?: unknown) =>
  page.json<any>(`/api/v1/${path}`, { method, ...(json !== undefined && { json }) });
const importFlow = (source: unknown, more: object = {}) => ask('POST', 'flows/import', { source, ...more });
const node = (values: object) => ({ id: 'Call-1', type: 'APIRequest', position: { x: 1, y: 2 }, values });

describe('an exported flow', () => {
  it('has no secret, names the places, and is imported as it is', async () => {
    await ask('PUT', 'variables/MY_KEY', { value: CANARY, kind: 'credential', hosts: ['e.org'] });
    const values = {
      headers: [{ key: 'Authorization', value: `Bearer ${CANARY}` }],
      url_input: `https://me:${CANARY}@e.org/x`,
      credential: 'MY_KEY',
    };
    const { flow } = (await ask('POST', 'flows', { document: { ...emptyFlow('Call'), nodes: [node(values)] } })).body;
    const exported = await ask('GET', `flows/${flow.id}/export`);
    expect(exported.status).toBe(200);
    expect(JSON.stringify(exported.body)).not.toContain(CANARY);
    expect(exported.body.removed).toEqual([
      { node: 'Call-1', field: 'headers' },
      { node: 'Call-1', field: 'url_input' },
    ]);
    expect(JSON.stringify((await ask('GET', `flows/${flow.id}/text`)).body)).not.toContain(CANARY);
    const again = await importFlow(exported.body.document);
    expect([again.status, again.body.findings]).toEqual([201, []]);
    expect(again.body.flow.document).toEqual(exported.body.document);
    expect(again.body.flow.document.nodes[0].values).toMatchObject({ credential: 'MY_KEY' });
    expect((await ask('GET', `flows/${flow.id}`)).body.flow.document.nodes[0].values).toEqual(values);
  });
});

describe('an import', () => {
  it('takes an export of Langflow, and lists what has no counterpart', async () => {
    const source = {
      name: 'From Langflow',
      data: {
        nodes: [
          langflowNode('ChatInput-1', 'ChatInput'),
          langflowNode('Odd-1', 'NoSuchComponent', { api_key: { password: true, value: CANARY } }),
        ],
        edges: [],
      },
    };
    const { status, body } = await importFlow(source);
    expect([status, body.flow.name]).toEqual([201, 'From Langflow']);
    expect(body.flow.document.nodes.map(({ id }: { id: string }) => id)).toEqual(['ChatInput-1', 'Odd-1']);
    expect(body.findings).toContainEqual(expect.objectContaining({ code: 'unmapped', node: 'Odd-1' }));
    const exported = await ask('GET', `flows/${body.flow.id}/export`);
    expect(JSON.stringify(exported.body)).not.toContain(CANARY);
  });

  it('takes the text form, and gives it back', async () => {
    const spec = 'name: Echo\nnodes:\n  A: ChatInput\n  B: ChatOutput\nedges:\n  A.message -> B.input_value\n';
    const { status, body } = await importFlow(spec, { name: 'Renamed' });
    expect([status, body.flow.name]).toEqual([201, 'Renamed']);
    const text = (await ask('GET', `flows/${body.flow.id}/text`)).body;
    expect(text.spec).toMatch(/^name: Renamed\nnodes:\n/);
    expect(text.drawing).toContain('[ChatInput]');
    const again = await importFlow(text.spec);
    expect(again.body.flow.document.edges).toHaveLength(1);
    expect((await ask('GET', `flows/${body.flow.id}/check`)).body.findings).toEqual([]);
  });

  it.each([
    ['a broken text', 'nodes:\n  A: Nothing', 400],
    ['a newer document', { version: 99 }, 409],
    ['an object without a flow', { a: 1 }, 400],
    [
      'a document with an edge to nowhere',
      { ...emptyFlow('x'), edges: [{ from: { node: 'a', port: 'b' }, to: { node: 'c', port: 'd' } }] },
      400,
    ],
  ])('refuses %s with the reason, and stores nothing', async (_, source, status) => {
    const before = (await ask('GET', 'flows')).body.flows.length;
    const refused = await importFlow(source);
    expect(refused.status).toBe(status);
    expect(refused.body.error.message.length).toBeGreaterThan(20);
    expect((await ask('GET', 'flows')).body.flows).toHaveLength(before);
  });
});

function langflowNode(id: string, type: string, template: object = {}) {
  return {
    id,
    type: 'genericNode',
    position: { x: 0, y: 0 },
    data: { id, type, node: { template, display_name: type } },
  };
}

describe('a template', () => {
  it('is listed, and makes a flow that a check finds in order', async () => {
    const { templates } = (await ask('GET', 'flow-templates')).body;
    expect(templates.length).toBeGreaterThanOrEqual(12);
    for (const { name } of templates) {
      const { status, body } = await ask('POST', 'flows', { template: name });
      expect([name, status]).toEqual([name, 201]);
      expect(parseFlow(body.flow.document).nodes.length).toBeGreaterThan(0);
      const { findings } = (await ask('GET', `flows/${body.flow.id}/check`)).body;
      expect([name, findings.filter(({ severity }: { severity: string }) => severity === 'error')]).toEqual([name, []]);
    }
  });

  it('that does not exist is refused, and so is one beside a document', async () => {
    expect((await ask('POST', 'flows', { template: 'nothing' })).body.error.message).toContain('flow-templates');
    expect((await ask('POST', 'flows', { template: 'chat', document: emptyFlow('x') })).status).toBe(400);
  });
});

it('the components are listed as a canvas shows them', async () => {
  const { status, body } = await ask('GET', 'flow-components');
  expect(status).toBe(200);
  expect(body.components).toContainEqual(
    expect.objectContaining({ type: 'ChatInput', label: 'Chat input', boundary: 'input', outputs: expect.any(Array) }),
  );
});

it('a check reports findings with node and fix', async () => {
  const { flow } = (
    await ask('POST', 'flows', { document: { ...emptyFlow('x'), nodes: [{ ...node({}), type: 'Gone' }] } })
  ).body;
  const { findings } = (await ask('GET', `flows/${flow.id}/check`)).body;
  expect(findings).toContainEqual(
    expect.objectContaining({ severity: 'error', code: 'unknown_type', node: 'Call-1', fix: expect.any(String) }),
  );
});
