import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type OutgoingCall, PendingCalls, type SentCall } from './pending-calls.ts';

const TIMEOUT_MS = 1_000;
const CALL: OutgoingCall = { request: {}, isRepeatable: true };

let sent: SentCall[];
let cancelled: string[];
let hasRoom: boolean;
let calls: PendingCalls;
beforeEach(() => {
  vi.useFakeTimers();
  hasRoom = true;
  sent = [];
  cancelled = [];
  calls = new PendingCalls(
    { maxInFlight: 2, maxQueued: 1, timeoutMs: TIMEOUT_MS, now: () => 5_000 },
    (call) => sent.push(call),
    (requestId) => cancelled.push(requestId),
    () => hasRoom,
  );
});
afterEach(() => {
  vi.useRealTimers();
});

const ask = (signal?: AbortSignal) => calls.ask(CALL, signal);
const id = (index: number) => sent[index]?.requestId as string;

describe('a call without a response yet', () => {
  it('is sent at once up to the limit, then queued, and refused behind the queue', async () => {
    const asked = [ask(), ask(), ask()];
    expect([sent.length, calls.size]).toEqual([2, 3]);
    expect(await ask()).toEqual({ ended: 'busy' });
    expect(calls.answer(id(0), { data: 1 })).toBe(true);
    expect(await asked[0]).toEqual({ answer: { data: 1 } });
    expect(sent).toHaveLength(3);
    expect([...calls.sent()].map(({ requestId }) => requestId)).toEqual([id(1), id(2)]);
    expect(sent[2]?.deadlineAt).toBe(6_000);
  });

  it('waits for room, and is sent again first if it was put back', async () => {
    hasRoom = false;
    const asked = [ask(), ask()];
    expect([sent.length, calls.size, [...calls.sent()]]).toEqual([0, 2, []]);
    hasRoom = true;
    calls.advance();
    expect(sent).toHaveLength(2);
    const [first] = sent as [SentCall];
    first.isWritten = true;
    calls.postpone(first);
    calls.postpone(first);
    calls.postpone({ ...first, requestId: 'made-up' });
    expect([calls.has(id(0)), first.isWritten]).toEqual([false, false]);
    asked.push(ask());
    expect(sent.map(({ requestId }) => requestId)).toEqual([id(0), id(1), id(0)]);
    expect([calls.size, calls.has(id(0)), asked.length]).toEqual([3, true, 3]);
  });

  it('is answered once, by its own id', async () => {
    const asked = ask();
    expect(calls.answer('made-up', { data: 1 })).toBe(false);
    expect(calls.answer(id(0), { data: 2 })).toBe(true);
    expect(calls.answer(id(0), { data: 3 })).toBe(false);
    expect(calls.has(id(0))).toBe(false);
    expect(await asked).toEqual({ answer: { data: 2 } });
  });

  it('ends at its deadline, which runs while it is queued, and the client learns of those it got', async () => {
    const asked = [ask(), ask(), ask()];
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS - 1);
    expect(calls.size).toBe(3);
    await vi.advanceTimersByTimeAsync(1);
    expect(await Promise.all(asked)).toEqual(Array.from({ length: 3 }, () => ({ ended: 'timeout' })));
    expect(calls.size).toBe(0);
    expect(cancelled).toEqual([id(0), id(1), id(2)]);
  });

  it.each([true, false])(
    'ends with all others, and the client learns of those it got only if it stays: %s',
    async (stays) => {
      const asked = [ask(), ask(), ask()];
      calls.endAll('not_connected', stays);
      expect(await Promise.all(asked)).toEqual(Array.from({ length: 3 }, () => ({ ended: 'not_connected' })));
      expect([cancelled, sent.length, calls.size]).toEqual([stays ? [id(0), id(1)] : [], 2, 0]);
    },
  );

  it('ends when its caller cancels it; the client learns nothing of a queued one', async () => {
    const [first, queued] = [new AbortController(), new AbortController()];
    const asked = [ask(first.signal), ask(), ask(queued.signal)];
    queued.abort();
    expect(await asked[2]).toEqual({ ended: 'cancelled' });
    expect([sent.length, cancelled.length]).toEqual([2, 0]);
    first.abort();
    expect(await asked[0]).toEqual({ ended: 'cancelled' });
    expect(cancelled).toEqual([id(0)]);
    expect(await ask(AbortSignal.abort())).toEqual({ ended: 'cancelled' });
  });

  it('may have run when it was written to a stream, unless it only reads', async () => {
    const ended = async (isRepeatable: boolean, isWritten: boolean) => {
      const asked = calls.ask({ request: {}, isRepeatable }, undefined);
      (sent.at(-1) as SentCall).isWritten = isWritten;
      calls.endAll('superseded');
      return asked;
    };
    expect(await ended(false, true)).toEqual({ ended: 'superseded', mayHaveRun: true });
    expect(await ended(false, false)).toEqual({ ended: 'superseded' });
    expect(await ended(true, true)).toEqual({ ended: 'superseded' });
    const answered = calls.ask({ request: {}, isRepeatable: false }, undefined);
    (sent.at(-1) as SentCall).isWritten = true;
    calls.answer(id(sent.length - 1), { data: 1 });
    expect(await answered).toEqual({ answer: { data: 1 } });
  });

  it('ends with all others, and new calls have the whole room again', async () => {
    const asked = [ask(), ask(), ask()];
    calls.endAll('superseded');
    expect(await Promise.all(asked)).toEqual(Array.from({ length: 3 }, () => ({ ended: 'superseded' })));
    expect(cancelled).toEqual([]);
    void ask();
    void ask();
    expect(sent).toHaveLength(4);
    // The timers of the ended calls are gone.
    expect(vi.getTimerCount()).toBe(2);
  });
});
