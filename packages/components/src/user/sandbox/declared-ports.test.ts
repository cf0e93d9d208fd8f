import { describe, expect, it } from 'vitest';
import { fieldOf, outputOf } from './declared-ports.ts';
import { WrongPort } from './wrong-port.ts';

const field = (declared: unknown) => fieldOf(declared, 0);
const output = (declared: unknown) => outputOf(declared, 0);
const said = (read: (declared: unknown) => unknown, declared: unknown) => {
  try {
    read(declared);
    return 'accepted';
  } catch (error) {
    if (error instanceof WrongPort) return error.message;
    throw error;
  }
};

describe('a declared input', () => {
  it('is a text that takes messages unless it says more', () => {
    expect(field({ name: 'a' })).toEqual({ name: 'a', kind: 'text', label: 'a', accepts: ['Message'] });
    expect(field({ name: 'a', accepts: ['Data'] })).toMatchObject({ kind: 'handle', accepts: ['Data'] });
    expect(field({ name: 'a', kind: 'handle' })).toMatchObject({ accepts: ['Any'] });
    expect(field({ name: 'a', kind: 'integer' })).not.toHaveProperty('accepts');
  });

  it('has its flags, bounds and texts, also in the names of other builders', () => {
    expect(
      field({
        name: 'a',
        type: 'int',
        display_name: 'A',
        info: 'I',
        required: true,
        is_list: true,
        tool_mode: true,
        min: 1,
        max: 2,
        value: 0,
        variables: false,
        gate: true,
        advanced: 'yes',
      }),
    ).toEqual({
      name: 'a',
      kind: 'integer',
      label: 'A',
      help: 'I',
      required: true,
      list: true,
      toolParameter: true,
      min: 1,
      max: 2,
      default: 0,
      variables: false,
      gate: true,
    });
    expect(['str', 'bool', 'float', 'dict', 'object'].map((type) => field({ name: 'a', type }).kind)).toEqual([
      'text',
      'switch',
      'number',
      'key-value',
      'json',
    ]);
  });

  it('has options, columns and conditions', () => {
    expect(field({ name: 'a', kind: 'select', options: ['x', 7] }).options).toEqual(['x', '7']);
    expect(
      field({ name: 'a', kind: 'table', columns: [{ name: 'c', kind: 'select', options: [1] }, { name: 'd' }] })
        .columns,
    ).toEqual([
      { name: 'c', label: 'c', kind: 'select', options: ['1'] },
      { name: 'd', label: 'd', kind: 'text' },
    ]);
    expect(field({ name: 'a', showWhen: { field: 'm', is: ['x'] } }).showWhen).toEqual({ field: 'm', is: ['x'] });
    expect(field({ name: 'a', kind: 'json', schema: { type: 'string' } }).schema).toEqual({ type: 'string' });
  });

  it.each([
    ['x', 'inputs[0] must be an object with a name.'],
    [{ name: '1a' }, 'inputs[0] needs a name of letters, digits and underscores.'],
    [{ name: 'run' }, "The name 'run' of inputs[0] is reserved."],
    [{ name: 'constructor' }, "The name 'constructor' of inputs[0] is reserved."],
    [{ name: 'a', kind: 'code' }, 'is not a kind of field'],
    [{ name: 'a', kind: 'toString' }, 'is not a kind of field'],
    [{ name: 'a', accepts: ['Model'] }, 'is not a port type'],
    [{ name: 'a', kind: 'select' }, "Input 'a' is a select without options."],
    [{ name: 'a', kind: 'table', columns: 'x' }, 'must be a list'],
    [{ name: 'a', kind: 'table', columns: [{ name: 'c', kind: 'file' }] }, 'is not a kind of column'],
    [{ name: 'a', showWhen: { field: 'm' } }, 'must be like'],
  ])('%j is refused: %s', (declared, why) => {
    expect(said(field, declared)).toContain(why);
  });
});

describe('a declared output', () => {
  it('has a type, a method and its flags', () => {
    expect(output({ name: 'a' })).toEqual({ name: 'a', label: 'a', types: ['Any'] });
    expect(
      output({ name: 'a', type: 'Message', method: 'build', branch: true, loop: true, label: 'A', help: 'H' }),
    ).toEqual({
      name: 'a',
      label: 'A',
      types: ['Message'],
      help: 'H',
      method: 'build',
      branch: true,
      loop: true,
    });
    expect(output({ name: 'row_{n}', each: 'rows' })).toMatchObject({ name: 'row_{n}', each: 'rows' });
  });

  it.each([
    [{ name: 'error' }, 'is reserved'],
    [{ name: 'a', method: 'constructor' }, 'must be the name of a method'],
    [{ name: 'a', method: 7 }, 'must be the name of a method'],
    [{ name: 'a', types: [] }, 'is not a port type'],
    [{ name: 'a', each: 'rows' }, 'needs a name with {n}'],
    [{ name: '{n}-x', each: 'rows' }, 'needs a name of letters'],
  ])('%j is refused: %s', (declared, why) => {
    expect(said(output, declared)).toContain(why);
  });
});
