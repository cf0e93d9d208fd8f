import { expect, it } from 'vitest';
import { PartialGrep } from './partial-grep.ts';
import type { SearchRequest } from './search-request.ts';

it('has all matches that were reported, marked as incomplete', () => {
  const partial = new PartialGrep({ kind: 'grep' } as SearchRequest);
  expect(partial.files).toBe(0);
  expect(partial.outcome()).toEqual({ kind: 'grep', matches: [], truncated: true, filesSearched: 0, skipped: 0 });
  partial.add({ matches: [{ path: 'a' }], files: 3, skipped: 1 });
  partial.add({ matches: [{ path: 'b' }, { path: 'c' }], files: 9, skipped: 2 });
  expect(partial.outcome()).toEqual({
    kind: 'grep',
    matches: [{ path: 'a' }, { path: 'b' }, { path: 'c' }],
    truncated: true,
    filesSearched: 9,
    skipped: 2,
  });
});

it('has nothing of a search by name', () => {
  expect(new PartialGrep({ kind: 'glob' } as SearchRequest).outcome()).toBeUndefined();
});
