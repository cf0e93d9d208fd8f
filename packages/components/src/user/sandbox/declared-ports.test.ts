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
    expect(field({ name: 'a', accepts: ['Data', 'Message'] })).toMatchObject({ kind: 'text' });
    expect(field({ name: 'a', input_types: 'Table' })).toMatchObject({ kind: 'handle', accepts: ['Table'] });
    expect(field({ name: 'a', accepts: ['File', 'Any'] })).toMatchObject({ kind: 'handle', accepts: ['File', 'Any'] });
    expect(field({ name: 'a', accepts: [] })).toMatchObject({ kind: 'handle', accepts: [] });
    expect(field({ name: 'a', kind: 'handle' })).toMatchObject({ accepts: ['Any'] });
    expect(field({ name: 'a', kind: 'multiline' })).toMatchObject({ accepts: ['Message'] });
    expect(field({ name: 'a', kind: 'integer' })).not.toHaveProperty('accepts');
  });

  it('has one of these kinds', () => {
    const kinds =
      'text multiline number integer slider switch select multiselect key-value table json file handle'.split(' ');
    expect(kinds.map((kind) => field({ name: 'a', kind, options: ['x'] }).kind)).toEqual(kinds);
    const aliases =
      'string=text str=text boolean=switch bool=switch float=number int=integer dict=key-value object=json dropdown=select';
    for (const [alias, kind] of aliases.split(' ').map((each) => each.split('=')))
      expect(field({ name: 'a', type: alias, options: ['x'] }).kind).toBe(kind);
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
    expect(
      field({
        name: 'b',
        kind: 'number',
        displayName: 'x'.repeat(1_001),
        description: 'D',
        placeholder: 'P',
        advanced: true,
        keepsLists: true,
        portWhenConnected: true,
        step: 0.5,
        min: '1',
        default: 3,
        value: 4,
        columns: 'ignored',
        schema: 'ignored',
        variables: true,
      }),
    ).toEqual({
      name: 'b',
      kind: 'number',
      label: 'x'.repeat(1_000),
      help: 'D',
      placeholder: 'P',
      advanced: true,
      keepsLists: true,
      portWhenConnected: true,
      step: 0.5,
      default: 3,
    });
    expect(
      field({ name: 'c', label: '', info: '', help: 'H', default: null, list: true, toolParameter: true }),
    ).toEqual({
      name: 'c',
      kind: 'text',
      label: 'c',
      help: 'H',
      accepts: ['Message'],
      list: true,
      toolParameter: true,
    });
    expect(Object.keys(field({ name: 'd' }))).toEqual(['name', 'kind', 'label', 'accepts']);
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
    expect(field({ name: 'a', requiredWhen: { field: 'm', is: ['x'] } })).toMatchObject({
      requiredWhen: { field: 'm', is: ['x'] },
    });
    expect(field({ name: 'a', kind: 'json', schema: { type: 'string' } }).schema).toEqual({ type: 'string' });
  });

  const KINDS = `Use one of: text, multiline, number, integer, slider, switch, select, multiselect, key-value, table, json, file, handle.`;
  const TYPES = 'Use Message, Data, Table, File or Any.';
  const COLUMNS = { name: 'a', kind: 'table' };

  it.each([
    ['x', 'inputs[0] must be an object with a name.'],
    [null, 'inputs[0] must be an object with a name.'],
    [[], 'inputs[0] must be an object with a name.'],
    [{ name: '1a' }, 'inputs[0] needs a name of letters, digits and underscores.'],
    [{}, 'inputs[0] needs a name of letters, digits and underscores.'],
    ...['run', 'then', 'constructor', 'prototype', '__proto__', 'error', 'component_as_tool'].map((name) => [
      JSON.parse(`{"name":"${name}"}`),
      `The name '${name}' of inputs[0] is reserved. Choose another one.`,
    ]),
    [{ name: 'a', kind: 'code' }, `"code" of input 'a' is not a kind of field. ${KINDS}`],
    [{ name: 'a', kind: 'toString' }, `"toString" of input 'a' is not a kind of field. ${KINDS}`],
    [{ name: 'a', kind: () => 1 }, `nothing of input 'a' is not a kind of field. ${KINDS}`],
    [{ name: 'a', kind: 'x'.repeat(200) }, `"${'x'.repeat(99)} of input 'a' is not a kind of field. ${KINDS}`],
    [{ name: 'a', accepts: ['Model'] }, `"Model" of 'a' is not a port type. ${TYPES}`],
    [{ name: 'a', accepts: ['Data', 'Vectors', 7] }, `"Vectors" of 'a' is not a port type. ${TYPES}`],
    [{ name: 'a', kind: 'select' }, "Input 'a' is a select without options."],
    [{ ...COLUMNS, columns: 'x' }, "The columns of 'a' must be a list."],
    [{ ...COLUMNS, columns: Array(51).fill({ name: 'c' }) }, "The columns of 'a' must be a list."],
    [{ ...COLUMNS, columns: ['x'] }, "columns[0] of 'a' must be an object with a name."],
    [{ ...COLUMNS, columns: [{}] }, "columns[0] of 'a' needs a name of letters, digits and underscores."],
    [
      { ...COLUMNS, columns: [{ name: 'c', kind: 'file' }] },
      `"file" of 'a' is not a kind of column. Use one of: text, switch, select.`,
    ],
    [{ name: 'a', showWhen: 'm' }, "showWhen of 'a' must be an object with a name."],
    [{ name: 'a', showWhen: { field: 'm' } }, "showWhen of 'a' must be like { field: 'mode', is: ['Join'] }."],
    [{ name: 'a', showWhen: { is: [] } }, "showWhen of 'a' must be like { field: 'mode', is: ['Join'] }."],
  ])('%j is refused: %s', (declared, why) => {
    expect(said(field, declared)).toBe(why);
  });

  it('has at most 50 columns', () => {
    const columns = Array(50).fill({ name: 'c', kind: 'switch' });
    expect(field({ ...COLUMNS, columns }).columns).toHaveLength(50);
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
    expect(output({ name: 'row_{n}', each: 'rows', info: 'I', showWhen: { field: 'm', is: ['x'] } })).toEqual({
      name: 'row_{n}',
      label: 'row_{n}',
      types: ['Any'],
      help: 'I',
      each: 'rows',
      showWhen: { field: 'm', is: ['x'] },
    });
    expect(output({ name: 'a', displayName: 'A', description: 'D', types: ['Data', 'Table'] })).toEqual({
      name: 'a',
      label: 'A',
      help: 'D',
      types: ['Data', 'Table'],
    });
  });

  const METHOD = "The method of output 'a' must be the name of a method of the class.";
  const PATTERN = 'outputs[0] needs a name with {n}, because it stands for one output a row.';

  it.each([
    [7, 'outputs[0] must be an object with a name.'],
    [{}, 'outputs[0] needs a name of letters, digits and underscores.'],
    [{ name: 'error' }, "The name 'error' of outputs[0] is reserved. Choose another one."],
    [{ name: 'a', method: 'constructor' }, METHOD],
    [{ name: 'a', method: 7 }, METHOD],
    [{ name: 'a', method: 'a b' }, METHOD],
    [{ name: 'a', types: [] }, "nothing of 'a' is not a port type. Use Message, Data, Table, File or Any."],
    [{ name: 'a', each: 'rows' }, PATTERN],
    [{ name: 'a{n}', each: 7 }, PATTERN],
    [{ name: 7, each: 'rows' }, PATTERN],
    [{ name: '{n}-x', each: 'rows' }, 'outputs[0] needs a name of letters, digits and underscores.'],
    [{ name: '{n}x', each: 'rows' }, 'outputs[0] needs a name of letters, digits and underscores.'],
  ])('%j is refused: %s', (declared, why) => {
    expect(said(output, declared)).toBe(why);
  });
});
