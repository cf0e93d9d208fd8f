import { describe, expect, it } from 'vitest';
import { schemaOf } from './declared-schema.ts';
import { WrongPort } from './wrong-port.ts';

const said = (schema: unknown) => {
  try {
    return schemaOf(schema, 'data');
  } catch (error) {
    if (error instanceof WrongPort) return error.message;
    throw error;
  }
};

describe('the schema of a field', () => {
  it('keeps what is checked, and leaves out notes', () => {
    expect(
      said({
        $schema: 'x',
        title: 'T',
        type: 'object',
        properties: {
          a: { type: ['integer', 'null'], minimum: 1, maximum: 2, description: 'D' },
          b: { enum: [1, 'x'] },
        },
        required: ['a'],
        additionalProperties: false,
        items: { type: 'string' },
      }),
    ).toEqual({
      type: 'object',
      properties: { a: { type: ['integer', 'null'], minimum: 1, maximum: 2 }, b: { enum: [1, 'x'] } },
      required: ['a'],
      additionalProperties: false,
      items: { type: 'string' },
    });
    expect(said({})).toEqual({});
  });

  it.each([
    [[], 'must be an object'],
    [null, 'must be an object'],
    [{ pattern: 'x' }, "uses 'pattern'. Use only: type"],
    [{ type: 'text' }, 'has a type that is not'],
    [{ type: ['string', 'text'] }, 'has a type that is not'],
    [{ enum: 'x' }, 'needs a list as enum'],
    [{ required: 'x' }, 'needs a list of names as required'],
    [{ required: [1] }, 'needs a list of names as required'],
    [{ minimum: '1' }, 'needs numbers'],
    [{ maximum: '1' }, 'needs numbers'],
    [{ additionalProperties: {} }, 'needs true or false'],
    [{ properties: [] }, 'needs an object as properties'],
    [{ properties: { a: { format: 'x' } } }, "uses 'format'"],
    [{ items: [{}] }, 'must be an object'],
  ])('%j is refused: it %s', (schema, why) => {
    expect(said(schema)).toContain(`The schema of 'data' ${why}`);
  });

  it('has at most 20 levels', () => {
    const nested = (levels: number): object => (levels === 0 ? {} : { items: nested(levels - 1) });
    expect(said(nested(20))).toBeTypeOf('object');
    expect(said(nested(21))).toContain('has more than 20 levels');
  });
});
