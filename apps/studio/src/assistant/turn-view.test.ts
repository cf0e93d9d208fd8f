import { expect, it } from 'vitest';
import { hasChanges, isUnderWay, newTurn, type TurnStatus } from './turn-view.ts';

it('is under way until it ends', () => {
  const all: TurnStatus[] = ['sending', 'working', 'asking', 'complete', 'error', 'cancelled', 'interrupted'];
  expect(all.filter((status) => isUnderWay({ status }))).toEqual(['sending', 'working', 'asking']);
});

it('begins as a message on its way, without changes', () => {
  expect(newTurn('k')).toEqual({
    key: 'k',
    status: 'sending',
    text: '',
    label: '',
    tasks: [],
    fields: [],
    answers: [],
    files: [],
    components: [],
    notices: [],
    continues: false,
    canRewindCanvas: false,
    isReverted: false,
    events: [],
  });
  expect([hasChanges(newTurn('k')), hasChanges({ ...newTurn('k'), version: 3 })]).toEqual([false, true]);
});
