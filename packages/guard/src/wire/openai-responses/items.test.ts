import { describe, expect, it } from 'vitest';
import { awaitsClient, bodyKey, covers, isCallItem, isCallType, isEmpty, outputFor, readingsOf } from './items.ts';

describe('an output item', () => {
  it.each([
    ['function_call', 'arguments'],
    ['custom_tool_call', 'input'],
    ['local_shell_call', 'action'],
    ['shell_call', 'action'],
    ['apply_patch_call', 'operation'],
  ])('of the type %s is a call with its content in %s', (type, key) => {
    expect([isCallType(type), isCallItem({ type }), bodyKey(type)]).toEqual([true, true, key]);
  });

  it.each(['message', 'reasoning', 'mcp_call', 'computer_call', 'web_search_call', 'shell_call_output', 'toString'])(
    'of the type %s is not a call',
    (type) => {
      expect([isCallType(type), isCallItem({ type }), bodyKey(type)]).toEqual([false, false, undefined]);
    },
  );

  it('of an unknown type is a call if it looks like one', () => {
    for (const type of ['disk_call', 'Tool', 'x_exec', 'shell', 'patch', 'command', 'function'])
      expect(isCallItem({ type }), type).toBe(true);
    expect([
      isCallItem({ type: 'x', call_id: 'c' }),
      isCallItem({ type: 'x', args: '' }),
      isCallItem({ type: 'x' }),
    ]).toEqual([true, true, false]);
    expect(isCallItem({ type: 'message', call_id: 'c' })).toBe(false);
  });

  it('awaits the client if it is an action that the guard does not judge', () => {
    const awaiting = [
      { type: 'computer_call' },
      { type: 'mcp_approval_request' },
      { type: 'tool_search_call', execution: 'client' },
      { type: 'tool_search_call', execution: 'server' },
      { type: 'message' },
    ];
    expect(awaiting.map(awaitsClient)).toEqual([true, true, true, false, false]);
  });
});

describe('the readings of an item', () => {
  it('have its content, and its name with and without the namespace', () => {
    const item = { type: 'function_call', name: 'w', arguments: '{}' };
    expect(readingsOf(item)).toEqual([{ name: 'w', arguments: '{}' }]);
    expect(readingsOf({ ...item, namespace: 'n' }).map((one) => one.name)).toEqual(['w', 'n.w']);
    expect(readingsOf({ ...item, namespace: '' }).map((one) => one.name)).toEqual(['w']);
    expect(readingsOf({ type: 'function_call', arguments: '{}' })).toEqual([{ name: '', arguments: '{}' }]);
  });

  it('have the input of a custom tool as text', () => {
    const item = { type: 'custom_tool_call', name: 'p' };
    expect(readingsOf({ ...item, input: 'x' })).toEqual([{ name: 'p', arguments: 'x', isText: true }]);
    expect(readingsOf({ ...item, input: { x: 1 } })).toEqual([{ name: 'p', arguments: { x: 1 } }]);
  });

  it('have the fixed names of shells and patches', () => {
    expect(readingsOf({ type: 'local_shell_call', name: 'x', action: { command: ['ls'] } })).toEqual([
      { name: 'local_shell', arguments: { command: ['ls'] } },
    ]);
    expect(readingsOf({ type: 'shell_call', action: {} })[0]?.name).toBe('shell');
    expect(readingsOf({ type: 'apply_patch_call', operation: { path: 'a' } })).toEqual([
      { name: 'apply_patch_call', arguments: { path: 'a' } },
    ]);
    expect(readingsOf({ type: 'shell_call', id: 'i', status: 's', commands: ['ls'] })[0]).toEqual({
      name: 'shell',
      arguments: { commands: ['ls'] },
    });
  });

  it('have each other member that may hold the content', () => {
    expect(
      readingsOf({ type: 'function_call', name: 'w', arguments: '{}', input: 'x', patch: { a: 1 }, args: [] }),
    ).toEqual([
      { name: 'w', arguments: '{}' },
      { name: 'w', arguments: { input: 'x' } },
      { name: 'w', arguments: { a: 1 } },
    ]);
  });

  it('of an unknown type have everything but the envelope', () => {
    expect(readingsOf({ type: 'disk_call', id: 'i', call_id: 'c', status: 's', path: 'a', args: 'x' })).toEqual([
      { name: 'disk_call', arguments: { path: 'a', args: 'x' } },
    ]);
    expect(readingsOf({ type: 'disk_call', name: 'w', path: 'a' })[0]?.name).toBe('w');
    expect(readingsOf({ call_id: 'c' })).toEqual([{ name: '', arguments: {} }]);
  });
});

it('knows what is empty', () => {
  const values = [undefined, null, '', [], {}, 0, false, 'a', [0], { a: undefined }];
  expect(values.filter(isEmpty)).toStrictEqual([undefined, null, '', [], {}]);
});

it.each<[unknown, unknown, boolean]>([
  ['abc', 'ab', true],
  ['ab', 'abc', false],
  ['abc', 'bc', false],
  [7, 'a', false],
  [7, 7, true],
  [7, 8, false],
  [['a', 'b'], ['a'], true],
  [['a'], ['a', 'b'], false],
  [['a'], ['b'], false],
  ['a', ['a'], false],
  [{ a: 1, b: 2 }, { a: 1 }, true],
  [{ a: 1 }, { b: 1 }, false],
  [{ a: 1 }, { b: '' }, true],
  ['a', { a: 1 }, false],
  [{}, { constructor: 1 }, false],
  [undefined, '', true],
])('%j covers %j: %s', (whole, part, expected) => {
  expect(covers(whole, part)).toBe(expected);
});

describe('the output that answers a call', () => {
  it('has the form of its type', () => {
    for (const type of ['function_call', 'custom_tool_call', 'local_shell_call'])
      expect(outputFor({ type, call_id: 'c' }, 'no')).toEqual({ type: `${type}_output`, call_id: 'c', output: 'no' });
    expect(outputFor({ type: 'apply_patch_call', call_id: 'c' }, 'no')).toEqual({
      type: 'apply_patch_call_output',
      call_id: 'c',
      status: 'failed',
      output: 'no',
    });
    const shell = {
      type: 'shell_call_output',
      call_id: 'c',
      output: [{ stdout: '', stderr: 'no', outcome: { type: 'exit', exit_code: 1 } }],
    };
    expect(outputFor({ type: 'shell_call', call_id: 'c', action: {} }, 'no')).toEqual(shell);
    expect(outputFor({ type: 'shell_call', call_id: 'c', action: { max_output_length: 9 } }, 'no')).toEqual({
      ...shell,
      max_output_length: 9,
    });
  });

  it('does not exist without an id, or for another type', () => {
    expect(outputFor({ type: 'function_call' }, 'no')).toBeUndefined();
    expect(outputFor({ type: 'function_call', call_id: '' }, 'no')).toBeUndefined();
    expect(outputFor({ type: 'disk_call', call_id: 'c' }, 'no')).toBeUndefined();
  });
});
