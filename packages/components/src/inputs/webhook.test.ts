import { expect, it } from 'vitest';
import { runAlone, declaredBy, textsOf } from '../testing.ts';
import { webhook } from './webhook.ts';

const run = async (data: unknown, query: unknown = {}, headers: unknown = {}) =>
  (await runAlone(webhook, { data, query, headers })).outputs;

it.each([
  [{ a: 1 }, { a: 1 }],
  ['{"a":1}', { a: 1 }],
  ['plain', { payload: 'plain' }],
  ['[1]', { payload: [1] }],
  [[1], { payload: [1] }],
  [7, { payload: 7 }],
  [false, { payload: false }],
  ['', {}],
  [null, {}],
  [undefined, {}],
])('gives the body %j as a record', async (data, expected) => {
  expect((await run(data))['output_data']).toEqual(expected);
});

it('gives the query and the headers', async () => {
  expect(await run({}, { q: '1' }, '{"h":"2"}')).toEqual({ output_data: {}, query: { q: '1' }, headers: { h: '2' } });
  expect((await run({}, { payload: 'mine' }))['query']).toEqual({ payload: 'mine' });
  expect((await run({}, ''))['query']).toEqual({});
});

it('refuses a query or headers that are not a record', async () => {
  await expect(run({}, 'q=1')).rejects.toMatchObject({
    message: 'Query is not a JSON object.',
    fix: 'Write Query as names and values: {"name": "value"}.',
  });
  await expect(run({}, {}, '[]')).rejects.toThrow('Headers is not a JSON object.');
});

it('declares its fields with these defaults and limits', () => {
  expect(declaredBy(webhook)).toEqual([
    'Webhook: none',
    'data: json default={}',
    'query: json advanced default={}',
    'headers: json advanced default={}',
    'output_data: gives Data',
    'query: gives Data',
    'headers: gives Data',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(webhook.descriptor)).toEqual([
    'Webhook (webhook): Gives the request of another system that started the flow.',
    'input and output | trigger | http | callback | post | github | event | receive | arrive | json | trigger',
    'data: Body | A sample for trying the flow. A request to an address of the flow replaces it.',
    'query: Query | The part of the address after the question mark, as a sample. | {"type":["object","string"]}',
    'headers: Headers | Headers without secrets, as a sample. | {"type":["object","string"]}',
    'output_data: Body',
    'query: Query',
    'headers: Headers',
  ]);
});
