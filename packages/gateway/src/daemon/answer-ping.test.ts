import { expect, it } from 'vitest';
import { answerPing } from './answer-ping.ts';
import type { GatewayClient } from './gateway-client.ts';
import type { LinkTiming } from './link-timing.ts';

const timing = { wordMs: 70, redeliver: { minMs: 0 } } as unknown as LinkTiming;

/** Answers a ping at a server with these statuses; an error for 0. Gives the time limits of the requests made. */
async function answer(statuses: readonly number[], signal = new AbortController().signal): Promise<number[]> {
  const limits: number[] = [];
  const alive = async (_: AbortSignal, timeoutMs: number) => {
    const status = statuses[limits.length] as number;
    limits.push(timeoutMs);
    if (status === 0) throw new Error('unreachable');
    return { status };
  };
  await answerPing({ alive } as unknown as GatewayClient, timing, signal);
  return limits;
}

it('sends one answer where it arrives or is refused', async () => {
  expect(await answer([200])).toEqual([70]);
  expect(await answer([401])).toEqual([70]);
});

it('sends it again where the server is busy or unreachable, three times at most', async () => {
  expect(await answer([503, 0, 200])).toHaveLength(3);
  expect(await answer([0, 200])).toHaveLength(2);
  expect(await answer([0, 503, 0, 200])).toHaveLength(3);
});

it('sends nothing when the connection has ended', async () => {
  expect(await answer([200], AbortSignal.abort())).toEqual([]);
});
