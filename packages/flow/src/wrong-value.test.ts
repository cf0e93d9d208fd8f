import { expect, it } from 'vitest';
import type { Field } from './component.ts';
import { wrongValue } from './wrong-value.ts';

const ROWS: readonly [Partial<Field>, unknown, string | undefined][] = [
  [{ kind: 'number' }, 1.5, undefined],
  [{ kind: 'number' }, '1', 'must be a number'],
  [{ kind: 'number' }, Number.POSITIVE_INFINITY, 'must be a number'],
  [{ kind: 'integer' }, 1.5, 'must be a whole number'],
  [{ kind: 'slider' }, 1.5, undefined],
  [{ kind: 'slider' }, '1', 'must be a number'],
  [{ kind: 'integer', min: 1, max: 3 }, 1, undefined],
  [{ kind: 'integer', min: 1, max: 3 }, 3, undefined],
  [{ kind: 'integer', min: 1, max: 3 }, 0, 'must be at least 1'],
  [{ kind: 'integer', min: 1, max: 3 }, 4, 'must be at most 3'],
  [{ kind: 'switch' }, false, undefined],
  [{ kind: 'switch' }, 'no', 'must be true or false'],
  [{ kind: 'select', options: ['a', 'b'] }, 'b', undefined],
  [{ kind: 'select', options: ['a', 'b'] }, 'c', 'must be one of: a, b'],
  [{ kind: 'select' }, 'c', undefined],
  [{ kind: 'multiselect', options: ['a', 'b'] }, ['a'], undefined],
  [{ kind: 'multiselect', options: ['a', 'b'] }, ['a', 'c'], 'must be a list of: a, b'],
  [{ kind: 'multiselect', options: ['a', 'b'] }, 'a', 'must be a list of: a, b'],
  [{ kind: 'multiselect' }, 1, 'must be a list of: texts'],
  [{ kind: 'multiselect' }, ['x'], undefined],
  [{ kind: 'key-value' }, { a: 1 }, undefined],
  [{ kind: 'key-value' }, [], 'must be an object'],
  [{ kind: 'key-value' }, 'a', 'must be an object'],
  [{ kind: 'table' }, [], undefined],
  [{ kind: 'table' }, {}, 'must be a list of rows'],
  [{ kind: 'text' }, 'a', undefined],
  [{ kind: 'secret' }, {}, 'must be a text'],
  [{ kind: 'text' }, ['a'], 'must be a text'],
  [{ kind: 'text', list: true }, ['a'], undefined],
  [{ kind: 'multiline' }, {}, 'must be a text'],
  [{ kind: 'code' }, [], 'must be a text'],
  [{ kind: 'json' }, [{}], undefined],
  [{ kind: 'json', schema: { type: 'string' } }, 'a', undefined],
  [{ kind: 'json', schema: { type: 'string' } }, 1, 'must be a text'],
  [{ kind: 'handle' }, 1, undefined],
];

it.each(ROWS)('%j with %j: %s', (field, value, fault) => {
  expect(wrongValue({ name: 'f', label: 'F', kind: 'text', ...field } as Field, value)).toBe(fault);
});
