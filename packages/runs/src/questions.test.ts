import { expect, it } from 'vitest';
import { type TestRuns, useRunStore } from '../../../tests/runs/use-run-store.ts';
import { askOnce, questionsOf, storeAnswer } from './questions.ts';
import { HAS_NEW_ANSWER } from './run-store.ts';

let runs: TestRuns;
useRunStore((opened) => void (runs = opened));

const QUESTION = { key: 'A#0', node: 'A', text: 'Send it?', options: ['yes', 'no'], context: { to: 'bob' } };
const YES = { choice: 'yes', comment: 'fine', by: 'Ann' };
const ask = (runId: string, over: object = {}, secrets?: ReadonlySet<string>) =>
  askOnce(runs.store.pool, runs.store.sealer, runId, { ...QUESTION, ...over }, secrets);
const answer = (runId: string, over: object = {}, key = QUESTION.key) =>
  storeAnswer(runs.store.pool, runs.store.sealer, runId, key, { ...YES, ...over });
const list = (runId: string) => questionsOf(runs.store.pool, runs.store.sealer, runId);

async function hasNewAnswer(runId: string): Promise<boolean> {
  const sql = `SELECT ${HAS_NEW_ANSWER} AS found FROM croft_runs.run r WHERE id = $1`;
  const { rows } = await runs.store.pool.query<{ found: boolean }>(sql, [runId]);
  return rows[0]?.found === true;
}

it('asks once, and gives the answer to the attempt that asks again', async () => {
  await runs.add('q-1');
  expect(await ask('q-1')).toBeUndefined();
  expect(await ask('q-1')).toBeUndefined();
  expect(await list('q-1')).toEqual([{ ...QUESTION, askedAt: expect.any(Date), answer: null }]);
  await answer('q-1');
  expect(await hasNewAnswer('q-1')).toBe(true);
  expect(await ask('q-1')).toEqual(YES);
  expect(await hasNewAnswer('q-1')).toBe(false);
  expect((await list('q-1'))[0]?.answer).toEqual(YES);
});

it('takes the first answer, only to a question of the run, and only one of its options', async () => {
  await runs.add('q-2');
  await expect(answer('q-2')).rejects.toMatchObject({ code: 'unknown_question' });
  await ask('q-2');
  await expect(answer('q-2', { choice: 'maybe' })).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(answer('q-2', {}, 'B#0')).rejects.toMatchObject({ code: 'unknown_question' });
  await answer('q-2', { choice: 'no' });
  await expect(answer('q-2')).rejects.toMatchObject({ code: 'already_answered' });
  expect((await list('q-2'))[0]?.answer).toMatchObject({ choice: 'no' });
});

it('takes no answer for a run that has ended', async () => {
  await runs.add('q-ended');
  await ask('q-ended');
  await runs.store.cancel('q-ended', 'u');
  await expect(answer('q-ended')).rejects.toMatchObject({ code: 'not_open' });
  expect((await list('q-ended'))[0]?.answer).toBeNull();
});

it('stores no secret and no text in the open', async () => {
  await runs.add('q-3');
  const secret = 'sk-canary-5';
  await ask('q-3', { text: `Use ${secret}?`, context: { key: secret } }, new Set([secret]));
  await answer('q-3', { comment: 'canary comment' });
  expect(JSON.stringify(await list('q-3'))).not.toContain(secret);
  const { rows } = await runs.store.pool.query("SELECT * FROM croft_runs.question WHERE run_id = 'q-3'");
  expect(JSON.stringify(rows)).not.toMatch(/canary|Use/);
});

it('lists the questions of one run, the oldest first', async () => {
  await runs.add('q-4');
  await ask('q-4', { key: 'z' });
  await ask('q-4', { key: 'a' });
  expect((await list('q-4')).map(({ key }) => key)).toEqual(['z', 'a']);
});

it('lists a question that waits, and takes its answer, after 200 others', async () => {
  await runs.add('q-5');
  await ask('q-5', { key: 'waits' });
  for (let round = 0; round < 201; round++) {
    await ask('q-5', { key: `loop#${round}` });
    await answer('q-5', {}, `loop#${round}`);
  }
  await ask('q-5', { key: 'last' });
  const listed = (await list('q-5')).map(({ key }) => key);
  expect(listed).toHaveLength(200);
  expect([listed[0], listed[1], listed.at(-1)]).toEqual(['waits', 'loop#3', 'last']);
  await answer('q-5', {}, 'last');
});
