import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
// Loaded before a test waits for it.
import '../files/markdown-text.tsx';
import { type Editing, EditingContext } from '../editing/editing-context.ts';
import { outline } from '../testing/outline.ts';
import { fire, type, usePage } from '../testing/page.ts';
import { NoteCard } from './note-card.tsx';
import { onCanvas, useFocused } from './testing-cards.ts';
import { inFlow, itemOf } from './testing-store.ts';

const page = usePage();
const focused = useFocused();

async function show(text: string, { selected = false, canEdit = true } = {}) {
  const setNote = vi.fn();
  const props = { id: 'n1', data: { text }, selected } as unknown as Parameters<typeof NoteCard>[0];
  const box = await page.show(onCanvas(createElement(NoteCard, props), canEdit ? { setNote } : undefined));
  const area = () => box.querySelector('textarea') as HTMLTextAreaElement;
  const write = async (next: string, key: string, event: object = {}) => {
    await type(area(), next);
    await fire(area(), 'keydown', { key, ctrlKey: false, metaKey: false, ...event });
  };
  return { box, area, write, setNote, open: () => fire(box.firstElementChild as Element, 'dblclick') };
}

it('shows its text as Markdown, or says that it is empty', async () => {
  const { box } = await show('# Title');
  await vi.waitFor(() => expect(box.querySelector('h3')?.textContent).toBe('Title'));
  await expect.poll(() => outline(box)).toEqual(['h3#1-title Title']);
  expect((await show('')).box.textContent).toBe('Empty note');
});

it.each([
  ['Escape', {}],
  ['Enter', { ctrlKey: true }],
  ['Enter', { metaKey: true }],
])('keeps what was written by %s %j', async (key, event) => {
  const { box, area, write, setNote, open } = await show('Old');
  await open();
  expect([area().getAttribute('aria-label'), area().getAttribute('placeholder'), focused]).toEqual([
    'Text of the note, in Markdown',
    'Write a note. Markdown works.',
    ['TEXTAREA'],
  ]);
  await write('New', 'Enter');
  expect([setNote.mock.calls, box.querySelector('textarea')]).toEqual([[], area()]);
  await write('New', key, event);
  expect([setNote.mock.calls, box.querySelector('textarea')]).toEqual([[['n1', { text: 'New' }]], null]);
});

it('opens a new note for its text, and keeps it when the field is left', async () => {
  const { box, area, setNote } = await show('', { selected: true });
  await type(area(), 'Fresh');
  await fire(area(), 'focusout');
  expect([setNote.mock.calls, box.querySelector('textarea')]).toEqual([[['n1', { text: 'Fresh' }]], null]);
});

it('leaves the focus where a click put it, and stays open for the keys of an input method', async () => {
  const { box, area } = await show('', { selected: true });
  box.className = 'react-flow__node';
  await fire(area(), 'keydown', { key: 'Escape', isComposing: true });
  expect(box.querySelector('textarea')).toBe(area());
  await fire(area(), 'focusout');
  expect([box.querySelector('textarea'), focused]).toEqual([null, ['TEXTAREA']]);
});

it('keeps its keys from the canvas, and is not edited where the flow is read-only', async () => {
  const { area, open } = await show('Old');
  await open();
  let seen = 0;
  document.body.addEventListener('keydown', () => void (seen += 1));
  await fire(area(), 'keydown', { key: 'Delete' });
  expect(seen).toBe(0);
  const fixed = await show('Old', { canEdit: false });
  await fixed.open();
  expect(fixed.box.querySelector('textarea')).toBeNull();
});

it('has its buttons and handles while it is selected and not open', async () => {
  const props = { id: 'n1', data: { text: 'Old' }, selected: true } as unknown as Parameters<typeof NoteCard>[0];
  const value = { setNote: vi.fn() } as unknown as Editing;
  const card = createElement(EditingContext, { value }, createElement(NoteCard, props));
  const box = await page.show(inFlow([itemOf('n1', { selected: true })], card));
  const parts = () =>
    ['button', '.react-flow__resize-control'].map((each) => document.querySelectorAll(each).length > 0);
  expect(parts()).toEqual([true, true]);
  await fire(box.querySelector('.h-full') as Element, 'dblclick');
  expect([parts(), box.querySelectorAll('textarea').length]).toEqual([[false, false], 1]);
});
