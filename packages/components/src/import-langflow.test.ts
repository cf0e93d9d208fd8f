import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importLangflow, isLangflowExport, parseFlow, printFlow, runToEnd, validateFlow, type Json } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { realData } from '../../../tests/support/real-data.ts';
import { builtinRegistry } from './builtin.ts';

const registry = builtinRegistry();
const services = { now: () => new Date(0) };

interface Field {
  value: Json;
  password?: boolean;
  load_from_db?: boolean;
}
const nodeOf = (id: string, type: string, fields: Record<string, Field> = {}, more: object = {}) => ({
  id,
  type: 'genericNode',
  position: { x: 1, y: 2 },
  data: { id, type, node: { display_name: type, template: { code: { value: 'import os' }, ...fields }, ...more } },
});
const edgeOf = (from: string, output: string, to: string, input: string) => ({
  source: from,
  target: to,
  sourceHandle: JSON.stringify({ dataType: 'x', id: from, name: output, output_types: ['Message'] }).replaceAll(
    '"',
    'œ',
  ),
  targetHandle: JSON.stringify({ fieldName: input, id: to, inputTypes: ['Message'], type: 'str' }).replaceAll('"', 'œ'),
});
const exportOf = (nodes: object[], edges: object[]) => ({ name: 'Exported', data: { nodes, edges } });

const input = nodeOf('ChatInput-a', 'ChatInput', { input_value: { value: 'Ada' } });
const output = nodeOf('ChatOutput-c', 'ChatOutput');

describe('an export of Langflow', () => {
  it('becomes a flow that runs, with ids, positions, values and edges kept', async () => {
    const prompt = nodeOf('Prompt-b', 'Prompt', { template: { value: 'Hello {who}' } });
    const { flow, findings } = importLangflow(
      exportOf(
        [input, prompt, output],
        [
          edgeOf('ChatInput-a', 'message', 'Prompt-b', 'who'),
          edgeOf('Prompt-b', 'prompt', 'ChatOutput-c', 'input_value'),
        ],
      ),
      registry,
    );
    expect(findings).toEqual([]);
    expect(flow.nodes.map(({ id, type }) => [id, type])).toEqual([
      ['ChatInput-a', 'ChatInput'],
      ['Prompt-b', 'PromptTemplate'],
      ['ChatOutput-c', 'ChatOutput'],
    ]);
    expect(flow.nodes[1]).toMatchObject({ position: { x: 1, y: 2 }, values: { template: 'Hello {who}' } });
    expect(validateFlow(flow, registry)).toEqual([]);
    expect(printFlow(parseFlow(JSON.parse(printFlow(flow))))).toBe(printFlow(flow));
    expect((await runToEnd(flow, { registry, services })).text).toBe('Hello Ada');
  });

  it('brings neither Python code nor secrets, and keeps the name of a variable', () => {
    const unknown = nodeOf('X-1', 'NoSuchThing', {
      api_key: { value: 'sk-secret', password: true },
      other_key: { value: 'OPENAI_API_KEY', password: true, load_from_db: true },
    });
    const text = JSON.stringify(importLangflow(exportOf([unknown], []), registry));
    expect(text).not.toContain('import os');
    expect(text).not.toContain('sk-secret');
    expect(text).toContain('OPENAI_API_KEY');
  });

  it('turns double braces of a template into single ones, and keeps other braces as text', () => {
    const prompt = nodeOf('Prompt-b', 'Prompt', {
      template: { value: '{"name": {{ who }}}' },
      use_double_brackets: { value: true },
    });
    const { flow } = importLangflow(exportOf([prompt], []), registry);
    expect(flow.nodes[0]?.values['template']).toBe('{{"name": {who}}}');
  });

  it('reports a node without a counterpart and keeps its edges; the run is refused before its first effect', async () => {
    const unknown = nodeOf('X-1', 'NoSuchThing');
    const { flow, findings } = importLangflow(
      exportOf(
        [input, unknown, output],
        [edgeOf('ChatInput-a', 'message', 'X-1', 'query'), edgeOf('X-1', 'found', 'ChatOutput-c', 'input_value')],
      ),
      registry,
    );
    expect(flow.edges).toHaveLength(2);
    expect(findings.map(({ code, node }) => [code, node])).toEqual([['unmapped', 'X-1']]);
    const { status, failure } = await runToEnd(flow, { registry, services });
    expect(status).toBe('failed');
    expect(failure).toMatchObject({ node: 'X-1' });
  });

  it('reports a value of the wrong kind and an edge to a port that does not exist', () => {
    const split = nodeOf('Split-1', 'SplitText', { chunk_size: { value: 'many' }, chunk_overlap: { value: '50' } });
    const { flow, findings } = importLangflow(
      exportOf([input, split], [edgeOf('ChatInput-a', 'message', 'Split-1', 'no_such_input')]),
      registry,
    );
    expect(flow.edges).toEqual([]);
    expect(flow.nodes[1]?.values).toEqual({ chunk_overlap: 50 });
    expect(findings.map(({ code, node, field }) => [code, node, field])).toEqual([
      ['wrong_value', 'Split-1', 'chunk_size'],
      ['unknown_port', 'Split-1', 'no_such_input'],
    ]);
  });

  it('is refused with the place when it is broken', () => {
    expect(() => importLangflow({ data: { nodes: [{ id: 'a' }], edges: [] } }, registry)).toThrow(
      /^Node 1 of the Langflow export, field 'position' cannot be read/,
    );
    expect(() => importLangflow({ data: { nodes: [], edges: [{ source: 'a', target: 'b' }] } }, registry)).toThrow(
      'Edge 1 of the Langflow export does not name its ports. Export the flow again.',
    );
  });

  it('is told apart from a document of Croft', () => {
    expect(isLangflowExport(exportOf([], []))).toBe(true);
    expect(isLangflowExport({ version: 1, nodes: [], edges: [] })).toBe(false);
    expect(isLangflowExport(null)).toBe(false);
  });
});

const starters = realData('langflow-starters');

describe.skipIf(starters === undefined)('the starter flows of Langflow (skipped where they are not present)', () => {
  const files = starters === undefined ? [] : readdirSync(starters).filter((name) => name.endsWith('.json'));
  it.each(files)('%s keeps every edge between components of Croft, and reports every other node', (file) => {
    const exported = JSON.parse(readFileSync(join(starters as string, file), 'utf8')) as {
      data: {
        nodes: { id: string; type: string; data: { type?: string } }[];
        edges: { source: string; target: string }[];
      };
    };
    const { flow, findings } = importLangflow(exported, registry);
    const reported = new Set(findings.filter(({ code }) => code === 'unmapped').map(({ node }) => node));
    const nodes = new Map(flow.nodes.map((node) => [node.id, node]));
    for (const { id, type } of exported.data.nodes)
      if (type !== 'noteNode')
        expect(registry.get(nodes.get(id)?.type ?? '') !== undefined || reported.has(id), id).toBe(true);
    expect(flow.edges).toHaveLength(exported.data.edges.length);
    expect(findings.filter(({ code }) => code === 'unknown_port')).toEqual([]);
    expect(flow.notes).toHaveLength(exported.data.nodes.length - flow.nodes.length);
  });
});
