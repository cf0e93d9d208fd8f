import type pg from 'pg';
import { expect, it } from 'vitest';
import { ActiveAttempt } from './active-attempt.ts';
import { stopLost } from './reaper.ts';
import { RunStore } from './run-store.ts';
import { createSealer } from './sealer.ts';

it('does not stop an attempt that starts while the heartbeat reads the state of the others', async () => {
  const takenOver = new ActiveAttempt({ runId: 'a', attempt: 1 });
  const late = new ActiveAttempt({ runId: 'b', attempt: 1 });
  const active = new Map([['a', takenOver]]);
  const query = (_: string, [ids]: readonly [readonly string[]]) => {
    const rows = ids.map((id) => ({ id, attempt: 2, executor: 'other', cancelled: false }));
    active.set('b', late);
    return Promise.resolve({ rows });
  };
  const sealer = createSealer([{ id: 'k1', key: Buffer.alloc(32, 7) }]);
  await stopLost({ store: new RunStore({ query } as unknown as pg.Pool, sealer, ''), executor: 'here', active });
  expect([takenOver.reason, late.reason]).toEqual(['lost', undefined]);
});
