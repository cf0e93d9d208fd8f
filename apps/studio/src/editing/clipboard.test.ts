import { applyEdits, createRegistry, emptyFlow, FlowError, type FlowDocument, printFlow } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { copyText, partOf, pasteEdits, readCopied } from './clipboard.ts';
import { edgeOf } from '../canvas/testing-nodes.ts';
import { make } from './testing-wires.ts';

const registry = createRegistry([make('Call', [{ name: 'key', label: 'Key', kind: 'secret' }], [])]);
const at = (id: string, x: number, values: Record<string, string> = {}) => ({
  id,
  type: 'Call',
  position: { x, y: 0 },
  values,
});
const flow: FlowDocument = {
  ...emptyFlow('f'),
  nodes: [at('a', 0, { key: 'hunter22', url: 'https://x' }), at('b', 600, { next: 'a' }), at('c', 1200)],
  edges: [edgeOf('a', 'b'), edgeOf('b', 'c')],
  notes: [{ id: 'n', position: { x: 5, y: 5 }, size: { width: 10, height: 10 }, text: 'hi' }],
};

describe('copied parts of a flow', () => {
  it('have the edges between them and no secrets, and get new ids where they are pasted', () => {
    const text = copyText(partOf(flow, new Set(['a', 'b', 'n'])), registry);
    expect(text).not.toContain('hunter22');
    const part = readCopied(text);
    expect(part?.edges).toEqual([edgeOf('a', 'b')]);
    const { edits, ids } = pasteEdits(flow, part as FlowDocument, { x: 10, y: 20 });
    const next = applyEdits(flow, edits).flow;
    const [a, b] = next.nodes.slice(3);
    expect([next.nodes.length, next.notes.length, ids.size]).toEqual([5, 2, 3]);
    expect([a?.position, a?.values]).toEqual([
      { x: 10, y: 20 },
      { key: '', url: 'https://x' },
    ]);
    expect(b?.values).toEqual({ next: a?.id });
    expect(next.edges.at(-1)).toEqual(edgeOf(a?.id ?? '', b?.id ?? ''));
    expect(printFlow(next).length).toBeGreaterThan(printFlow(flow).length);
  });

  it('are recognised among other texts, and so is an exported flow', () => {
    for (const text of ['hello', '{"nodes": []}', '{broken', '{"a": 1}', '[1]'])
      expect(readCopied(text)).toBeUndefined();
    expect(readCopied(printFlow(flow))?.nodes).toHaveLength(3);
    const broken = copyText(flow, registry).replace('"type": "Call"', '"type": 7');
    expect(() => readCopied(broken)).toThrow(FlowError);
    expect(() => pasteEdits(flow, emptyFlow(), { x: 0, y: 0 })).toThrow('no components');
  });
});

it('leaves out what is only partly chosen, and connections to the outside', () => {
  const groups = [
    { id: 'g', name: '', nodes: ['a', 'b'] },
    { id: 'h', name: '', nodes: ['b', 'c'] },
    { id: 'e', name: '', nodes: [] },
  ];
  const part = partOf({ ...flow, groups }, new Set(['a', 'b']));
  expect([part.nodes.map(({ id }) => id), part.notes, part.groups.map(({ id }) => id)]).toEqual([
    ['a', 'b'],
    [],
    ['g'],
  ]);
  expect(part.edges).toEqual([edgeOf('a', 'b')]);
});
