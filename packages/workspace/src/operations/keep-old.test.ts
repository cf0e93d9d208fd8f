import { describe, expect, it } from 'vitest';
import type { Enclosure } from '../enclosure.ts';
import { NotKept } from '../trash.ts';
import { failureOf } from '../testing.ts';
import { trashBeside, useEnclosures } from '../use-enclosures.ts';
import { keepOld, notUndoable } from './keep-old.ts';

const open = useEnclosures();
const failing = (reason: NotKept['reason']) => () => {
  throw new NotKept(reason);
};
const withTrash = (more: Partial<Enclosure> = {}) => open([], (scratch) => ({ ...trashBeside(70)(scratch), ...more }));

describe('old content', () => {
  it('is kept in the trash, and not at all without one', () => {
    const { enclosure } = withTrash();
    expect(keepOld(enclosure, 'f', 3, (trash) => (trash === enclosure.trash ? 'item' : undefined))).toBe('item');
    expect(keepOld(open().enclosure, 'f', 3, failing('too_large'))).toBeUndefined();
  });

  it.each([
    ['too_large', '80 bytes are more than the trash can keep (70)'],
    ['not_copied', 'it cannot be copied to the trash completely'],
  ] as const)('that the trash cannot keep (%s) refuses the change', async (reason, why) => {
    const { enclosure } = withTrash();
    const { code, message, extra } = await failureOf(() => keepOld(enclosure, 'a/f', 80, failing(reason)));
    expect([code, message]).toEqual([
      'not_undoable',
      `a/f could not be restored afterwards: ${why}. Nothing was changed.`,
    ]);
    expect(extra).toEqual({ bytes: 80, trash_bytes: 70 });
  });

  it('is lost only where a person agreed', () => {
    const { enclosure } = withTrash({ permanent: true });
    expect(keepOld(enclosure, 'f', 80, failing('too_large'))).toBeUndefined();
    const broken = () => keepOld(enclosure, 'f', 80, () => JSON.parse('{'));
    expect(broken).toThrow(SyntaxError);
  });

  it('is too large where the reason is not given', () => {
    expect(notUndoable('f', 2, 1).message).toContain('2 bytes are more than the trash can keep (1)');
  });
});
