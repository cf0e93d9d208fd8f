import { createElement } from 'react';
import { expect, it } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { ConflictDialog, partName } from './conflict-dialog.tsx';
import type { Conflict } from './edit-conflict.ts';

const page = usePage();
const titleOf = (id: string) => `Title ${id}`;

it.each([
  [[], 'The whole flow'],
  [['item', 'n'], 'A note or group'],
  [['name'], 'The name of the flow'],
  [['node', 'a'], 'Title a'],
  [['node', 'a', 'edge'], 'A connection of Title a'],
  [['node', 'a', 'value', 'url'], '“url” of Title a'],
  [['node', 'a', 'rename'], 'The name of Title a'],
  [['node', 'a', 'set_code'], 'The code of Title a'],
  [['node', 'a', 'pinned'], 'A pinned output of Title a'],
  [['node', 'a', 'select_output'], 'The selected output of Title a'],
  [['node', 'a', 'enable_tool_mode'], 'The tool mode of Title a'],
  [['node', 'a', 'set_run_options'], 'The run options of Title a'],
  [['node', 'a', 'other'], 'A setting of Title a'],
])('calls the part %j %s', (clash, name) => {
  expect(partName(clash, titleOf)).toBe(name);
});

it('lists what both changed, and lets the person decide', async () => {
  const kept: string[] = [];
  const clashes = [['node', 'a'], ['node', 'a'], ...Array.from({ length: 9 }, (_, at) => ['node', `b${at}`])];
  const box = await page.show(
    createElement(ConflictDialog, {
      conflict: { clashes } as unknown as Conflict,
      titleOf,
      onResolve: (keep) => void kept.push(keep),
    }),
  );
  await expect
    .poll(() => outline(box))
    .toEqual([
      'dialog[aria-describedby=#1-about][aria-labelledby=#1]',
      'h2#1 Someone else changed the same part',
      'p#1-about Another tab, person or agent changed what you changed. Your changes are not saved yet.',
      'li Title a',
      'li Title b0',
      'li Title b1',
      'li Title b2',
      'li Title b3',
      'li Title b4',
      'li Title b5',
      'li Title b6',
      'li 2 more',
      'button[type=button]',
      'span Keep my changes',
      'button[type=button]',
      'span Use theirs',
    ]);
  const items = [...box.querySelectorAll('li')].map(({ textContent }) => textContent);
  expect([items.length, items[0], items.at(-1)]).toEqual([9, 'Title a', '2 more']);
  await fire(named(box, 'Keep my changes'), 'click');
  await fire(named(box, 'Use theirs'), 'click');
  expect(kept).toEqual(['mine', 'theirs']);
});

it('says nothing of more where it lists all', async () => {
  const clashes = Array.from({ length: 8 }, (_, at) => ['node', `b${at}`]);
  const box = await page.show(
    createElement(ConflictDialog, {
      conflict: { clashes } as unknown as Conflict,
      titleOf,
      onResolve: () => undefined,
    }),
  );
  expect(box.querySelectorAll('li')).toHaveLength(8);
});
