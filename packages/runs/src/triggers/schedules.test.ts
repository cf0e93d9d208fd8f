import { expect, it } from 'vitest';
import { type TestRuns, useRunStore } from '../../../../tests/runs/use-run-store.ts';
import { createSealer } from '../sealer.ts';
import { type Schedule, ScheduleStore } from './schedules.ts';

const GROUP = 'schedules';
let runs: TestRuns;
let store: ScheduleStore;
useRunStore((opened) => {
  runs = opened;
  store = new ScheduleStore(opened.store.pool, opened.store.sealer, GROUP);
}, GROUP);

const at = (time: string) => new Date(`2030-01-01T${time}Z`);
const schedule = (id: string, over: Partial<Schedule> = {}): Schedule => ({
  id,
  userId: `${id}-user`,
  flowId: `${id}-flow`,
  cron: '0 * * * *',
  timeZone: 'UTC',
  isOn: true,
  missed: 'once',
  overlap: 'skip',
  ...over,
});
const stateOf = async (id: string) => (await store.list(`${id}-user`))[0];

const GONE = 'the flow is gone';

/** Takes what is due at a time; the schedules that were started, with their due times. */
async function take(time: string, gives: string | null | Error = 'run-1') {
  const taken: string[] = [];
  const lines: string[] = [];
  const start = async ({ id }: Schedule, { due, lastRun }: { due: Date; lastRun: string | null }) => {
    taken.push(`${id} ${due.toISOString().slice(11, 16)} ${lastRun}`);
    if (gives instanceof Error) throw gives;
    return gives === GONE ? undefined : gives;
  };
  const count = await store.takeDue(at(time), 10, start, (line) => lines.push(line));
  return { taken, lines, count };
}

it('starts a run at its time, once, and counts the next one from there', async () => {
  await store.set(schedule('s-1'), at('08:30:00'));
  expect(await stateOf('s-1')).toMatchObject({ nextAt: at('09:00:00'), lastAt: null, lastRun: null, failure: null });
  expect((await take('08:59:59')).taken).toEqual([]);
  expect(await take('09:00:00')).toEqual({ taken: ['s-1 09:00 null'], lines: [], count: 1 });
  expect((await take('09:00:01')).taken).toEqual([]);
  expect(await stateOf('s-1')).toMatchObject({ nextAt: at('10:00:00'), lastAt: at('09:00:00'), lastRun: 'run-1' });
  expect((await take('10:00:00', null)).taken).toEqual(['s-1 10:00 run-1']);
  expect(await stateOf('s-1')).toMatchObject({ nextAt: at('11:00:00'), lastAt: at('09:00:00'), lastRun: 'run-1' });
  await store.remove('s-1', 's-1-user');
});

it('tries a schedule that failed again after a minute, and shows why', async () => {
  await store.set(schedule('s-2'), at('08:30:00'));
  const { lines } = await take('09:00:00', new Error('the flow has no key'));
  expect(lines).toEqual(['Schedule s-2 could not start its run: the flow has no key']);
  expect(await stateOf('s-2')).toMatchObject({ failure: 'the flow has no key', nextAt: at('09:00:00') });
  expect((await take('09:00:59')).taken).toEqual([]);
  expect((await take('09:01:00')).taken).toEqual(['s-2 09:00 null']);
  expect(await stateOf('s-2')).toMatchObject({ failure: null, nextAt: at('10:00:00') });
  await store.remove('s-2', 's-2-user');
});

it('deletes a schedule whose flow is gone, and goes on with the others', async () => {
  await store.set(schedule('s-3'), at('08:30:00'));
  expect((await take('09:00:00', GONE)).taken).toEqual(['s-3 09:00 null']);
  expect(await stateOf('s-3')).toBeUndefined();
});

it('starts nothing of a schedule that is off, or of another group', async () => {
  await store.set(schedule('s-4', { isOn: false }), at('08:30:00'));
  const other = new ScheduleStore(runs.store.pool, runs.store.sealer, 'elsewhere');
  await other.set(schedule('s-5'), at('08:30:00'));
  expect((await take('09:00:00')).taken).toEqual([]);
  expect(await stateOf('s-4')).toMatchObject({ nextAt: null, schedule: { isOn: false } });
  for (const id of ['s-4', 's-5']) await store.remove(id, `${id}-user`);
});

it('takes the schedules that are due first, up to a number', async () => {
  await store.set(schedule('s-6', { cron: '20 * * * *' }), at('08:00:00'));
  await store.set(schedule('s-7', { cron: '10 * * * *' }), at('08:00:00'));
  const taken: string[] = [];
  await store.takeDue(
    at('09:00:00'),
    1,
    async ({ id }) => (taken.push(id), null),
    () => {},
  );
  expect(taken).toEqual(['s-7']);
  for (const id of ['s-6', 's-7']) await store.remove(id, `${id}-user`);
});

it('gives the schedule that is due to one worker only', async () => {
  await store.set(schedule('s-8'), at('08:30:00'));
  const taken: string[] = [];
  const inner: string[] = [];
  await store.takeDue(
    at('09:00:00'),
    10,
    async ({ id }) => {
      taken.push(id);
      await store.takeDue(
        at('09:00:00'),
        10,
        async (each) => (inner.push(each.id), null),
        () => {},
      );
      return 'run';
    },
    () => {},
  );
  expect([taken, inner]).toEqual([['s-8'], []]);
  await store.remove('s-8', 's-8-user');
});

it('refuses times that never come, and the id of another user', async () => {
  const never = store.set(schedule('s-9', { cron: '0 0 30 2 *' }), at('08:00:00'));
  await expect(never).rejects.toMatchObject({ code: 'invalid_request' });
  await store.set(schedule('s-9'), at('08:00:00'));
  const stolen = store.set(schedule('s-9', { userId: 'thief' }), at('08:00:00'));
  await expect(stolen).rejects.toMatchObject({ code: 'invalid_request' });
  expect(await store.list('thief')).toEqual([]);
  expect(await store.remove('s-9', 'thief')).toBe(false);
  expect(await store.remove('s-9', 's-9-user')).toBe(true);
});

it('replaces a schedule and forgets its failure', async () => {
  await store.set(schedule('s-10'), at('08:30:00'));
  await take('09:00:00', new Error('no'));
  await store.set(schedule('s-10', { cron: '30 * * * *' }), at('09:00:00'));
  expect(await stateOf('s-10')).toMatchObject({
    nextAt: at('09:30:00'),
    failure: null,
    schedule: { cron: '30 * * * *' },
  });
  expect((await take('09:30:00')).taken).toEqual(['s-10 09:30 null']);
  await store.remove('s-10', 's-10-user');
});

it('keeps each of two changes at once, and forgets a failure', async () => {
  await store.set(schedule('s-15'), at('08:30:00'));
  await take('09:00:00', new Error('no'));
  const changes = [{ isOn: false }, { cron: '30 * * * *' }, { missed: 'skip' }, { overlap: 'start' }] as const;
  const changed = await Promise.all(changes.map((each) => store.change('s-15', 's-15-user', each, at('09:00:00'))));
  expect(changed).toEqual([true, true, true, true]);
  expect(await stateOf('s-15')).toMatchObject({
    nextAt: null,
    failure: null,
    schedule: schedule('s-15', { isOn: false, cron: '30 * * * *', missed: 'skip', overlap: 'start' }),
  });
  await store.change('s-15', 's-15-user', { isOn: true }, at('09:00:00'));
  expect((await take('09:30:00')).taken).toEqual(['s-15 09:30 null']);
  await store.remove('s-15', 's-15-user');
});

it('changes no schedule that is deleted, of another user, or to a time that never comes', async () => {
  await store.set(schedule('s-16'), at('08:30:00'));
  const change = (userId: string, cron: string) => store.change('s-16', userId, { cron }, at('08:30:00'));
  expect(await change('thief', '30 * * * *')).toBe(false);
  await expect(change('s-16-user', '0 0 30 2 *')).rejects.toMatchObject({ code: 'invalid_request' });
  expect(await stateOf('s-16')).toMatchObject({ nextAt: at('09:00:00'), schedule: schedule('s-16') });
  await store.remove('s-16', 's-16-user');
  expect(await change('s-16-user', '30 * * * *')).toBe(false);
  expect(await stateOf('s-16')).toBeUndefined();
});

it('removes the schedules of a flow, or of a user, and no others', async () => {
  const shared = { userId: 's-11-user' };
  for (const id of ['s-11', 's-12', 's-13']) await store.set(schedule(id, shared), at('08:00:00'));
  await store.removeAllOf({ flowId: 's-12-flow' });
  expect((await store.list('s-11-user')).map(({ id }) => id)).toEqual(['s-11', 's-13']);
  await store.removeAllOf({ userId: 's-11-user' });
  expect(await store.list('s-11-user')).toEqual([]);
});

it('shows a schedule whose key is gone without its definition, which is stored encrypted', async () => {
  await store.set(schedule('s-14'), at('08:00:00'));
  const { rows } = await runs.store.pool.query("SELECT definition FROM croft_runs.schedule WHERE id = 's-14'");
  expect(JSON.stringify(rows)).not.toContain('0 * * * *');
  const sealer = createSealer([{ id: 'k9', key: Buffer.alloc(32, 9) }]);
  const [state] = await new ScheduleStore(runs.store.pool, sealer, GROUP).list('s-14-user');
  expect(state).toMatchObject({ id: 's-14', schedule: null });
  expect(state?.failure).toMatch(/delete the schedule and add it again/);
  await store.remove('s-14', 's-14-user');
});

it('encrypts schedules and their failures with a new key, and leaves those that no key opens', async () => {
  const { pool } = runs.store;
  const [old, fresh, lost] = ['old', 'new', 'lost'].map((id, at) => ({ id, key: Buffer.alloc(32, at + 1) }));
  if (!old || !fresh || !lost) throw new Error('three keys');
  const withKeys = (...keys: [typeof old, ...(typeof old)[]]) => new ScheduleStore(pool, createSealer(keys), GROUP);
  await pool.query('DELETE FROM croft_runs.schedule');
  await withKeys(old).set(schedule('kept'), at('00:00:00'));
  await withKeys(old).takeDue(
    at('01:00:00'),
    10,
    async () => Promise.reject(new Error('no model')),
    () => {},
  );
  await withKeys(lost).set(schedule('lost'), at('00:00:00'));
  expect(await withKeys(fresh, old).reseal()).toEqual({ resealed: 1, lost: 1 });
  expect(await withKeys(fresh, old).reseal()).toEqual({ resealed: 0, lost: 1 });
  const [kept] = await withKeys(fresh).list('kept-user');
  expect(kept).toMatchObject({ schedule: { flowId: 'kept-flow' }, failure: 'no model' });
  expect((await withKeys(lost).list('lost-user'))[0]?.schedule).toMatchObject({ flowId: 'lost-flow' });
});
