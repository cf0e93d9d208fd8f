import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { inFlow, itemOf } from '../canvas/testing-store.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { PLACING } from './commands.ts';
import { SelectionButtons } from './selection-buttons.tsx';

const page = usePage();

async function show(selected: number, more: ReturnType<typeof itemOf>[] = []) {
  const onCommand = vi.fn();
  const items = Array.from({ length: 4 }, (_, at) => itemOf(`n${at}`, { selected: at < selected }));
  await page.show(inFlow([...items, ...more], createElement(SelectionButtons, { onCommand })));
  const toolbar = () => document.querySelector('[role=toolbar]');
  const places = async () => {
    await fire(named(document.body, 'Align and distribute'), 'keydown', { key: 'Enter' });
    return [...document.querySelectorAll('[role=menuitem]')].map(({ textContent }) => textContent);
  };
  return { onCommand, toolbar, places };
}

it('is there for two components, and frames do not count', async () => {
  expect((await show(1, [itemOf('g', { type: 'frame', selected: true })])).toolbar()).toBeNull();
  expect((await show(2)).toolbar()?.getAttribute('aria-label')).toBe('2 selected');
});

it('groups, duplicates and deletes', async () => {
  const { onCommand } = await show(2);
  for (const name of ['Group', 'Duplicate', 'Delete']) await fire(named(document.body, name), 'click');
  expect(onCommand.mock.calls).toEqual([['group'], ['duplicate'], ['remove']]);
});

it('aligns two components', async () => {
  const { onCommand, places } = await show(2);
  const aligned = PLACING.filter(({ command }) => command.startsWith('align-'));
  expect(await places()).toEqual(aligned.map(({ label }) => label));
  await fire(document.querySelectorAll('[role=menuitem]')[1] as Element, 'click');
  expect(onCommand.mock.calls).toEqual([[aligned[1]?.command]]);
});

it('distributes three components too', async () => {
  expect(await (await show(3)).places()).toEqual(PLACING.map(({ label }) => label));
});
