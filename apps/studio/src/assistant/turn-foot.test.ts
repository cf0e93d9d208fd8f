import { createRegistry, emptyFlow } from '@croft/flow';
import { createElement } from 'react';
import { expect, it } from 'vitest';
import { nodeOf } from '../canvas/testing-nodes.ts';
import { useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { reduceTurn } from './reduce-turn.ts';
import { added, begin, completed } from './testing-events.ts';
import { TurnFoot } from './turn-foot.tsx';
import { newTurn, type TurnView } from './turn-view.ts';

useFakeApi();
const page = usePage();
const turn = (...events: Parameters<typeof reduceTurn>[1][]): TurnView => {
  const fresh: TurnView = { ...newTurn('k'), id: 't1' };
  return [begin(), ...events].reduce<TurnView>((view, event) => reduceTurn(view, event), fresh);
};
const changed = turn(added('ChatInput', 'I', 2), completed('Added.'));

async function show(turns: readonly TurnView[], { version = 2, isReadOnly = false } = {}) {
  const calls: unknown[][] = [];
  const document = { ...emptyFlow('f'), nodes: [nodeOf('I'), nodeOf('O')] };
  const props = {
    turns,
    flow: { document, version, registry: createRegistry([]), isReadOnly },
    store: {
      revert: async (...args: unknown[]) => void calls.push(['revert', ...args]),
      restore: async (...args: unknown[]) => void calls.push(['restore', ...args]),
    },
  } as unknown as Parameters<typeof TurnFoot>[0];
  const box = await page.show(inClient(testClient())(createElement(TurnFoot, props)));
  const names = [...box.querySelectorAll('button')].map(({ textContent }) => textContent.trim());
  return { box, calls, names };
}

it('is absent while the message is worked on', async () => {
  expect((await show([turn(added('ChatInput', 'I', 2))])).box.innerHTML).toBe('');
});

it('says what was left alone, as long as nothing else changed, and what the message cost', async () => {
  expect((await show([changed])).box.textContent).toContain('1 other component untouched.');
  expect((await show([changed], { version: 3 })).box.textContent).not.toContain('untouched');
  expect((await show([changed])).box.textContent).toContain('1.5 s · 15 tokens · test/model');
});

it('reverts the changes, and takes the revert back', async () => {
  const { box, calls, names } = await show([changed]);
  await expect
    .poll(() => outline(box))
    .toEqual([
      'p Changed the canvas (1 change) · not run. 1 other component untouched.',
      'p 1.5 s · 15 tokens · test/model',
      'button[type=button]',
      'span Revert',
      'icon undo-2 14',
    ]);
  expect(names).toEqual(['Revert']);
  await fire(named(box, 'Revert'), 'click');
  const reverted = await show([{ ...changed, isReverted: true }], { version: 3 });
  expect(reverted.names).toEqual(['Undo the revert']);
  await fire(named(reverted.box, 'Undo the revert'), 'click');
  expect([calls, reverted.calls]).toEqual([[['revert', 'k']], [['restore', 'k', 3]]]);
});

it('offers neither where nothing changed, it was undone elsewhere, or the flow cannot be edited', async () => {
  const none = [turn(completed('Hello.'))];
  const undone = [{ ...changed, isReverted: true, isUndone: true }];
  expect([
    (await show(none)).names,
    (await show(undone)).names,
    (await show([changed], { isReadOnly: true })).names,
  ]).toEqual([[], [], []]);
});
