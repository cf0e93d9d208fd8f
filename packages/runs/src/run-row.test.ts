import { expect, it } from 'vitest';
import { type RunRow, toSummary } from './run-row.ts';
import { createSealer } from './sealer.ts';

const sealer = createSealer([{ id: 'k1', key: Buffer.alloc(32, 7) }]);
const other = createSealer([{ id: 'k2', key: Buffer.alloc(32, 8) }]);
const at = (second: number) => new Date(second * 1_000);
const row: RunRow = {
  id: 'r',
  user_id: 'ann',
  flow_id: 'f',
  flow_name: 'Flow',
  source: 'api',
  status: 'failed',
  attempt: 3,
  created_at: at(1),
  started_at: at(2),
  finished_at: at(3),
  input: sealer.seal('hello'),
  failure: sealer.seal('{"message":"no key","node":"A"}'),
  metrics: { duration_seconds: 1, input_tokens: 0, output_tokens: 0, total_tokens: 0 },
};

it('decrypts the input and the failure of a run', () => {
  expect(toSummary(row, sealer)).toEqual({
    id: 'r',
    userId: 'ann',
    flowId: 'f',
    flowName: 'Flow',
    source: 'api',
    input: 'hello',
    status: 'failed',
    attempt: 3,
    createdAt: at(1),
    startedAt: at(2),
    finishedAt: at(3),
    failure: { message: 'no key', node: 'A' },
    metrics: row.metrics,
  });
});

it('leaves out what a run does not have', () => {
  expect(toSummary({ ...row, input: null, failure: null }, sealer)).toMatchObject({ input: null, failure: null });
});

it('shows a run whose key is gone, without its input and with the reason as its failure', () => {
  const { input, failure, id } = toSummary(row, other);
  expect([id, input]).toEqual(['r', null]);
  expect(failure?.message).toMatch(/^It was stored with the key 'k1'/);
});
