import { checkConnection, createRegistry, nodesById, validateFlow } from '@croft/flow';
import { expect, it } from 'vitest';
import { refusalOf, TYPE_WORDS, typesSentence } from './explain-wire.ts';
import { after, at, flow, make, registry, take, wire } from './testing-wires.ts';

it('says why a wire does not fit, and offers a converter that makes a flow without errors', () => {
  const refusal = refusalOf(flow, registry, wire('r', 'out', 'a', 'prompt'));
  expect(refusal?.sentence).toBe('“Out” of Rows gives tables. “prompt” of Agent takes messages.');
  expect(refusal?.offer?.label).toBe('Put a Parser between them');
  const next = after(refusal?.offer?.edits ?? []);
  expect(next.nodes.at(-1)).toMatchObject({ type: 'ParserComponent', position: { x: 600, y: 0 } });
  expect(next.edges.map(({ from, to }) => [from.port, to.port])).toEqual([
    ['out', 'input_data'],
    ['parsed_text', 'prompt'],
  ]);
  const errors = validateFlow({ ...next, nodes: next.nodes.filter(({ id }) => id !== 'g') }, registry);
  expect(errors.filter(({ severity }) => severity === 'error')).toEqual([]);
});
it('offers the component as a tool at an input for tools', () => {
  const refusal = refusalOf(flow, registry, wire('w', 'out', 'a', 'tools'));
  expect(refusal?.offer?.label).toBe('Use Words as a tool');
  const next = after(refusal?.offer?.edits ?? []);
  expect(next.nodes[1]?.toolMode).toBe(true);
  expect(next.edges).toEqual([wire('w', 'component_as_tool', 'a', 'tools')]);
});
it('explains where no port can help: the component itself, an unknown one, a removed one', () => {
  const unlike = (edge: ReturnType<typeof wire>) => refusalOf(flow, registry, edge);
  expect(unlike(wire('w', 'out', 'w', 'in'))).toEqual({
    sentence: 'A component cannot feed itself. Only loops and routers can.',
  });
  expect(
    refusalOf(after([{ kind: 'add_component', node: at('c', 'Cycle') }]), registry, wire('c', 'out', 'c', 'in')),
  ).toBeUndefined();
  const unknown = {
    sentence: 'This server has no component “Gone”, so its ports are not known. Replace it first.',
  };
  expect([unlike(wire('w', 'out', 'g', 'in')), unlike(wire('g', 'out', 'w', 'in'))]).toEqual([unknown, unknown]);
  const removed = { sentence: 'One of the two components was removed.' };
  expect([unlike(wire('w', 'out', 'zz', 'in')), unlike(wire('zz', 'out', 'w', 'in'))]).toEqual([removed, removed]);
  expect(unlike(wire('w', 'no', 'a', 'prompt'))?.sentence).toBe(
    `${checkConnection(nodesById(flow), registry, wire('w', 'no', 'a', 'prompt')).problem?.message}.`,
  );
  expect(unlike(wire('w', 'out', 'a', 'no'))?.sentence).toBe(
    `${checkConnection(nodesById(flow), registry, wire('w', 'out', 'a', 'no')).problem?.message}.`,
  );
  expect(refusalOf(flow, registry, wire('w', 'out', 'a', 'prompt'))).toBeUndefined();
});
it('names all types of a port', () => {
  const known = createRegistry([
    make('Both', [], ['Message', 'Data', 'Table']),
    make('Take', [take('in', 'Tool')], []),
  ]);
  const end = (id: string, type: string, types: readonly never[] | readonly string[]) =>
    ({ node: at(id, type), port: { name: 'p', label: 'P', types } }) as unknown as Parameters<typeof typesSentence>[0];
  expect(typesSentence(end('b', 'Both', ['Message', 'Data', 'Table']), end('t', 'Take', []), known)).toBe(
    '“P” of Both gives messages, data or tables. “P” of Take takes nothing.',
  );
});

it('offers nothing where no converter and no tool can help', () => {
  const known = createRegistry([make('Rows', [], ['Table']), make('Ai', [take('in', 'LanguageModel')], [])]);
  const two = { ...flow, nodes: [at('r', 'Rows'), at('m', 'Ai')] };
  expect(refusalOf(two, known, wire('r', 'out', 'm', 'in'))).toEqual({
    sentence: '“Out” of Rows gives tables. “in” of Ai takes language models.',
  });
});

it.each([
  ['Message', 'messages'],
  ['Data', 'data'],
  ['Table', 'tables'],
  ['LanguageModel', 'language models'],
  ['Embeddings', 'embeddings'],
  ['Tool', 'tools'],
  ['File', 'files'],
  ['Any', 'any value'],
] as const)('calls the values of a port of the type %s: %s', (type, words) => {
  expect(TYPE_WORDS[type]).toBe(words);
});

it('puts a converter in the middle between two components, with its article', () => {
  const parser = registry.get('ParserComponent');
  const known = createRegistry([
    make('Rows', [], ['Table']),
    make('Words', [take('in', 'Message')], []),
    { descriptor: { ...(parser as NonNullable<typeof parser>).descriptor, label: 'Extractor' } },
  ]);
  const two = { ...flow, nodes: [{ ...at('r', 'Rows', 101), position: { x: 101, y: 50 } }, at('w', 'Words', 400)] };
  const offer = refusalOf(two, known, wire('r', 'out', 'w', 'in'))?.offer;
  expect(offer?.label).toBe('Put an Extractor between them');
  expect(after(offer?.edits ?? [], two).nodes.at(-1)?.position).toEqual({ x: 251, y: 25 });
  const without = createRegistry([make('Rows', [], ['Table']), make('Words', [take('in', 'Message')], [])]);
  expect(refusalOf(two, without, wire('r', 'out', 'w', 'in'))?.offer).toBeUndefined();
});
