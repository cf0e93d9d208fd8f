import { createRegistry, emptyFlow } from '@croft/flow';
import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { nodeOf } from '../canvas/testing-nodes.ts';
import { useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { reduceTurn } from './reduce-turn.ts';
import { added, begin, completed } from './testing-events.ts';
import { TurnFoot } from './turn-foot.tsx';
import { newTurn, type TurnView } from './turn-view.ts';

const server = useFakeApi();
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

const COST = '1.5 s · 15 tokens · test/model';
const built = turn(added('ChatOutput', 'O', 3), completed('Built.'));
const gone = { ...changed, isReverted: true };

const ONE = 'Changed the flow (1 change) · not run. 1 other component untouched.';
const BOTH = 'Changed the flow (2 changes) · not run. 0 other components untouched.';
const REVERTED = 'Reverted: the changes of this message are not on the canvas.';
const partly = turn(added('ChatInput', 'I', 2), {
  ...completed('Added.'),
  data: { ...(completed('x') as { data: object }).data, outcome: 'partly_done' },
} as never);

it.each([
  ['one turn', [changed], 2, ONE, COST],
  ['a flow that changed since', [changed], 3, 'Changed the flow (1 change) · not run.', COST],
  ['two turns', [changed, built], 3, BOTH, '3.0 s · 30 tokens · test/model'],
  ['two turns with the newer first', [built, changed], 3, BOTH, '3.0 s · 30 tokens · test/model'],
  [
    'two models',
    [changed, { ...built, model: 'other/model' }],
    4,
    'Changed the flow (2 changes) · not run.',
    '3.0 s · 30 tokens · other/model',
  ],
  [
    'unknown costs',
    [{ ...changed, usage: undefined, durationSeconds: undefined }],
    2,
    ONE,
    '<1 ms · 0 tokens · test/model',
  ],
  ['no model', [{ ...changed, model: undefined }], 2, ONE],
  ['a turn that did a part', [partly], 2, `Done in part. ${ONE}`, 'icon circle-exclamation-point 14', COST],
  ['a reverted turn', [partly, gone], 2, `${REVERTED} 1 other component untouched.`, '3.0 s · 30 tokens · test/model'],
])('says what was left alone and what the message cost: %s', async (_of, turns, version, ...lines) => {
  const { box } = await show(turns as readonly TurnView[], { version });
  const found = outline(box).filter((line) => /^(p|icon circle)/.test(line));
  expect(found.map((line) => line.replace(/^p /, ''))).toEqual(lines);
});

it('reverts the changes, and takes the revert back', async () => {
  const { box, calls, names } = await show([changed]);
  await expect
    .poll(() => outline(box))
    .toEqual([
      'p Changed the flow (1 change) · not run. 1 other component untouched.',
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

it('reverts a message that only wrote a file, and offers no way back from that', async () => {
  const wrote = turn({ event: 'file_written', action: 'edit_file', path: 'notes.md', size: 5 }, completed('Wrote.'));
  const { box, calls, names } = await show([wrote]);
  expect(names).toEqual(['Revert']);
  await fire(named(box, 'Revert'), 'click');
  expect(calls).toEqual([['revert', 'k']]);
  const reverted = await show([{ ...wrote, isReverted: true }]);
  expect([reverted.names, outline(reverted.box)[0]]).toEqual([
    [],
    'p Reverted: the files of this message are as before.',
  ]);
});

it('reverts the newest change, and takes the newest revert back', async () => {
  const [older, newer] = [
    { ...changed, key: 'older' },
    { ...built, key: 'newer' },
  ];
  const unsent = { ...built, key: 'unsent', id: undefined } as unknown as TurnView;
  const idle = { ...turn(completed('Hello.')), key: 'idle', isReverted: true };
  const both = await show([older, newer, unsent]);
  await fire(named(both.box, 'Revert'), 'click');
  const back = await show(
    [older, newer, unsent, idle].map((each) => ({ ...each, isReverted: true })),
    { version: 5 },
  );
  await fire(named(back.box, 'Undo the revert'), 'click');
  const readOnly = await show([gone], { isReadOnly: true });
  expect([both.calls, back.calls, back.names, readOnly.names]).toEqual([
    [['revert', 'newer']],
    [['restore', 'newer', 5]],
    ['Undo the revert'],
    [],
  ]);
});

it('says which files of its newest run a reverted message leaves', async () => {
  const ran = (id: string) => ({ ...gone, run: { id, status: 'finished', text: '' } });
  const changes = [{ tool: 'write', undo: 'open', paths: ['a', 'b'] }];
  server.answer('GET /api/v1/activity/changes?run=r2', { changes });
  const { box } = await show([ran('r1'), ran('r2'), changed]);
  await expect.poll(() => box.querySelectorAll('p').length).toBe(3);
  expect(outline(box).slice(-2)).toEqual([
    'p The run of this message changed 2 files: that stays, and can be undone under .',
    'a[href=/base/settings/activity?run=r2] Activity',
  ]);
  const none = await show([ran('r3')]);
  const kept = await show([{ ...changed, run: ran('r2').run }]);
  const unreverted = await show([changed]);
  expect([none, kept, unreverted].map((each) => each.box.querySelectorAll('p').length)).toEqual([2, 2, 2]);
  expect(server.requests).toEqual(['GET /api/v1/activity/changes?run=r2', 'GET /api/v1/activity/changes?run=r3']);
});

it('reads which files the run of the message changed before it reverts', async () => {
  const { box, calls } = await show([
    turn(added('ChatInput', 'I', 2), { event: 'run_started', run_id: 'r9' }, completed('Ran.')),
  ]);
  server.answer('GET /api/v1/activity/changes?run=r9', { changes: [] });
  await fire(named(box, 'Revert'), 'click');
  await vi.waitFor(() => expect(calls).toEqual([['revert', 'k']]));
  expect(server.requests).toEqual(['GET /api/v1/activity/changes?run=r9']);
});
