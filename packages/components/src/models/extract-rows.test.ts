import type { Models } from '@croft/models';
import { describe, expect, it } from 'vitest';
import { drain } from '../testing.ts';
import { extractRows } from './extract-rows.ts';

/** Extracts with a model that gives this object; also gives the request. */
async function extract(columns: unknown, object: unknown) {
  const requests: Record<string, any>[] = [];
  const models = {
    async *stream(request: Record<string, any>) {
      requests.push(request);
      yield { kind: 'text', text: 'not shown' };
      return { object, model: { provider: 'P', name: 'n' }, usage: {} };
    },
  } as unknown as Models;
  const { signal } = new AbortController();
  const asked = { model: undefined, system: 'S', text: 'T', columns, maxOutputTokens: 9, signal };
  const { outputs, progress } = await drain(extractRows({ models, now: () => new Date() }, asked));
  return { rows: outputs, request: requests[0] as Record<string, any>, progress };
}
const column = (type: string, more: object = {}) => ({ name: 'x', type, ...more });
const value = async (type: string, given: unknown, more: object = {}) =>
  (await extract([column(type, more)], { objects: [{ x: given }] })).rows[0]?.['x'];

describe('the request', () => {
  it('has the instructions, the text and a schema in which every property is required', async () => {
    const { request, progress } = await extract(
      [
        { name: ' a ', description: 'An a.' },
        { name: 'b', type: 'int', multiple: true },
      ],
      { objects: [] },
    );
    expect({ ...request, schema: undefined }).toEqual({
      model: undefined,
      system: 'S',
      messages: [{ role: 'user', text: 'T' }],
      schema: undefined,
      maxOutputTokens: 9,
      signal: expect.any(AbortSignal),
    });
    expect(request['schema']).toEqual({
      type: 'object',
      properties: {
        objects: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              a: { type: ['string', 'null'], description: 'An a.' },
              b: { type: ['array', 'null'], items: { type: 'integer' } },
            },
            required: ['a', 'b'],
            additionalProperties: false,
          },
        },
      },
      required: ['objects'],
      additionalProperties: false,
    });
    expect(progress.map(({ kind }) => kind)).toEqual(['usage']);
  });

  it.each(['true', 'TRUE', true])('asks for a list with multiple %j', async (multiple) => {
    expect(await value('str', 'a', { multiple })).toEqual(['a']);
  });
});

describe('a value', () => {
  it.each<[string, unknown, unknown]>([
    ['str', 'a', 'a'],
    ['str', { b: 1 }, '{"b":1}'],
    ['int', 3, 3],
    ['int', ' 4 ', 4],
    ['float', 1.5, 1.5],
    ['float', '1.5', 1.5],
    ['bool', false, false],
    ['dict', { a: 1 }, { a: 1 }],
    ['int', null, null],
    ['int', undefined, null],
  ])('of the type %s is read from %j', async (type, given, expected) => {
    expect(await value(type, given)).toEqual(expected);
  });

  it.each<[string, unknown]>([
    ['int', 1.5],
    ['int', ''],
    ['int', 'x'],
    ['float', 'Infinity'],
    ['float', true],
    ['bool', 'true'],
    ['dict', []],
  ])('of the type %s is not %j', async (type, given) => {
    await expect(value(type, given)).rejects.toMatchObject({
      message: `The selected model produced output that didn't match the expected schema: 'x' is not of the type ${type}. Try again or use a more capable model.`,
      fix: 'Use a model that supports structured output, or describe the fields more exactly.',
    });
  });

  it('of a list may be one, and each is checked', async () => {
    expect(await value('int', ['1', 2], { multiple: true })).toEqual([1, 2]);
    expect(await value('int', 3, { multiple: true })).toEqual([3]);
    expect(await value('int', null, { multiple: true })).toBeNull();
    await expect(value('int', ['x'], { multiple: true })).rejects.toThrow("'x' is not of the type int");
  });

  it('that was not asked for is left out', async () => {
    expect((await extract([column('str')], { objects: [{ x: 'a', y: 'b' }, {}] })).rows).toEqual([
      { x: 'a' },
      { x: null },
    ]);
  });
});

describe('an answer', () => {
  it.each([undefined, [], {}, { objects: {} }])('needs a list: %j', async (object) => {
    await expect(extract([column('str')], object)).rejects.toThrow('it has no list named objects');
  });

  it('needs objects', async () => {
    await expect(extract([column('str')], { objects: ['x'] })).rejects.toThrow('an entry is not an object');
  });
});

describe('the columns', () => {
  it.each([undefined, [], 'x', [{ name: ' ' }], [{ name: 'a' }, {}]])('must have names: %j', async (columns) => {
    await expect(extract(columns, { objects: [] })).rejects.toMatchObject({
      message: 'The fields of the result are not set.',
      fix: 'Add at least one row with a name to output_schema.',
    });
  });

  it('must have known types', async () => {
    await expect(extract([column('date')], { objects: [] })).rejects.toMatchObject({
      message: "The result field 'x' has the unknown type 'date'.",
      fix: 'Use one of these types: str, int, float, bool, dict.',
    });
    await expect(extract([column('toString')], { objects: [] })).rejects.toThrow("unknown type 'toString'");
  });
});
