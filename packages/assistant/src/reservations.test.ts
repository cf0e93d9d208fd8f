import { expect, it } from 'vitest';
import { forbidsActs, forbidsRun, isReserved, isTentative } from './reservations.ts';

it.each([
  'save it to notes.md, but do not overwrite it',
  "Proofread notes.md. Don't save any changes",
  'Proofread notes.md. Don’t save any changes',
  'Review notes.md without changing it',
  'No changes to notes.md please.',
  'notes.md is off limits',
  'notes.md is read-only',
  'fix todo.md while leaving notes.md as is',
  'hands off notes.md',
  'Refrain from editing notes.md',
  "You aren't to change notes.md",
  'Neither a.md nor notes.md may change',
  'Leave a.md and notes.md alone',
  'replace a with b in all files but notes.md',
  'replace a with b in all text files apart from notes.md',
  'Nothing should be written to notes.md',
  'x'.repeat(8_001),
])('“%.80s” is reserved', (message) => {
  expect([isReserved(message), isTentative(message)]).toEqual([true, true]);
});

it.each([
  'replace a with b in notes.md, but ask me first',
  'replace a with b in notes.md, dry run',
  'replace a with b in notes.md, only show it',
  'replace a with b in notes.md, if that is safe',
  'replace a with b in notes.md, but keep a backup',
  'document the flow in notes.md, ask me first',
  'replace a with b in notes.md, is that possible',
  'replace a with b in notes.md; what would that do',
  'replace a with b in notes.md, just as a test',
])('“%s” is tentative', (message) => {
  expect([isReserved(message), isTentative(message)]).toEqual([false, true]);
});

it.each([
  'replace `a` with `b` in notes.md',
  'build a flow that reads in.md, counts its words and saves it to notes.md, then run it',
  'please fix the notes in north/nothing.md',
  'append the totals to log.csv',
])('“%s” is a plain order', (message) => {
  expect([isReserved(message), isTentative(message)]).toEqual([false, false]);
});

it('keeps what a message forbids, for later ones', () => {
  expect(forbidsActs('save the result to notes.md. Never overwrite existing files')).toBe(true);
  expect(forbidsActs('saves it to notes.md, which you must not overwrite')).toBe(true);
  expect(forbidsActs('keep the rows whose city is not Oslo')).toBe(false);
  expect(forbidsActs('x'.repeat(8_001))).toBe(true);
  expect(forbidsRun('do not run it before I say so. Then run it')).toBe(true);
  expect(forbidsRun('do not overwrite it, then run it')).toBe(false);
  expect(forbidsRun('x'.repeat(8_001))).toBe(true);
});
