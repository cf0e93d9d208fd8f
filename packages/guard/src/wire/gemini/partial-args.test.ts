import { describe, expect, it } from 'vitest';
import { PartialArgs } from './partial-args.ts';

/** The values that clients can assemble from these entries, and whether they could disagree. */
function assemble(...entries: unknown[]) {
  const args = new PartialArgs();
  const isRead = args.add(entries);
  return { isRead, unclear: args.unclear, values: args.values() };
}

describe('arguments in pieces', () => {
  it('are assembled by their paths', () => {
    expect(
      assemble(
        { jsonPath: '$.path', stringValue: 'a.', willContinue: true },
        { jsonPath: '$.path', stringValue: 'txt' },
        { jsonPath: '$.n', numberValue: 3 },
        { jsonPath: '$.yes', boolValue: false },
        { jsonPath: '$.none', nullValue: null },
        { jsonPath: '$.list[0].x', stringValue: 'first' },
        { jsonPath: '$.list[1].x', stringValue: 'second' },
      ),
    ).toEqual({
      isRead: true,
      unclear: false,
      values: [{ path: 'a.txt', n: 3, yes: false, none: null, list: [{ x: 'first' }, { x: 'second' }] }],
    });
  });

  it('have two readings where the clients split a name differently', () => {
    const { values } = assemble({ jsonPath: "$['a.b']", stringValue: 'x' });
    expect(values[0]).toEqual({ 'a.b': 'x' });
    expect(values).toHaveLength(2);
  });

  it('may be empty lists and objects', () => {
    expect(assemble({ jsonPath: '$.list[]' }, { jsonPath: '$.object' }).values).toEqual([{ list: [], object: {} }]);
    expect(assemble({ jsonPath: '$' })).toEqual({ isRead: true, unclear: false, values: [{}] });
  });

  it.each([
    ['two values', { jsonPath: '$.a', stringValue: 'x', numberValue: 1 }],
    ['a value of another type', { jsonPath: '$.a', stringValue: 7 }],
    ['an unknown member', { jsonPath: '$.a', stringValue: 'x', more: 1 }],
    ['a path with a wildcard', { jsonPath: '$.*', stringValue: 'x' }],
    ['a path without a root', { jsonPath: 'a', stringValue: 'x' }],
    ['a gap in a list', { jsonPath: '$.a[1]', stringValue: 'x' }],
    ['a number that continues', { jsonPath: '$.a', numberValue: 1, willContinue: true }],
    ['a prototype', { jsonPath: '$.__proto__.x', stringValue: 'x' }],
    ['a value in a list without a place', { jsonPath: '$.a[]', stringValue: 'x' }],
    ['a value of the root', { jsonPath: '$', stringValue: 'x' }],
    ['a path that is too deep', { jsonPath: `$${'.a'.repeat(65)}`, stringValue: 'x' }],
  ])('are unclear with %s', (_, entry) => {
    expect(assemble(entry)).toMatchObject({ isRead: true, unclear: true });
    expect(({} as { x?: string }).x).toBeUndefined();
  });

  it('are unclear where a value is sent twice, and not where a text grows', () => {
    const piece = { jsonPath: '$.a', stringValue: 'x' };
    expect(assemble(piece, piece).unclear).toBe(true);
    expect(assemble({ ...piece, willContinue: true }, piece).unclear).toBe(false);
    expect(assemble({ ...piece, willContinue: true }, { jsonPath: '$.a' }, piece).unclear).toBe(true);
  });

  it.each([[{}], [{ jsonPath: 7 }], ['text'], [{ jsonPath: '$.a', willContinue: 'yes' }], [{ JSONPath: '$.a' }]])(
    'of another form are not read: %j',
    (entry) => {
      expect(assemble(entry).isRead).toBe(false);
    },
  );

  it('are not read from anything but a list', () => {
    expect(new PartialArgs().add({ jsonPath: '$.a' })).toBe(false);
  });
});
