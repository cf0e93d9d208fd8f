import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { fire, named, usePage } from '../testing/page.ts';
import { DiscardQuestion } from './discard-question.tsx';

const page = usePage();

it('says what would be lost, and leaves both ways open', async () => {
  const [onDiscard, onStay] = [vi.fn(), vi.fn()];
  const box = await page.show(createElement(DiscardQuestion, { about: 'The code was not saved.', onDiscard, onStay }));
  expect(box.textContent).toContain('Discard the changes?');
  expect(box.textContent).toContain('The code was not saved.');
  await fire(named(box, 'Cancel'), 'click');
  expect([onDiscard.mock.calls.length, onStay.mock.calls.length]).toEqual([0, 1]);
  await fire(named(box, 'Discard changes'), 'click');
  expect(onDiscard).toHaveBeenCalledOnce();
});
