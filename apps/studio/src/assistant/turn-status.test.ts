import { expect, it } from 'vitest';
import { added, begin, built, completed, proposed } from './testing-events.ts';
import { reduceTurn } from './reduce-turn.ts';
import { outcomeOf, statusOf } from './turn-status.ts';
import { newTurn, type TurnView } from './turn-view.ts';

const turn = (...events: Parameters<typeof reduceTurn>[1][]): TurnView =>
  [begin(), ...events].reduce((view, event) => reduceTurn(view, event), newTurn('k'));
const changed = turn(added('ChatInput', 'I-1', 2), completed('Added.'));
const run = [
  { event: 'run_started', run_id: 'r1' },
  { event: 'run_finished', run_id: 'r1', status: 'completed', text: 'x' },
] as never[];

it('has no line while the turn works', () => {
  expect(statusOf([turn(added('ChatInput', 'I-1', 2))], 2)).toBeUndefined();
  expect(statusOf([], 2)).toBeUndefined();
});

it('counts the changes, and says what was not done', () => {
  expect(statusOf([changed], 2)).toMatch(/1 change/);
  expect(statusOf([changed], 2)).toMatch(/not run\.$/);
});

it('says that a stop of the server, a revert or an undo ended it', () => {
  expect(statusOf([{ ...changed, status: 'interrupted' }], 2)).toMatch(/^The server stopped/);
  expect(statusOf([{ ...changed, isReverted: true }, changed], 2)).toMatch(/^Reverted/);
  expect(statusOf([{ ...changed, isReverted: true, isUndone: true }], 2)).toMatch(/^Already undone/);
});

it('does not claim that a later canvas was run', () => {
  const ran = turn(added('ChatInput', 'I-1', 2), ...run, completed('Ran.'));
  expect(statusOf([ran], 2)).not.toMatch(/not run/);
  expect(statusOf([ran], 3)).toMatch(/changed since: not checked, not run\.$/);
  expect(statusOf([changed], 3)).not.toMatch(/changed since/);
});

it('follows the decisions of the user about proposals', () => {
  const offered = turn(proposed('e1'), completed('Accept it.'));
  expect(statusOf([offered], 1)).toMatch(/1 .*propos/i);
  const decided = { ...offered, fields: offered.fields.map((each) => ({ ...each, status: 'applied' as const })) };
  expect(statusOf([decided], 2)).toMatch(/1 change/);
  const flow = turn(built(), completed('Built.'));
  const of = (status: 'pending' | 'applied' | 'dismissed') =>
    statusOf([{ ...flow, ...(flow.flow && { flow: { ...flow.flow, status } }) }], 1);
  expect(new Set([of('pending'), of('applied'), of('dismissed')]).size).toBe(3);
  expect(of('dismissed')).toMatch(/not put into the flow/);
  expect(of('applied')).toMatch(/^Built into the flow/);
});

it('has the outcome of all turns of a message', () => {
  const { event } = completed('x');
  const partly = {
    ...completed('x'),
    event,
    data: { ...(completed('x') as { data: object }).data, outcome: 'partly_done' },
  };
  expect(outcomeOf([turn(completed('Done.'))])).toBe('done');
  expect(outcomeOf([turn(partly as never)])).toBe('partly_done');
});

it('writes the whole line', () => {
  const ran = turn(added('ChatInput', 'I-1', 2), ...run, completed('Ran.'));
  expect([statusOf([ran], 2), statusOf([ran], 3), statusOf([changed], 2), statusOf([changed], 3)]).toEqual([
    'Changed the flow (1 change) · run completed.',
    'Changed the flow (1 change) · changed since: not checked, not run.',
    'Changed the flow (1 change) · not run.',
    'Changed the flow (1 change) · not run.',
  ]);
  expect(statusOf([{ ...changed, status: 'interrupted' }], 2)).toBe(
    'The server stopped during this message. Stored changes are on the canvas.',
  );
  expect(statusOf([{ ...changed, isReverted: true }], 2)).toBe(
    'Reverted: the changes of this message are not on the canvas.',
  );
  expect(statusOf([{ ...changed, isUndone: true }], 2)).toBe(
    'Already undone: nothing of this message is left to revert.',
  );
});

it('looks at all turns of a message', () => {
  const ran = turn(added('ChatInput', 'I-1', 3), ...run, completed('Ran.'));
  expect(statusOf([ran, turn(completed('x'))], 3)).toBe('Changed the flow (1 change) · run completed.');
  expect(statusOf([changed, ran], 3)).toBe('Changed the flow (2 changes) · run completed.');
  const undone = { ...changed, isUndone: true };
  expect(statusOf([undone, changed], 3)).toMatch(/^Already undone/);
  const working = turn(added('ChatInput', 'I-1', 2));
  expect([statusOf([changed, working], 2), statusOf([working, changed], 2)]).toEqual([
    undefined,
    expect.stringContaining('2 changes'),
  ]);
});

it('follows the newest built flow', () => {
  const flow = turn(built(), completed('Built.'));
  const as = (status: 'applied' | 'dismissed') => ({ ...flow, ...(flow.flow && { flow: { ...flow.flow, status } }) });
  const line = (...all: TurnView[]) => statusOf(all, 1);
  expect(line(as('dismissed'), as('applied'))).toBe(line(as('applied')));
  expect(line(as('applied'), turn(completed('x')))).toBe(line(as('applied')));
});
