import { expect, it } from 'vitest';
import { leavesText, NO_RECALL, type Recall, recall } from './input-history.ts';

const history = ['newest', 'older', 'oldest'];

it('goes to older messages up to the oldest, and back to the text that was being written', () => {
  let at: Recall = NO_RECALL;
  let text = 'draft';
  const go = (direction: 'older' | 'newer') => {
    const found = recall(history, at, direction, text);
    if (found) ({ recall: at, text } = found);
    return found?.text;
  };
  expect([go('newer'), go('older'), go('older'), go('older'), go('older')]).toEqual([
    undefined,
    'newest',
    'older',
    'oldest',
    undefined,
  ]);
  expect([go('newer'), go('newer'), go('newer'), go('newer')]).toEqual(['older', 'newest', 'draft', undefined]);
  expect(at).toEqual(NO_RECALL);
});

it('moves through the lines of a text first', () => {
  const text = 'one\ntwo';
  expect([leavesText(text, 2, 'older'), leavesText(text, 5, 'older')]).toEqual([true, false]);
  expect([leavesText(text, 2, 'newer'), leavesText(text, 5, 'newer')]).toEqual([false, true]);
});

it('keeps the draft and the place of a recalled message', () => {
  expect(recall(history, NO_RECALL, 'older', 'mine')).toEqual({ recall: { at: 0, draft: 'mine' }, text: 'newest' });
  expect(recall(history, { at: 0, draft: 'mine' }, 'older', 'newest')).toEqual({
    recall: { at: 1, draft: 'mine' },
    text: 'older',
  });
  expect(recall(history, { at: 1, draft: 'mine' }, 'newer', 'older')).toEqual({
    recall: { at: 0, draft: 'mine' },
    text: 'newest',
  });
  expect(recall([], NO_RECALL, 'older', 'mine')).toBeUndefined();
  expect(NO_RECALL).toEqual({ draft: '' });
});

it('leaves a text at its border, before and behind a line break', () => {
  const at = (cursor: number) => [leavesText('a\nb', cursor, 'older'), leavesText('a\nb', cursor, 'newer')];
  expect([at(1), at(2)]).toEqual([
    [true, false],
    [false, true],
  ]);
});
