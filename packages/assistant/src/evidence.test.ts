import { expect, it } from 'vitest';
import type { AssistantEvent } from './events.ts';
import { evidenceOf, onlyProposed, statusLine } from './evidence.ts';

it('says that a message was not carried out, or which part was not', () => {
  const nothing = evidenceOf([]);
  expect(statusLine({ ...nothing, outcome: 'not_done' })).toBe('Not done. Nothing was changed · not run.');
  const part = { outcome: 'partly_done', leftOut: ['makes it upper case'], built: 'on canvas' } as const;
  expect(statusLine({ ...nothing, ...part })).toBe(
    'Done in part, without “makes it upper case”. Built into the flow · not run.',
  );
});

it('takes a turn that an earlier version stored for done', () => {
  const stored = { event: 'complete', data: { result: 'Done.' } } as unknown as AssistantEvent;
  expect(evidenceOf([stored])).toMatchObject({ outcome: 'done', leftOut: [] });
});

it('says of a message that only ran the flow that the flow was not changed', () => {
  const nothing = evidenceOf([]);
  expect(statusLine(nothing)).toBe('Nothing was changed · not run.');
  // A run can write files.
  expect(statusLine({ ...nothing, run: 'completed' })).toBe('The flow was not changed · run completed.');
});

const at = (...events: readonly object[]) => evidenceOf(events as AssistantEvent[]);
const update = (action: string, more = {}) => ({ event: 'flow_update', action, ...more });
const decided = (choice: string, more = {}) => ({ event: 'proposal_decided', id: 'p', choice, ...more });
const nothing = evidenceOf([]);

it('finds nothing in no events, in texts and in a plan that waits', () => {
  const none = { changes: 0, proposedFields: 0, files: [], undoneFiles: [], components: [], leftOut: [] };
  const empty = { ...none, built: 'no', validated: 'no', run: 'no', outcome: 'done' };
  expect(nothing).toEqual(empty);
  expect(at({ event: 'token', chunk: 'I built it' }, update('propose_plan'))).toEqual(empty);
});

it('counts stored changes, and proposed ones apart', () => {
  expect(at(update('connect'), update('edit'))).toEqual({ ...nothing, changes: 2 });
  expect(at(update('edit_field'), update('edit_field'))).toEqual({ ...nothing, proposedFields: 2 });
  expect(at(update('set_flow', { auto_apply: false }))).toEqual({ ...nothing, built: 'proposed' });
  expect(at(update('set_flow', { auto_apply: true }))).toEqual({ ...nothing, changes: 1, built: 'on canvas' });
});

it('counts a proposal once the user has accepted it, and not where it is dismissed', () => {
  const proposed = [update('edit_field'), update('set_flow', { auto_apply: false })];
  expect(at(...proposed, decided('dismiss'))).toEqual({ ...nothing, proposedFields: 1, built: 'proposed' });
  expect(at(...proposed, decided('accept', { version: 2 }))).toEqual({ ...nothing, changes: 1, built: 'proposed' });
  expect(at(decided('accept', { version: 2 }))).toEqual({ ...nothing, changes: 1 });
  expect(at(...proposed, decided('add', { version: 2 }))).toEqual({
    ...nothing,
    changes: 1,
    built: 'on canvas',
    proposedFields: 1,
  });
});

it('keeps the last check and the last run until the flow changes', () => {
  const checked = (errors: number) => ({ event: 'validated', errors, warnings: 0, problems: [] });
  expect(at(checked(0))).toEqual({ ...nothing, validated: 'clean' });
  expect(at(checked(0), checked(1), { event: 'run_started' })).toEqual({
    ...nothing,
    validated: 'problems',
    run: 'started',
  });
  const ran = (status: string) => at({ event: 'run_started' }, { event: 'run_finished', status }).run;
  expect([ran('completed'), ran('failed'), ran('cancelled')]).toEqual(['completed', 'failed', 'failed']);
  expect(at(checked(0), { event: 'run_finished', status: 'completed' }, update('connect'))).toEqual({
    ...nothing,
    changes: 1,
  });
  expect(at(checked(0), { event: 'run_started' }, decided('accept', { version: 2 }))).toEqual({
    ...nothing,
    changes: 1,
  });
});

it('names each file and each component once, by its last event', () => {
  const file = (path: string) => ({ event: 'file_written', path });
  const component = (class_name: string) => ({ event: 'component', class_name });
  expect(at(file('a'), file('b'), file('a'), component('A'), component('B'), component('A'))).toEqual({
    ...nothing,
    files: ['b', 'a'],
    components: ['B', 'A'],
  });
});

it('says which files a message took back', () => {
  const found = at({ event: 'files_undone', turn_id: 't', paths: ['a.md', 'b.md'] });
  expect(found.undoneFiles).toEqual(['a.md', 'b.md']);
  expect(statusLine(found)).toBe('Took back changes of a.md, b.md · not run.');
});

it('takes a message whose turns differ as done in part, with what each left out', () => {
  const complete = (outcome: string, ...left_out: string[]) => ({ event: 'complete', data: { outcome, left_out } });
  expect(at(complete('not_done', 'a'))).toEqual({ ...nothing, outcome: 'not_done', leftOut: ['a'] });
  expect(at(complete('not_done', 'a'), complete('not_done', 'b'))).toMatchObject({
    outcome: 'not_done',
    leftOut: ['a', 'b'],
  });
  expect(at(complete('not_done'), complete('done')).outcome).toBe('partly_done');
  expect(at(complete('partly_done'), complete('done'), complete('partly_done')).outcome).toBe('partly_done');
});

it('tells a turn that only proposed from one that changed the canvas', () => {
  const only = (...events: readonly object[]) => onlyProposed(events as AssistantEvent[]);
  expect([
    only(),
    only(update('edit_field')),
    only(update('set_flow', { auto_apply: false })),
    only(update('edit_field'), update('connect')),
    only(update('connect')),
  ]).toEqual([false, true, true, false, false]);
});

it.each([
  [{ built: 'proposed' }, 'Built, not in the flow yet: add or replace it · not run.'],
  [{ built: 'dismissed' }, 'Built, and not put into the flow · not run.'],
  [{ built: 'on canvas', changes: 3, run: 'started' }, 'Built into the flow · run started.'],
  [{ changes: 1, run: 'failed' }, 'Changed the flow (1 change) · the run failed.'],
  [{ built: 'on canvas', changes: 3, run: 'waiting' }, 'Built into the flow · the run waits for you.'],
  [{ changes: 2, validated: 'clean' }, 'Changed the flow (2 changes) · checked without problems · not run.'],
  [
    { proposedFields: 1, validated: 'problems' },
    '1 proposed change waits for you · the check found problems · not run.',
  ],
  [{ proposedFields: 2 }, '2 proposed changes wait for you · not run.'],
  [{ files: ['a', 'b'], components: ['C', 'D'] }, 'Wrote a, b · Wrote component C, D · not run.'],
  [{ outcome: 'partly_done' }, 'Done in part. Nothing was changed · not run.'],
  [
    { outcome: 'partly_done', leftOut: ['x'.repeat(60), 'y'.repeat(61)] },
    `Done in part, without “${'x'.repeat(60)}”, “${'y'.repeat(60)}…”. Nothing was changed · not run.`,
  ],
] as const)('says in one line what %j is', (evidence, line) => {
  expect(statusLine({ ...nothing, ...evidence })).toBe(line);
});
