import { emptyFlow, type FlowDocument } from '@croft/flow';
import { expect, it } from 'vitest';
import { addToTranscript, answeringNodes, EMPTY_TRANSCRIPT } from './transcript.ts';

function flowOf(types: Readonly<Record<string, string>>, wires: readonly (readonly [string, string])[]): FlowDocument {
  return {
    ...emptyFlow('f'),
    nodes: Object.entries(types).map(([id, type]) => ({ id, type, position: { x: 0, y: 0 }, values: {} })),
    edges: wires.map(([from, to]) => ({ from: { node: from, port: 'out' }, to: { node: to, port: 'in' } })),
  };
}

it('takes the answer from the components before a chat output, also through one that passes a value on', () => {
  const types = { plan: 'LanguageModelComponent', a: 'Agent', b: 'Agent', first: 'FirstAvailable', out: 'ChatOutput' };
  const flow = flowOf(types, [
    ['plan', 'a'],
    ['a', 'first'],
    ['b', 'first'],
    ['first', 'out'],
  ]);
  expect([...answeringNodes(flow)].sort()).toEqual(['a', 'b', 'first']);
});

it('writes the draft from tokens, begins again with another attempt, and keeps the calls of tools', () => {
  const answering = new Set(['a']);
  const at = { node: 'a', path: '' };
  const events = [
    { kind: 'token', ...at, text: 'Hel' },
    { kind: 'token', node: 'plan', path: '', text: 'not this' },
    { kind: 'node_retrying', ...at, attempt: 2, error: 'busy' },
    { kind: 'log', ...at, text: 'Calls add with {}' },
    { kind: 'token', ...at, text: 'Hello ' },
    { kind: 'token', ...at, text: 'Ada' },
  ] as const;
  const transcript = events.reduce((before, event) => addToTranscript(before, event, answering), EMPTY_TRANSCRIPT);
  expect(transcript.draft).toBe('Hello Ada');
  expect(transcript.steps).toMatchObject([{ kind: 'call', tool: 'add' }]);
});

it('keeps a transcript that an event does not change as the same object', () => {
  const answering = new Set(['a']);
  const written = { ...EMPTY_TRANSCRIPT, draft: 'x' };
  const at = { node: 'a', path: '' };
  expect(addToTranscript(EMPTY_TRANSCRIPT, { kind: 'node_started', ...at } as never, answering)).toBe(EMPTY_TRANSCRIPT);
  expect(addToTranscript(written, { kind: 'node_started', ...at, node: 'b' } as never, answering)).toBe(written);
  expect(addToTranscript(written, { kind: 'node_finished', ...at } as never, answering)).toBe(written);
  expect(addToTranscript(written, { kind: 'node_started', ...at } as never, answering)).toEqual({
    draft: '',
    steps: [],
  });
});

it('stops a draft that is longer than 200 000 characters', () => {
  const token = { kind: 'token', node: 'a', path: '', text: 'y' } as const;
  const add = (length: number) =>
    addToTranscript({ draft: 'x'.repeat(length), steps: [] }, token, new Set(['a'])).draft.length;
  expect([add(200_000), add(200_001)]).toEqual([200_001, 200_001]);
});

it('finds no answer in a flow without a chat output, and ends in a circle', () => {
  expect(answeringNodes(flowOf({ a: 'Agent', b: 'Other' }, [['a', 'b']])).size).toBe(0);
  const circle = flowOf({ f: 'FirstAvailable', out: 'ChatOutput' }, [
    ['f', 'f'],
    ['f', 'out'],
  ]);
  expect([...answeringNodes(circle)]).toEqual(['f']);
});
