import { createElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { type Editing, EditingContext } from '../editing/editing-context.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, type, usePage } from '../testing/page.ts';
import { FrameCard } from './frame-card.tsx';
import { onCanvas, useFocused } from './testing-cards.ts';
import { inFlow, itemOf } from './testing-store.ts';

const page = usePage();
const focused = useFocused();
beforeEach(() => void Object.assign(HTMLElement.prototype, { select: () => undefined }));

async function show(name: string, { selected = false, canEdit = true } = {}) {
  const renameGroup = vi.fn();
  const props = { id: 'g1', data: { name }, selected } as unknown as Parameters<typeof FrameCard>[0];
  const box = await page.show(onCanvas(createElement(FrameCard, props), canEdit ? { renameGroup } : undefined));
  const input = () => box.querySelector('input') as HTMLInputElement;
  const write = async (text: string, key: string) => {
    await type(input(), text);
    await fire(input(), 'keydown', { key });
  };
  return { box, input, write, renameGroup };
}

it('has its name, or says that it is a group', async () => {
  expect([
    (await show('Inputs')).box.textContent,
    (await show('', { canEdit: false, selected: false })).box.textContent,
  ]).toEqual(['Inputs', 'Group']);
});

it('is renamed after a double click, by Enter, without spaces around the name', async () => {
  const { box, input, write, renameGroup } = await show('Old');
  await expect.poll(() => outline(box)).toEqual(['p Old']);
  await fire(box.firstElementChild as Element, 'dblclick');
  expect(['aria-label', 'placeholder', 'maxLength'].map((each) => input().getAttribute(each))).toEqual([
    'Name of the group',
    'Name of the group',
    '200',
  ]);
  expect(focused).toEqual(['INPUT']);
  await write(' New ', 'a');
  expect(renameGroup).not.toHaveBeenCalled();
  await write(' New ', 'Enter');
  expect([renameGroup.mock.calls, box.querySelector('input')]).toEqual([[['g1', 'New']], null]);
});

it('stays open for the Enter of an input method', async () => {
  const { box, input } = await show('Old');
  await fire(box.firstElementChild as Element, 'dblclick');
  await fire(input(), 'keydown', { key: 'Enter', isComposing: true });
  expect(box.querySelector('input')).toBe(input());
});

it('leaves the focus where a click put it', async () => {
  const { input, box } = await show('', { selected: true });
  box.className = 'react-flow__node';
  await fire(input(), 'focusout');
  expect([box.querySelector('input'), focused]).toEqual([null, ['INPUT']]);
});

it('keeps a name that did not change', async () => {
  const { box, write, renameGroup } = await show('Old');
  await fire(box.firstElementChild as Element, 'dblclick');
  await write(' Old ', 'Escape');
  expect([renameGroup.mock.calls, box.querySelector('input')]).toEqual([[], null]);
});

it('opens a new group for its name, and keeps what was written when the field is left', async () => {
  const { input, box, renameGroup } = await show('', { selected: true });
  await type(input(), 'Fresh');
  await fire(input(), 'focusout');
  expect([renameGroup.mock.calls, box.querySelector('input')]).toEqual([[['g1', 'Fresh']], null]);
});

it('cannot be renamed where the flow is read-only', async () => {
  const { box } = await show('Old', { canEdit: false });
  await fire(box.firstElementChild as Element, 'dblclick');
  expect(box.querySelector('input')).toBeNull();
});

it('has buttons while it is selected, which do what their names say', async () => {
  const [renameGroup, duplicate, ungroup] = [vi.fn(), vi.fn(), vi.fn()];
  const props = { id: 'g1', data: { name: 'Old' }, selected: true } as unknown as Parameters<typeof FrameCard>[0];
  const value = { renameGroup, duplicate, ungroup } as unknown as Editing;
  const card = createElement(EditingContext, { value }, createElement(FrameCard, props));
  await page.show(inFlow([itemOf('g1', { selected: true })], card));
  const buttons = () => [...document.querySelectorAll('button')].map((each) => each.getAttribute('aria-label'));
  expect(buttons()).toEqual(['Rename the group (F2)', 'Duplicate the group', 'Ungroup']);
  await fire(named(document.body, 'Duplicate the group'), 'click');
  await fire(named(document.body, 'Ungroup'), 'click');
  expect([duplicate.mock.calls, ungroup.mock.calls]).toEqual([[['g1']], [['g1']]]);
  await fire(named(document.body, 'Rename the group (F2)'), 'click');
  expect([buttons(), outline(document.body).filter((line) => line.startsWith('input'))]).toEqual([
    [],
    ['input[autoComplete=off][maxLength=200][placeholder=Name of the group][aria-label=Name of the group][value=Old]'],
  ]);
});
