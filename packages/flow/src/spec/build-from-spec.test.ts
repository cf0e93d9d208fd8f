import { describe, expect, it, vi } from 'vitest';
import { createRegistry } from '../registry.ts';
import { buildFromSpec, buildFromSpecInParts } from './build-from-spec.ts';
import { parseSpec } from './parse-spec.ts';
import { printSpec, specOf } from './print-spec.ts';
import { SPEC } from './testing-spec.ts';

const entry = (type: string, fields: readonly string[], outputs: readonly string[]) => ({
  descriptor: {
    type,
    label: type,
    description: type,
    category: 'test',
    fields: fields.map((name) => ({ name, label: name, kind: 'multiline' as const, accepts: ['Message' as const] })),
    outputs: outputs.map((name) => ({ name, label: name, types: ['Message' as const] })),
    effects: ['none'] as const,
  },
});
const registry = createRegistry([
  entry('ChatInput', ['input_value'], ['message']),
  entry('Agent', ['input_value', 'system_prompt'], ['response']),
  entry('ChatOutput', ['input_value'], ['message']),
]);
let count = 0;
const newId = (type: string) => `${type}-${count++}`;

describe('buildFromSpec', () => {
  it('builds a flow whose spec says the same', () => {
    const built = buildFromSpec(SPEC, registry, newId);
    if ('error' in built) throw new Error(built.details);
    expect([built.name, built.node_count, built.edge_count]).toEqual(['Q and A', 3, 2]);
    const again = buildFromSpec(printSpec(specOf(built.flow)), registry, newId);
    expect('flow' in again && again.flow.edges).toHaveLength(2);
    expect(built.flow.nodes.map(({ position }) => position.x)).toEqual([0, 600, 1200]);
  });

  it('gives components ids of their own, although random characters repeat', () => {
    let calls = 0;
    // The same characters three times in a row.
    const random = vi.spyOn(crypto, 'getRandomValues').mockImplementation((bytes) => {
      (bytes as Uint8Array).fill(Math.floor(calls++ / 3));
      return bytes;
    });
    const built = buildFromSpec('nodes:\n  A: Agent\n  B: Agent\n  C: Agent', registry, (_, id) =>
      id === 'C' ? 'Agent-aaaaa' : undefined,
    );
    random.mockRestore();
    if ('error' in built) throw new Error(built.details);
    expect(built.node_id_map).toEqual({ A: 'Agent-bbbbb', B: 'Agent-ccccc', C: 'Agent-aaaaa' });
  });

  it('lists what there is where a type is unknown', () => {
    expect(buildFromSpec('nodes:\n  A: Nope', registry)).toEqual({
      error: "Unknown component types: ['Nope']",
      details: "Available types (sample): ['Agent', 'ChatInput', 'ChatOutput']",
    });
  });

  it('is built in parts, each as short as an edge', () => {
    const nodes = Array.from({ length: 300 }, (_, i) => `  N${i}: Agent`);
    const edges = nodes.slice(1).map((_, i) => `  N${i}.response -> N${i + 1}.input_value`);
    const text = ['nodes:', ...nodes, 'edges:', ...edges].join('\n');
    const parts = buildFromSpecInParts(text, registry);
    let count = 0;
    for (let part = parts.next(); part.done !== true; part = parts.next()) count++;
    expect(count).toBeGreaterThan(nodes.length + edges.length);
  });

  it('refuses more components or edges than it adds in a short time', () => {
    const nodes = (count: number) =>
      `nodes:\n${Array.from({ length: count }, (_, index) => `  n${index}: Agent\n`).join('')}`;
    const edges = `edges:\n${'  n0.response -> n1.input_value\n'.repeat(10_001)}`;
    for (const text of [nodes(2_001), nodes(2) + edges])
      expect(buildFromSpec(text, registry)).toMatchObject({
        error: 'Invalid spec',
        details: expect.stringMatching(/at most/),
      });
  });

  it('names the node or the edge that failed', () => {
    expect(buildFromSpec('nodes:\n  A: Agent\nconfig:\n  A.nope: 1', registry)).toMatchObject({
      error: "Failed to configure node 'A'",
    });
    expect(
      buildFromSpec('nodes:\n  A: ChatInput\n  B: Agent\nedges:\n  A.nope -> B.input_value', registry),
    ).toMatchObject({ error: 'Failed to connect A.nope -> B.input_value' });
  });

  it('makes ports of variables before it connects', () => {
    const built = buildFromSpec(
      'nodes:\n  A: ChatInput\n  B: Agent\nconfig:\n  B.system_prompt: Say {word}\nedges:\n  A.message -> B.word',
      registry,
    );
    expect('flow' in built && built.edge_count).toBe(1);
  });

  it('reads a text block of any number of lines', () => {
    const { config } = parseSpec(`nodes:\n  A: T\nconfig:\n  A.text: |\n${'      x\n'.repeat(300_000)}`);
    expect(config).toEqual([{ node: 'A', field: 'text', value: `${'x\n'.repeat(299_999)}x` }]);
  });
});
