import {
  applyEdits,
  createRegistry,
  type Descriptor,
  emptyFlow,
  FlowError,
  type FlowDocument,
  printFlow,
} from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { curlNode } from './curl-node.ts';
import { freePlace } from './free-place.ts';
import { copyText, partOf, pasteEdits, readCopied } from './clipboard.ts';
import { searchComponents } from './search-components.ts';
import { commandOf } from './shortcuts.ts';
import { edgeOf } from '../canvas/testing-nodes.ts';

const component = (type: string, more: Partial<Descriptor> = {}): Descriptor => ({
  type,
  label: type,
  description: '',
  category: 'x',
  effects: ['none'],
  fields: [],
  outputs: [],
  ...more,
});
const registry = createRegistry([
  { descriptor: component('Call', { fields: [{ name: 'key', label: 'Key', kind: 'secret' }] }) },
]);
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

it('makes an HTTP request of a curl command that is pasted, and of no other text', () => {
  const http = createRegistry([{ descriptor: component('APIRequest') }]);
  const place = { x: 1, y: 2 };
  const node = curlNode("  $ curl -X POST 'https://x.test/a' \\\n  -d 'b=1'\n", flow, http, place);
  expect(node).toMatchObject({
    type: 'APIRequest',
    position: place,
    values: { mode: 'cURL', curl_input: "curl -X POST 'https://x.test/a' \\\n  -d 'b=1'" },
  });
  for (const text of ['curling is a sport', 'hello curl x', '{"nodes": []}'])
    expect(curlNode(text, flow, http, place)).toBeUndefined();
  expect(curlNode('curl https://x.test', flow, registry, place)).toBeUndefined();
});

it('gives a new component a free place', () => {
  const size = { width: 248, height: 150 };
  const box = { x: 0, y: 0, ...size };
  expect(freePlace({ x: 500, y: 0 }, size, [box])).toEqual({ x: 500, y: 0 });
  const place = freePlace({ x: 20, y: 20 }, size, [box, { ...box, y: 200 }]);
  expect(place.x).toBe(20);
  expect(place.y).toBeGreaterThan(350);
});

it('finds components by name, then purpose, then the types of their ports', () => {
  const list = [
    component('Purposeful', { description: 'Splits a text' }),
    component('Text split'),
    component('Text', { outputs: [{ name: 'o', label: 'O', types: ['Table'] }] }),
    component('Other', { keywords: ['text'] }),
  ];
  const found = (search: string) => searchComponents(list, search).map(({ type }) => type);
  expect(found('text')).toEqual(['Text', 'Text split', 'Other', 'Purposeful']);
  expect(found('split text')).toEqual(['Text split', 'Purposeful']);
  expect(found('tables')).toEqual(['Text']);
  expect(found('nothing')).toEqual([]);
  expect(found(' ')).toHaveLength(4);
});

it('knows the command of a key, with and without Ctrl, on every keyboard', () => {
  const press = (key: string, ...held: ('ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey')[]) =>
    commandOf({
      key,
      ctrlKey: held.includes('ctrlKey'),
      metaKey: held.includes('metaKey'),
      shiftKey: held.includes('shiftKey'),
      altKey: held.includes('altKey'),
    });
  expect([press('z', 'ctrlKey'), press('Z', 'ctrlKey', 'shiftKey'), press('y', 'metaKey')]).toEqual([
    'undo',
    'redo',
    'redo',
  ]);
  expect([press('a'), press('a', 'ctrlKey'), press('a', 'altKey')]).toEqual(['add', 'select-all', undefined]);
  expect([press('?', 'shiftKey'), press('?'), press('Delete'), press('c', 'ctrlKey')]).toEqual([
    'help',
    'help',
    'remove',
    undefined,
  ]);
});
