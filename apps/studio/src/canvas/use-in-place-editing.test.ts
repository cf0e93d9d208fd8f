import { createElement } from 'react';
import { expect, it } from 'vitest';
import { fire, named, usePage } from '../testing/page.ts';
import { useInPlaceEditing } from './use-in-place-editing.ts';

const page = usePage();

function Card({ isNew = false, canEdit = true }: { isNew?: boolean; canEdit?: boolean }) {
  const { isOpen, box, open, close, leave } = useInPlaceEditing(isNew, canEdit);
  return createElement(
    'section',
    { className: 'react-flow__node', tabIndex: 0 },
    createElement('div', { ref: box }, isOpen ? 'field' : 'text'),
    createElement('button', { onClick: open }, 'open'),
    createElement('button', { onClick: close }, 'close'),
    createElement('button', { onClick: leave }, 'leave'),
  );
}
const show = async (props: Parameters<typeof Card>[0]) => {
  const box = await page.show(createElement(Card, props));
  return { box, card: box.querySelector('section') as HTMLElement, state: () => box.querySelector('div')?.textContent };
};

it('opens the field of a new card, and of another one by F2 or a button', async () => {
  expect((await show({ isNew: true })).state()).toBe('field');
  const { box, card, state } = await show({});
  expect(state()).toBe('text');
  await fire(card, 'keydown', { key: 'a' });
  expect(state()).toBe('text');
  await fire(card, 'keydown', { key: 'F2' });
  expect(state()).toBe('field');
  let isFocused = false;
  card.focus = () => void (isFocused = true);
  await fire(named(box, 'close'), 'click');
  expect([state(), isFocused]).toEqual(['text', true]);
  await fire(named(box, 'open'), 'click');
  expect(state()).toBe('field');
});

it('closes the field without taking the focus', async () => {
  const { box, card, state } = await show({ isNew: true });
  let isFocused = false;
  card.focus = () => void (isFocused = true);
  await fire(named(box, 'leave'), 'click');
  expect([state(), isFocused]).toEqual(['text', false]);
});

it('opens nothing where the flow cannot be edited', async () => {
  const { box, card, state } = await show({ canEdit: false });
  await fire(card, 'keydown', { key: 'F2' });
  await fire(named(box, 'open'), 'click');
  expect(state()).toBe('text');
});
