import type { AssistantEvent } from '@croft/assistant';
import { expect, it } from 'vitest';
import { proposalsOf } from './proposals.ts';

const update = (action: string, id: string, more: object = {}) =>
  ({ event: 'flow_update', action, id, ...more }) as unknown as AssistantEvent;
const decided = (id: string, version?: number) =>
  ({ event: 'proposal_decided', id, choice: 'x', ...(version !== undefined && { version }) }) as AssistantEvent;
const complete = (isExpected: boolean) =>
  ({ event: 'complete', data: { continuation_expected: isExpected } }) as unknown as AssistantEvent;
const open = (...events: AssistantEvent[]) => proposalsOf(events).open.map(({ id }) => id);

it('has flows, fields and plans that wait for a decision, and no other change', () => {
  expect(
    open(
      update('edit_field', 'field'),
      update('propose_plan', 'plan'),
      update('set_flow', 'flow', { auto_apply: false }),
      update('set_flow', 'applied', { auto_apply: true }),
      update('configure', 'other'),
    ),
  ).toEqual(['field', 'plan', 'flow']);
});

it('drops what was decided or carried out', () => {
  const flow = update('set_flow', 'flow', { auto_apply: false });
  expect(open(flow, update('set_flow', 'flow', { auto_apply: true }))).toEqual([]);
  expect(open(flow, update('edit_field', 'field'), decided('flow'))).toEqual(['field']);
});

it('lists what was dismissed, until an edit of the user carries it out', () => {
  const choose = (choice: string) => ({ event: 'proposal_decided', id: 'field', choice }) as AssistantEvent;
  const dismissed = (...events: AssistantEvent[]) =>
    proposalsOf([update('edit_field', 'field'), ...events]).dismissed.map(({ id }) => id);
  expect([dismissed(), dismissed(choose('accept'))]).toEqual([[], []]);
  expect(dismissed(choose('dismiss'))).toEqual(['field']);
  expect(dismissed(choose('dismiss'), choose('landed'))).toEqual([]);
});

it('continues where a step waits, all is decided and something was accepted', () => {
  const both = [update('edit_field', 'a'), update('edit_field', 'b'), complete(true)];
  const isContinued = (...events: AssistantEvent[]) => proposalsOf(events).isContinued;
  expect(isContinued(...both, decided('a', 2))).toBe(false);
  expect(isContinued(...both, decided('a', 2), decided('b'))).toBe(true);
  expect(isContinued(...both, decided('a'), decided('b'))).toBe(false);
  expect(isContinued(update('edit_field', 'a'), complete(false), decided('a', 2))).toBe(false);
  expect(isContinued()).toBe(false);
});
