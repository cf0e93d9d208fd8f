import { expect, it } from 'vitest';
import { editKeyOfTurn, makerOfKey, newAgentId, turnOfKey } from './edit-key.ts';

it('finds the turn of an edit in its key', () => {
  expect(turnOfKey(editKeyOfTurn('turn-1', 'edit'))).toBe('turn-1');
  expect(editKeyOfTurn('turn-1', 'edit')).toBe('turn:turn-1:edit');
  expect([turnOfKey(null), turnOfKey('mine'), turnOfKey('turn:'), turnOfKey('xturn:a:b')]).toEqual(
    Array.from({ length: 4 }),
  );
});

it('gives each edit of a turn a key of its own', () => {
  expect(editKeyOfTurn('turn-1')).not.toBe(editKeyOfTurn('turn-1'));
});

it('tells people, the assistant and agents apart', () => {
  expect(makerOfKey(null)).toBe('person');
  expect(makerOfKey('a key of a client')).toBe('person');
  expect(makerOfKey(editKeyOfTurn('turn-1'))).toBe('assistant');
  expect(makerOfKey(editKeyOfTurn(newAgentId()))).toBe('agent');
  expect(newAgentId()).not.toBe(newAgentId());
});
