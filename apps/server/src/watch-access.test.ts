import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { TestResponse } from '../../../tests/support/test-response.ts';
import { cancelWithKey, endWithCaller, watchAccess } from './watch-access.ts';

const ended = (answers: readonly (boolean | Error)[]) => {
  let looks = 0;
  return new Promise<number>((resolve) => {
    const hasAccess = async () => {
      const answer = answers[looks++] ?? false;
      if (answer instanceof Error) throw answer;
      return answer;
    };
    const leave = watchAccess(
      hasAccess,
      () => {
        leave();
        resolve(looks);
      },
      1,
    );
  });
};

it('ends a response once its access is gone', async () => {
  expect(await ended([true, true, false])).toBe(3);
});

it('goes on while the database gives no answer', async () => {
  expect(await ended([new Error('away'), true, false])).toBe(3);
});

describe('access by a key', () => {
  /** A caller whose key is revoked by the test. */
  function openCaller() {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    let caller: object | undefined = {};
    return { identify: async () => caller, revoke: () => (caller = undefined) };
  }

  it('ends a response two seconds after the key was revoked, at the latest', async () => {
    const { identify, revoke } = openCaller();
    const response = new TestResponse();
    endWithCaller(response.response, identify);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(response.closed).toBe(false);
    revoke();
    await vi.advanceTimersByTimeAsync(1_999);
    expect(response.closed).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect([response.closed, vi.getTimerCount()]).toEqual([true, 0]);
  });

  it('is not watched where the client left before the response', () => {
    const response = new TestResponse();
    response.destroy();
    endWithCaller(response.response, openCaller().identify);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is not watched after the response', () => {
    const response = new TestResponse();
    endWithCaller(response.response, openCaller().identify);
    expect(vi.getTimerCount()).toBe(1);
    response.destroy();
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([
    ['resolves', (settle: { resolve: () => void; reject: () => void }) => settle.resolve()],
    ['rejects', (settle: { resolve: () => void; reject: () => void }) => settle.reject()],
  ])('cancels a run, and is not watched once its outcome %s', async (_, end) => {
    const { identify, revoke } = openCaller();
    let settle = { resolve: () => {}, reject: () => {} };
    const outcome = new Promise<void>(
      (resolve, reject) => (settle = { resolve, reject: () => reject(new Error('x')) }),
    );
    const cancel = vi.fn();
    cancelWithKey({ outcome, cancel }, identify, 10);
    await vi.advanceTimersByTimeAsync(10);
    expect(cancel).not.toHaveBeenCalled();
    revoke();
    await vi.advanceTimersByTimeAsync(10);
    expect(cancel).toHaveBeenCalledOnce();
    end(settle);
    await outcome.catch(() => undefined);
    expect(vi.getTimerCount()).toBe(0);
  });
});
