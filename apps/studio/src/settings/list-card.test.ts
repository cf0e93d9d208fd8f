import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { ChangeAndDelete, ListCard, ListRow } from './list-card.tsx';

const page = usePage();
const TITLE = ['section[aria-label=Keys] (end)', 'h2 Keys', 'p For programs'];

async function show(items: readonly string[] | undefined, error: Error | null = null) {
  const onRetry = vi.fn();
  const row = (item: string) => createElement(ListRow, { key: item, actions: `Edit ${item}`, children: item });
  const texts = { title: 'Keys', about: 'For programs', things: 'keys', emptyText: 'Make one.', children: '(end)' };
  const box = await page.show(
    createElement(ListCard<string>, { ...texts, items, error, onRetry, add: '[New]', icon: '*', row }),
  );
  return { box, onRetry };
}

it('has its rows, and the button that adds one in its head', async () => {
  const { box } = await show(['a', 'b']);
  await expect
    .poll(() => outline(box))
    .toEqual([
      'section[aria-label=Keys] (end)',
      'div [New]',
      'h2 Keys',
      'p For programs',
      'div a',
      'span Edit a',
      'div b',
      'span Edit b',
    ]);
  expect([box.querySelector('section')?.getAttribute('aria-label'), box.textContent]).toEqual([
    'Keys',
    'KeysFor programs[New]aEdit abEdit b(end)',
  ]);
  expect(box.querySelectorAll('ul > li').length).toBe(2);
});

it('says that there are none yet, with the button there', async () => {
  expect((await show([])).box.textContent).toBe('KeysFor programs*No keys yetMake one.[New](end)');
});

it('says that the rows load, in four lines', async () => {
  const { box } = await show(undefined);
  await expect
    .poll(() => outline(box))
    .toEqual([
      ...TITLE,
      'div[role=status]',
      'span Loading the keys',
      'span[aria-hidden=true]',
      'span[aria-hidden=true]',
      'span[aria-hidden=true]',
      'span[aria-hidden=true]',
    ]);
  expect([box.textContent, box.querySelectorAll('[role=status] [aria-hidden]').length]).toEqual([
    'KeysFor programsLoading the keys(end)',
    4,
  ]);
});

it('says why the rows cannot be shown, and tries again', async () => {
  const { box, onRetry } = await show(undefined, new Error('No network.'));
  await expect
    .poll(() => outline(box))
    .toEqual([
      ...TITLE,
      'div[role=alert]',
      'span[aria-hidden=true]',
      'icon circle-exclamation-point 22',
      'p The keys cannot be shown',
      'p No network.',
      'button[type=button]',
      'span Try again',
    ]);
  expect(box.textContent).toContain('The keys cannot be shownNo network.');
  await fire(named(box, 'Try again'), 'click');
  expect(onRetry).toHaveBeenCalledOnce();
});

it('names the thing on the buttons of a row', async () => {
  const [onChange, onDelete] = [vi.fn(), vi.fn()];
  const box = await page.show(createElement(ChangeAndDelete, { name: 'K', change: 'Replace', onChange, onDelete }));
  expect(box.textContent).toBe('ReplaceDelete');
  await fire(named(box, 'Replace K'), 'click');
  expect([onChange.mock.calls.length, onDelete.mock.calls.length]).toEqual([1, 0]);
  await fire(named(box, 'Delete K'), 'click');
  expect([onChange.mock.calls.length, onDelete.mock.calls.length]).toEqual([1, 1]);
});
