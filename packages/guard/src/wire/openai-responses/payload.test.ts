import { describe, expect, it } from 'vitest';
import { INTERESTING, isDone, readEvent, readOutput } from './payload.ts';

const read = (payload: unknown, event?: string) =>
  readEvent({
    raw: Buffer.alloc(0),
    data: typeof payload === 'string' ? payload : JSON.stringify(payload),
    event,
    unclear: false,
  });
const ADDED = 'response.output_item.added';
const CALL = { type: 'function_call', id: 'f', arguments: '{}' };

describe('an event', () => {
  it('with an item tells whether the item is done, and its id and position', () => {
    expect(read({ type: ADDED, output_index: 2, item: CALL })).toMatchObject({
      kind: 'item',
      done: false,
      index: 2,
      itemId: 'f',
      item: CALL,
    });
    expect(read({ type: 'response.output_item.done', item_id: 'x', item: { type: 'message' } })).toMatchObject({
      kind: 'item',
      done: true,
      index: undefined,
      itemId: 'x',
    });
  });

  it.each([
    ['response.function_call_arguments.delta', { delta: 'a' }, 'arguments', 'a', false],
    ['response.function_call_arguments.done', { arguments: 'ab', name: 'w' }, 'arguments', 'ab', true],
    ['response.custom_tool_call_input.delta', { delta: 'a' }, 'input', 'a', false],
    ['response.custom_tool_call_input.done', { input: 'ab' }, 'input', 'ab', true],
    ['response.apply_patch_call_operation_diff.done', { diff: 'd' }, 'diff', 'd', true],
    ['response.function_call_arguments.delta', {}, 'arguments', '', false],
    ['response.future_call.delta', { delta: 'a' }, 'other', '', false],
  ])('is a fragment: %s %j', (type, more, channel, text, whole) => {
    const name = 'name' in more ? more.name : undefined;
    expect(read({ type, ...more })).toMatchObject({ kind: 'fragment', channel, text, whole, name });
  });

  it.each(['response.mcp_call.completed', 'response.web_search_call.searching', 'response.output_text.delta', 'x'])(
    'is about no call: %s',
    (type) => {
      expect(read({ type })).toMatchObject({ kind: 'other', type });
    },
  );

  it.each([
    ['response.created', false],
    ['response.completed', true],
    ['response.incomplete', true],
    ['response.failed', true],
    ['response.cancelled', true],
    ['response.done', true],
    ['response.completed.x', false],
  ])('is a snapshot: %s', (type, final) => {
    expect(read({ type, response: { id: 'r', output: [CALL] } })).toMatchObject({
      kind: 'snapshot',
      final,
      output: [CALL],
      response: { id: 'r' },
    });
  });

  it('may be a snapshot without a response if it is the last one', () => {
    expect(read({ type: 'response.completed' })).toMatchObject({ kind: 'snapshot', response: {}, output: [] });
  });

  it('may have its type only as the name of the event', () => {
    expect(read({}, 'response.done')).toMatchObject({ kind: 'snapshot', type: 'response.done' });
    expect(read({ type: 'response.created', response: {} }, 'message')).toMatchObject({ kind: 'snapshot' });
  });

  it.each<[string, unknown, string?]>([
    ['is not JSON', '{'],
    ['is not an object', '[]'],
    ['has a key twice', '{"type":"x","type":"y"}'],
    ['has a key in another case', { type: 'x', Item: {} }],
    ['has a key that sets the prototype', '{"type":"x","__proto__":{}}'],
    ['has a type that is not text', { type: 7 }],
    ['has two types', { type: 'response.x' }, 'response.y'],
    ['is a call itself', CALL],
    ['is of another protocol', { choices: [] }],
    ['is a whole response', { output: [] }],
    ['has a position that is not a number', { type: 'x', output_index: '1' }],
    ['has an id that is not text', { type: 'x', item_id: 1 }],
    ['has a response and an item', { type: 'x', item: {}, response: {} }],
    ['has a response that is not an object', { type: 'x', response: 'r' }],
    ['has an item that is not an object', { type: 'x', item: 'i' }],
    ['hides a call beside the item', { type: 'x', item: { type: 'message' }, other: [CALL] }],
    ['hides a call in a message', { type: 'x', item: { type: 'message', content: [CALL] } }],
    ['hides a call', { type: 'x', part: { deep: CALL } }],
    ['has text that is not text', { type: 'response.function_call_arguments.delta', delta: {} }],
    ['has a name that is not text', { type: 'response.function_call_arguments.done', name: {} }],
    ['has an item with a key in another case', { type: 'x', item: { type: 'message', Arguments: '' } }],
  ])('cannot be read if it %s', (_, payload, event) => {
    expect(read(payload, event)).toBeUndefined();
  });

  it('without data cannot be read', () => {
    expect(readEvent({ raw: Buffer.alloc(0), data: undefined, event: 'x', unclear: false })).toBeUndefined();
  });
});

describe('the output of a response', () => {
  it('may repeat the request, with its old calls', () => {
    for (const key of ['instructions', 'input', 'tools', 'prompt', 'metadata'])
      expect(readOutput({ [key]: [CALL], output: [CALL] }), key).toEqual([CALL]);
    expect([readOutput({}), readOutput({ output: null }), readOutput({ output: ['x'] })]).toEqual([[], [], ['x']]);
  });

  it('cannot be read if it is not a list, or hides a call', () => {
    expect(readOutput({ output: {} })).toBeUndefined();
    expect(readOutput({ Output: [] })).toBeUndefined();
    expect(readOutput({ extra: CALL })).toBeUndefined();
    expect(readOutput({ output: [{ type: 'message', content: CALL }] })).toBeUndefined();
  });
});

it('finds every frame that must be read', () => {
  for (const text of [
    'function_call',
    'OUTPUT_ITEM',
    'response.created',
    'response.done',
    '"item"',
    '[DONE]',
    '\\u0066',
  ])
    expect(INTERESTING.test(text), text).toBe(true);
  expect(INTERESTING.test('response.output_text.delta')).toBe(false);
  expect([isDone(' [DONE]\n'), isDone('"[DONE]"')]).toEqual([true, false]);
});
