import { describe, expect, it } from 'vitest';
import { readChoices, TRACE_OF_A_CALL } from './payload.ts';

const ENTRY = { index: 0, id: 'c', type: 'function', function: { name: 'x', arguments: '{}' } };
const read = (choice: object, more: object = {}) => readChoices({ choices: [choice], ...more }, 'delta');

describe('the choices of a chunk', () => {
  it('have their calls and the reason of their end', () => {
    expect(read({ index: 1, delta: { tool_calls: [ENTRY] }, finish_reason: 'tool_calls' })).toMatchObject([
      { index: '1', toolCalls: [ENTRY], functionCall: undefined, finish: 'tool_calls' },
    ]);
    expect(read({ delta: { function_call: { name: 'x' } }, finish_reason: '' })).toMatchObject([
      { index: '0', toolCalls: [], functionCall: { name: 'x' }, finish: undefined },
    ]);
    expect(readChoices({ choices: [{ message: { tool_calls: [ENTRY] } }] }, 'message')?.[0]?.toolCalls).toHaveLength(1);
  });

  it('may be missing', () => {
    expect([
      readChoices({}, 'delta'),
      readChoices({ choices: null }, 'delta'),
      read({}),
      read({ delta: null }),
    ]).toMatchObject([[], [], [{ toolCalls: [] }], [{ toolCalls: [] }]]);
  });

  it.each([
    [{ delta: { Tool_Calls: [ENTRY] } }, {}],
    [{ Delta: { tool_calls: [ENTRY] } }, {}],
    [{ delta: { tool_calls: [{ ...ENTRY, function: { Name: 'x' } }] } }, {}],
    [{ delta: { tool_calls: [{ ...ENTRY, Function: {} }] } }, {}],
    [{ delta: { tool_calls: ['x'] } }, {}],
    [{ delta: { tool_calls: { 0: ENTRY } } }, {}],
    [{ delta: { function_call: { Arguments: '' } } }, {}],
    [{ delta: [] }, {}],
    [{ index: {}, delta: {} }, {}],
    [{ delta: {}, message: { tool_calls: [ENTRY] } }, {}],
    [{ delta: { content: { tool_calls: [ENTRY] } } }, {}],
    [{ delta: {} }, { tool_calls: [ENTRY] }],
    [{ delta: {} }, { more: [{ Function_Call: { name: 'x' } }] }],
    [{ delta: {} }, { Choices: [] }],
  ])('that parsers could read differently are not read: %j %j', (choice, more) => {
    expect(read(choice, more)).toBeUndefined();
  });

  it('are not read from anything but a list', () => {
    expect([readChoices({ choices: {} }, 'delta'), readChoices({ choices: ['x'] }, 'delta')]).toEqual([
      undefined,
      undefined,
    ]);
  });
});

it('sees a trace of a call in every spelling', () => {
  for (const text of ['"tool_calls"', '"function_call"', '"Tool_Call"', '"\\u0074ool_calls"', '"tool\\u005Fcalls"'])
    expect(TRACE_OF_A_CALL.test(text), text).toBe(true);
  expect(TRACE_OF_A_CALL.test('"content":"hi"')).toBe(false);
});
