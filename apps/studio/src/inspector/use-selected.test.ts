import { act } from 'react';
import { expect, it } from 'vitest';
import { usePage } from '../testing/page.ts';
import { useSelected } from './use-selected.ts';

const page = usePage();

async function open() {
  const onCanvas: (string | undefined)[] = [];
  const hook = await page.hook(() => useSelected((node) => onCanvas.push(node)));
  const follow = (...ids: string[]) => act(async () => hook.current.follow(ids));
  return { hook, onCanvas, follow };
}

it('shows the one component that the canvas selects, and else the run', async () => {
  const { hook, follow } = await open();
  expect([hook.current.id, hook.current.tab]).toEqual([undefined, 'run']);
  await follow('a');
  expect([hook.current.id, hook.current.tab]).toEqual(['a', 'component']);
  await follow('a', 'b');
  expect([hook.current.id, hook.current.ids, hook.current.tab]).toEqual([undefined, ['a', 'b'], 'run']);
});

it('keeps another open part when nothing is selected any more', async () => {
  const { hook, follow } = await open();
  await act(async () => hook.current.setTab('problems' as never));
  await follow();
  expect(hook.current.tab).toBe('problems');
});

it('opens a component at a field until that is reached', async () => {
  const { hook, onCanvas } = await open();
  await act(async () => hook.current.open('a', 'url'));
  expect([hook.current.id, hook.current.tab, hook.current.wanted, onCanvas]).toEqual([
    'a',
    'component',
    { node: 'a', field: 'url' },
    ['a'],
  ]);
  await act(async () => hook.current.reached());
  expect(hook.current.wanted).toBeUndefined();
  await act(async () => hook.current.open(undefined));
  expect([hook.current.ids, hook.current.tab, hook.current.wanted, onCanvas]).toEqual([
    [],
    'run',
    undefined,
    ['a', undefined],
  ]);
});
