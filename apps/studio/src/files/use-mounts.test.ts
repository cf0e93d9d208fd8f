import { describe, expect, it } from 'vitest';
import { audienceOf, isFixed, mountOf } from './use-mounts.ts';

const shared = { name: 'shared' as const, readOnly: true, hidesEntry: false };
const mine = { name: 'mine' as const, readOnly: false, hidesEntry: false };

describe('mounts', () => {
  it('hold what is below their name, and nothing that only begins with it', () => {
    expect(mountOf([shared], 'shared/a/b.txt')).toBe(shared);
    expect(mountOf([shared], 'shared')).toBe(shared);
    expect(mountOf([shared], 'shared-notes/a.txt')).toBeUndefined();
  });

  it('cannot be renamed or deleted, nor what is in a read-only one', () => {
    expect([isFixed([mine], 'mine'), isFixed([mine], 'mine/a.txt'), isFixed([mine], 'a.txt')]).toEqual([
      true,
      false,
      false,
    ]);
    expect(isFixed([shared], 'shared/a.txt')).toBe(true);
  });

  it('change who sees the files', () => {
    expect(audienceOf(true, [mine])).toContain('mine/ holds your own files');
    expect(audienceOf(false, [])).toContain('Only you and your agents');
    expect(audienceOf(false, [shared])).toContain('Other users see only shared/');
  });
});
