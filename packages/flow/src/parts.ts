import { nextTurn, sliceMs } from './run/next-turn.ts';

/** Work in parts: each `next` does one. The caller decides what happens in between. */
export type Parts<Result> = Generator<void, Result, void>;

/** Does all parts at once. */
export function toEnd<Result>(parts: Parts<Result>): Result {
  for (;;) {
    const { done, value } = parts.next();
    if (done === true) return value;
  }
}

/**
 * Does work part by part, with turns for others in between: a large flow does not hold a server.
 *
 * @throws the reason of `signal`, where it aborts before the last part
 */
export async function inTurns<Result>(
  parts: Parts<Result>,
  {
    signal,
    now = () => performance.now(),
  }: {
    readonly signal?: AbortSignal;
    /** In milliseconds; tests set it. */
    readonly now?: (() => number) | undefined;
  } = {},
): Promise<Result> {
  let started = now();
  for (;;) {
    const { done, value } = parts.next();
    if (done === true) return value;
    if (now() - started < sliceMs()) continue;
    await nextTurn();
    signal?.throwIfAborted();
    started = now();
  }
}
