import { describe, expect, it } from 'vitest';
import { holdsStrayCall, readBlock, readingsOf, seenWhole } from './blocks.ts';

const call = (more: object = {}) => ({ id: 't', names: ['a'], input: undefined, native: true, ...more });

describe('a content block', () => {
  it('is a call with the type of one, or with a name and an input', () => {
    expect(readBlock({ type: 'tool_use', id: 't', name: 'a' }, '{"x":1}')).toEqual({
      call: { id: 't', names: ['a'], input: '{"x":1}', native: true },
      takesInput: true,
    });
    expect(readBlock({ type: 'future', name: 'a', input: {} }, undefined)?.call).toMatchObject({ native: false });
    expect(readBlock({ type: 'x_Tool_Use', name: 'a' }, undefined)?.call).toMatchObject({ names: ['a'] });
    expect(readBlock({ type: 'tool_use', id: '', name: 'a' }, undefined)?.call?.id).toBeUndefined();
    expect(readBlock({ type: 'tool_use', id: 7, name: 'a' }, undefined)?.call?.id).toBeUndefined();
  });

  it('is not a call if it runs upstream or is text', () => {
    for (const type of ['server_tool_use', 'mcp_tool_use'])
      expect(readBlock({ type, name: 'a', input: {} }, '{}')).toEqual({ call: undefined, takesInput: true });
    for (const block of [{ type: 'text' }, { type: 'x', name: 'a' }, { type: 'x', input: {} }])
      expect(readBlock(block, undefined)).toEqual({ call: undefined, takesInput: false });
  });

  it('has the name of its toolset as well, each once', () => {
    const names = (more: object) => readBlock({ type: 'tool_use', name: 'a', ...more }, undefined)?.call?.names;
    expect(names({ toolset_name: 'b' })).toEqual(['a', 'b']);
    expect(names({ toolset_name: 'a' })).toEqual(['a']);
    expect(names({ toolset_name: null })).toEqual(['a']);
    expect(names({ name: undefined, toolset_name: 'b' })).toEqual(['b']);
  });

  it.each([
    null,
    [],
    'text',
    {},
    { type: 7 },
    { type: 'tool_use' },
    { type: 'tool_use', name: 7 },
    { type: 'tool_use', name: 'a', toolset_name: 7 },
    { Type: 'text', type: 'text' },
    { type: 'text', Input: {} },
  ])('cannot be read: %j', (block) => {
    expect(readBlock(block, undefined)).toBeUndefined();
  });
});

describe('the readings of a call', () => {
  const texts = (input: string | undefined, deltas: string) =>
    readingsOf(call({ input }), deltas).map((one) => one.arguments);

  it('are its deltas, and its first input if that is not empty', () => {
    expect(texts(undefined, '{"x":1}')).toEqual(['{"x":1}']);
    for (const empty of ['{ }', 'null', ''])
      expect(texts(empty, '{"x":1}')).toEqual(empty === '' ? ['{"x":1}', ''] : ['{"x":1}']);
    expect(texts('{"y":2}', '{"x":1}')).toEqual(['{"x":1}', '{"y":2}']);
    expect(texts('{"y":2}', ' \n')).toEqual(['{"y":2}']);
    expect(texts(undefined, '')).toEqual(['{}']);
    expect(texts('{ }', '')).toEqual(['{ }']);
  });

  it('include the text inside of a string, at any depth', () => {
    const inner = JSON.stringify('{}');
    expect(texts(undefined, ` ${JSON.stringify(inner)}`)).toEqual([` ${JSON.stringify(inner)}`, inner, '{}']);
    expect(texts(undefined, '"cut')).toEqual(['"cut']);
  });

  it('are for each name', () => {
    expect(readingsOf(call({ names: ['a', 'b'] }), '1')).toEqual([
      { name: 'a', arguments: '1' },
      { name: 'b', arguments: '1' },
    ]);
    expect(seenWhole('3', call({ input: '{"x":1}' }))).toEqual({
      key: '3',
      readings: [{ name: 'a', arguments: '{"x":1}' }],
    });
  });
});

describe('a stray call', () => {
  const block = { type: 'tool_use', input: { type: 'tool_use' }, extra: {} };
  it('is an object with the type of a call that is not a known block', () => {
    expect(holdsStrayCall({ a: [[{ b: { type: 'tool_use' } }]] }, new Set())).toBe(true);
    expect(holdsStrayCall({ TYPE: 'Tool_Use' }, new Set())).toBe(true);
    expect(holdsStrayCall({ type: 'text', text: 'tool_use' }, new Set())).toBe(false);
    expect(holdsStrayCall({ block }, new Set())).toBe(true);
  });

  it('is not looked for in the input of a known block', () => {
    expect(holdsStrayCall({ block }, new Set([block]))).toBe(false);
    const other = { ...block, extra: { type: 'tool_use' } };
    expect(holdsStrayCall({ other }, new Set([other]))).toBe(true);
  });
});
