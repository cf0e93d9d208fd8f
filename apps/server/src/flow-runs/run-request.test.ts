import { builtinRegistry } from '@croft/components';
import { emptyFlow } from '@croft/flow';
import { expect, it } from 'vitest';
import { inputsOf } from './run-request.ts';

// A document that an earlier version stored may have any id.
it.each(['__proto__', 'constructor', 'toString'])(
  'gives values to a node with the id %s and to no object of the process',
  (id) => {
    const flow = { ...emptyFlow(), nodes: [{ id, type: 'ChatInput', position: { x: 0, y: 0 }, values: {} }] };
    const shared: object[] = [Object.prototype, Object, Object.prototype.toString];
    const inputs = inputsOf(flow, builtinRegistry(), { message: 'hello', session: 'mine' });
    const changed = shared.filter((each) => Object.hasOwn(each, 'input_value') || Object.hasOwn(each, 'session_id'));
    for (const each of changed) for (const key of ['input_value', 'session_id']) Reflect.deleteProperty(each, key);
    expect(changed).toEqual([]);
    expect(Object.entries(inputs)).toEqual([[id, { input_value: 'hello', session_id: 'mine' }]]);
  },
);
