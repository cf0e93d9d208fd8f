import type { AssistantEvent } from '@croft/assistant/events';
import { expect, it } from 'vitest';
import { added, begin, built, completed, proposed, update } from './testing-events.ts';
import { othersChanged, untouchedCount, versionsOf } from './turn-versions.ts';

const turn = (startVersion: number | undefined, ...events: AssistantEvent[]) =>
  ({ events: [begin(), ...events], fields: [], ...(startVersion !== undefined && { startVersion }) }) as const;
const own = [added('ChatInput', 'A', 3), added('ChatInput', 'B', 4)];

it('lists each version that a turn stored once', () => {
  expect(versionsOf(turn(2, ...own, added('ChatInput', 'C', 4)))).toEqual([3, 4]);
});

it('counts the components that messages left alone', () => {
  const ids = ['A', 'B', 'C', 'D'];
  expect(untouchedCount([turn(1, ...own)], ids)).toBe(2);
  const edge = { from: { node: 'A', port: 'o' }, to: { node: 'C', port: 'i' } };
  expect(untouchedCount([turn(1, update({ action: 'connect', edge, version: 2 }))], ids)).toBe(2);
  const applied = { component_id: 'D', status: 'applied' } as never;
  const pending = { component_id: 'A', status: 'pending' } as never;
  expect(untouchedCount([{ ...turn(1), fields: [applied, pending] }], ids)).toBe(3);
});

it('counts none where the messages changed nothing, or the whole flow', () => {
  expect(untouchedCount([turn(1)], ['A'])).toBeUndefined();
  expect(untouchedCount([turn(1, ...own, built({ auto_apply: true, version: 5 }))], ['A'])).toBeUndefined();
  expect(untouchedCount([turn(1, built())], ['A'])).toBeUndefined();
});

it('finds changes of others between, before and among those of the turn', () => {
  expect(othersChanged(turn(2, ...own))).toBe(false);
  expect(othersChanged(turn(1, ...own))).toBe(true);
  expect(othersChanged(turn(undefined, ...own))).toBe(false);
  expect(othersChanged(turn(2, ...own, added('ChatInput', 'C', 6)))).toBe(true);
  expect(othersChanged(turn(undefined))).toBe(false);
});

it('leaves out decisions after the end of the turn', () => {
  const decided: AssistantEvent = { event: 'proposal_decided', id: 'e1', choice: 'accept', version: 9 };
  expect(othersChanged(turn(2, ...own, completed('Done.'), decided))).toBe(false);
});

it.each([
  [
    'disconnects',
    update({
      action: 'disconnect',
      edge: { from: { node: 'A', port: 'o' }, to: { node: 'B', port: 'i' } },
      version: 2,
    }),
    2,
  ],
  ['configures', update({ action: 'configure', component_id: 'A', params: {}, version: 2 }), 3],
  ['removes', update({ action: 'remove_component', component_id: 'gone', version: 2 }), 4],
  ['proposes', proposed('e1'), undefined],
] as const)('counts the components left alone by a turn that %s', (_, event, count) => {
  expect(untouchedCount([turn(1, event)], ['A', 'B', 'C', 'D'])).toBe(count);
});

it('does not count a proposed text that is not accepted', () => {
  const field = (status: string) => [{ component_id: 'A', status }] as never;
  expect(untouchedCount([{ ...turn(1), fields: field('dismissed') }], ['A'])).toBeUndefined();
  expect(untouchedCount([{ ...turn(1), fields: field('applied') }], ['A', 'B'])).toBe(1);
});
