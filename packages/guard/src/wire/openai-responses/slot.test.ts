import { expect, it } from 'vitest';
import { MOST_READINGS, readingsIn, Slot } from './slot.ts';

interface Filled {
  readonly added?: Record<string, unknown>;
  readonly names?: readonly string[];
  readonly deltas?: Readonly<Partial<Record<'arguments' | 'input' | 'diff', readonly string[]>>>;
  readonly wholes?: readonly { channel: 'arguments' | 'input' | 'diff' | 'other'; text: string }[];
}

function read({ added, names = [], deltas = {}, wholes = [] }: Filled, item?: Record<string, unknown>) {
  const slot = new Slot(0, 'i', true);
  slot.added = added;
  for (const name of names) slot.names.add(name);
  for (const [channel, texts] of Object.entries(deltas)) slot.deltas.set(channel as 'input', [...texts]);
  slot.wholes.push(...wholes);
  return readingsIn(slot, item).map(({ name, arguments: args }) => `${name} ${JSON.stringify(args)}`);
}
const fn = (args: string, name = 'w') => ({ type: 'function_call', name, arguments: args });
const patch = (diff: string) => ({ type: 'apply_patch_call', operation: { path: 'a', diff } });

it('reads the finished item once if its start and its fragments agree', () => {
  expect(read({ added: fn(''), deltas: { arguments: ['{', '}'] } }, fn('{}'))).toEqual(['w "{}"']);
  expect(read({ added: fn('{'), wholes: [{ channel: 'arguments', text: '{}' }] }, fn('{}'))).toEqual(['w "{}"']);
});

it('reads as well what differs from the finished item', () => {
  expect(read({ added: fn(''), deltas: { arguments: ['{"a":1}'] } }, fn('{}'))).toEqual(['w "{}"', 'w "{\\"a\\":1}"']);
  expect(read({ added: fn('[1]') }, fn('{}'))).toEqual(['w "{}"', 'w "[1]"']);
  expect(read({ added: { type: 'x_call', path: 'b' } }, { type: 'x_call', path: 'a' })).toEqual([
    'x_call {"path":"a"}',
    'x_call {"path":"b"}',
  ]);
  expect(
    read({ added: { type: 'x_call', status: 'a', path: '' } }, { type: 'x_call', status: 'b', path: 'a' }),
  ).toEqual(['x_call {"path":"a"}']);
  expect(read({ added: { type: 'custom_tool_call', name: 'w', input: '' } }, fn('{}'))).toHaveLength(2);
});

it('reads fragments alone, as they are and after the text of the start', () => {
  expect(read({ deltas: { arguments: ['{', '}'] }, names: ['w'] })).toEqual(['w "{}"']);
  expect(read({ added: fn('['), deltas: { arguments: ['1]'] } })).toEqual(['w "1]"', 'w "[1]"']);
  expect(read({ added: { type: 'custom_tool_call', name: 'p', input: '' }, deltas: { input: ['x'] } })).toEqual([
    'p "x"',
  ]);
  expect(read({ wholes: [{ channel: 'other', text: 'x' }] })).toEqual([]);
  expect(read({ added: fn('{}') })).toEqual(['w "{}"']);
});

it('takes the end of the finished item only if the start was missed', () => {
  expect(read({ deltas: { arguments: ['1}'] } }, fn('{"a":1}'))).toEqual(['w "{\\"a\\":1}"']);
  expect(read({ added: fn(''), deltas: { arguments: ['1}'] } }, fn('{"a":1}'))).toHaveLength(2);
  expect(read({ deltas: { arguments: ['{'] } }, fn('{"a":1}'))).toHaveLength(2);
});

it('puts a diff into its operation', () => {
  expect(read({ added: patch(''), deltas: { diff: ['+x'] } }, patch('+x'))).toEqual([
    'apply_patch_call {"path":"a","diff":"+x"}',
  ]);
  expect(read({ added: patch(''), deltas: { diff: ['+y'] } }, patch('+x'))[1]).toBe(
    'apply_patch_call {"path":"a","diff":"+y"}',
  );
  expect(read({ deltas: { diff: ['+y'] } })).toEqual(['apply_patch_call {"diff":"+y"}']);
});

it('reads each body under each name', () => {
  expect(read({ added: fn('', 'a'), names: ['b', ''] }, fn('{}', 'c'))).toEqual(['c "{}"', 'a "{}"', 'b "{}"']);
  expect(read({ names: ['w'] }, { ...fn('{}'), namespace: 'n' })).toEqual(['w "{}"', 'n.w "{}"']);
});

it('reads nothing if there are too many ways', () => {
  const names = (count: number) => Array.from({ length: count }, (_, n) => `n${n}`);
  expect(read({ names: names(MOST_READINGS) }, { type: 'function_call', arguments: '{}' })).toHaveLength(16);
  expect(read({ names: names(MOST_READINGS + 1) }, { type: 'function_call', arguments: '{}' })).toEqual([]);
  const wholes = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ channel: 'input' as const, text: `t${n}` }));
  expect(read({ wholes: wholes(MOST_READINGS) })).toHaveLength(16);
  expect(read({ wholes: wholes(MOST_READINGS + 1) })).toEqual([]);
});

it('begins open and without a call', () => {
  expect(new Slot(3, 'i', false)).toMatchObject({
    index: 3,
    itemId: 'i',
    isCall: false,
    closed: false,
    call: undefined,
  });
});
