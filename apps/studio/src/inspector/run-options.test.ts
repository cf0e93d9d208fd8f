import { type FlowNode, type Json, previewOf } from '@croft/flow';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWhole, runEdit } from './run-options.ts';

const node = (run?: FlowNode['run']): FlowNode => ({ id: 'N', type: 'T', position: { x: 0, y: 0 }, values: {}, run });

describe('the options of a run', () => {
  it('change one at a time', () => {
    expect(runEdit(node({ timeoutMs: 5 }), { onError: 'port' })).toEqual({
      kind: 'set_run_options',
      id: 'N',
      run: { timeoutMs: 5, onError: 'port' },
    });
  });

  it('disappear with the last one, and make no edit where nothing changes', () => {
    expect(runEdit(node({ onError: 'continue' }), { onError: 'stop' })).toMatchObject({ run: null });
    expect(runEdit(node({ timeoutMs: 5 }), { timeoutMs: undefined })).toMatchObject({ run: null });
    expect(runEdit(node(), { onError: 'stop' })).toBeUndefined();
    expect(runEdit(node({ timeoutMs: 5 }), { timeoutMs: 5 })).toBeUndefined();
  });
});

describe('a value of the events', () => {
  it.each<[unknown, boolean]>([
    ['short', true],
    ['x'.repeat(3_000), false],
    [Array.from({ length: 30 }, (_, at) => at), false],
    [Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`k${at}`, at])), false],
    [{ a: { b: { c: { d: { e: 1 } } } } }, false],
    [{ api_key: 'secret value' }, false],
    [{ text: 'hello', n: 1, list: [true, null] }, true],
    [new Uint8Array(4), false],
  ])('is known to be whole or not', (value, expected) => {
    expect(isWhole(previewOf(value))).toBe(expected);
  });

  it('is the value itself where it is whole', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const plain = JSON.parse(JSON.stringify(value)) as Json;
        const shown = previewOf(plain);
        fc.pre(isWhole(shown));
        expect(shown).toEqual(plain);
      }),
    );
  });
});
