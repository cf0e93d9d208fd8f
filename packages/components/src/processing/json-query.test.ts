import { describe, expect, it } from 'vitest';
import { runNode, textsOf, declaredBy } from '../testing.ts';
import { jsonQuery } from './json-query.ts';

const PEOPLE = [
  { name: 'Ada', city: 'London', age: 36 },
  { name: 'Bob', city: 'Paris', age: '9' },
  { name: 'Cem', city: 'London', age: null },
];

describe('JSONQuery', () => {
  const query = (expression: string, value: unknown, output = 'dataframe') =>
    runNode({ type: 'JSONQuery', output, input: 'data', value, config: { expression } });

  it('selects rows and columns', async () => {
    expect((await query("[?city=='London'].{who: name}", PEOPLE)).value).toEqual([{ who: 'Ada' }, { who: 'Cem' }]);
    expect((await query('[].age | [0]', PEOPLE, 'message')).value).toEqual({ text: '36' });
  });

  it('ends a query that would run for years, and holds no timer up meanwhile', async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 10);
    const nested = 'map(&map(&map(&map(&map(&@, $), $), $), $), $)';
    const { failure } = await query(nested, `[${Array.from({ length: 2_000 }, (_, n) => n).join(',')}]`);
    clearInterval(timer);
    expect(failure).toMatchObject({
      message: expect.stringContaining('takes longer than') as string,
      fix: expect.any(String) as string,
    });
    expect(ticks).toBeGreaterThan(10);
  });

  it('reads JSON in a text', async () => {
    expect((await query('a[1]', '{"a":[1,{"b":2}]}', 'data_output')).value).toEqual({ b: 2 });
  });

  it('says how to correct a broken expression', async () => {
    const { failure } = await query('[?name=', PEOPLE);
    expect(failure).toMatchObject({
      message: expect.stringContaining('could not be applied'),
      fix: expect.any(String),
    });
  });

  it('finds nothing on the prototype', async () => {
    expect((await query('[0].constructor', [{ a: 1 }], 'message')).value).toEqual({ text: '' });
  });
});

it('declares its effects and ports', () => {
  expect(declaredBy(jsonQuery)).toEqual([
    'JSONQuery: none',
    'data: handle Data Table Message required',
    'expression: text default="@" required variables=false',
    'data_output: gives Data',
    'dataframe: gives Table',
    'message: gives Message',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(jsonQuery.descriptor)).toEqual([
    'JSON query (braces): Selects parts of a record or rows by a JMESPath expression, such as items[?price > `10`].name.',
    'processing | jmespath | select | path | SelectData | JSONCleaner',
    'data: Data | A text is read as JSON.',
    'expression: Expression | The syntax is at jmespath.site. @ is the whole value.',
    'data_output: Data',
    'dataframe: Rows',
    'message: Text',
  ]);
});
