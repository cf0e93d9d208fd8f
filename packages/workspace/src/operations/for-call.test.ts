import { expect, it } from 'vitest';
import { useEnclosures } from '../use-enclosures.ts';
import { forCall } from './for-call.ts';

const open = useEnclosures();

it('adds the journal and the consent of one call, and leaves the enclosure of the others as it is', () => {
  const { enclosure } = open();
  const journal = { intend() {}, done() {}, withdraw() {} };
  expect(forCall(enclosure, {})).toBe(enclosure);
  expect(forCall(enclosure, { permanent: false })).toBe(enclosure);
  const journaled = forCall(enclosure, { journal });
  expect([journaled.journal, journaled.permanent, journaled.root]).toEqual([journal, undefined, enclosure.root]);
  const permanent = forCall(enclosure, { permanent: true });
  expect([permanent.journal, permanent.permanent]).toEqual([undefined, true]);
  expect(forCall(journaled, { permanent: true }).journal).toBe(journal);
  expect([enclosure.journal, enclosure.permanent]).toEqual([undefined, undefined]);
});
