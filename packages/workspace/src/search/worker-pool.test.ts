import { statSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeScratch, type Scratch } from '../testing.ts';
import { BaseMoved } from './run-search.ts';
import type { SearchRequest } from './search-request.ts';
import { grepFor, WHOLE } from './testing-requests.ts';
import type { WorkerRoot } from './worker-messages.ts';
import { closeSearchWorkers, searchInWorker, type SearchCall } from './worker-pool.ts';
import { slots } from './worker-slot.ts';

let scratch: Scratch;
beforeEach(() => {
  scratch = makeScratch(['a.txt = hit', 'b.md = hit']);
});
afterEach(() => {
  vi.useRealTimers();
  scratch.remove();
});
afterAll(closeSearchWorkers);

const names: SearchRequest = { kind: 'glob', scope: WHOLE, pattern: '*', braces: false };
/** Runs for years in one line, where the thread cannot notice that it is to stop. */
const STUCK = grepFor('(a{1,30}){1,30}b', { glob: 'z*' });
const putStuck = () => writeFileSync(`${scratch.workspace}/z`, `${'a'.repeat(4_000)}\n`);

function search(request: SearchRequest, call: Partial<SearchCall> & { ann?: string } = {}, moved = 0) {
  const { dev, ino } = statSync(scratch.workspace);
  const root: WorkerRoot = { path: scratch.workspace, dev, ino: ino + moved, resolver: 'walk' };
  const owner = { workspace: 'w', caller: call.ann ?? 'ann' };
  return searchInWorker(root, request, { owner, timeoutMs: 30_000, ...call });
}

describe('a search in a thread', () => {
  it('gives what it found, and tells its progress', async () => {
    const seen: number[] = [];
    expect(await search(names)).toMatchObject({ kind: 'glob', matches: ['a.txt', 'b.md'] });
    const outcome = await search(grepFor('h.t'), { onProgress: (files) => seen.push(files) });
    expect(outcome).toMatchObject({ kind: 'grep', matches: { length: 2 }, truncated: false });
    expect(outcome).not.toHaveProperty('stoppedAfterMs');
  });

  it('fails without a detail, and asks for a new start when its directory was replaced', async () => {
    const broken = { ...names, scope: { ...WHOLE, ignoreNames: 7 as never } };
    await expect(search(broken)).rejects.toMatchObject({ code: 'io', message: 'The search failed' });
    await expect(search(names, {}, 1)).rejects.toBeInstanceOf(BaseMoved);
  });

  it('is not started for a caller that has gone', async () => {
    await closeSearchWorkers();
    const gone = search(names, { signal: AbortSignal.abort() });
    await expect(gone).rejects.toMatchObject({ code: 'cancelled', message: 'The search was cancelled' });
    expect(slots).toHaveLength(0);
  });

  it('that does not notice its deadline loses its thread, and gives what it found by then', async () => {
    putStuck();
    // The thread runs already, and reaches the line long before the deadline.
    await search(names);
    const outcome = await search(STUCK, { runMs: 1_000 });
    expect(outcome).toMatchObject({ kind: 'grep', matches: [], truncated: true, stoppedAfterMs: 1_000 });
    expect(slots).toHaveLength(0);
    expect(await search(names)).toMatchObject({ matches: { length: 3 } });
  });

  it('that notices its deadline keeps its thread', async () => {
    for (let i = 0; i < 3_000; i++) writeFileSync(`${scratch.workspace}/f${i}`, '');
    await search(names);
    const outcome = await search(grepFor('h.t'), { timeoutMs: 1 });
    expect(outcome).toMatchObject({ kind: 'grep', stoppedAfterMs: expect.any(Number) });
    expect(slots).toHaveLength(1);
  });

  it('says that it ended when its thread ends, and the next search gets a new one', async () => {
    putStuck();
    const call = search(STUCK);
    void slots[0]?.started.then(() => slots[0]?.worker.terminate());
    await expect(call).rejects.toMatchObject({ code: 'io', message: 'The search ended unexpectedly' });
    expect(await search(names)).toMatchObject({ kind: 'glob' });
  });
});

describe('the threads', () => {
  it('are three, of which one caller gets two', async () => {
    await closeSearchWorkers();
    const calls = [search(names), search(names), search(names)];
    expect(slots).toHaveLength(2);
    calls.push(search(names, { ann: 'bob' }), search(names, { ann: 'bob' }));
    expect(slots).toHaveLength(3);
    expect(slots.map(({ busy }) => busy)).toEqual([true, true, true]);
    for (const outcome of await Promise.all(calls)) expect(outcome).toMatchObject({ kind: 'glob' });
    expect(slots.map(({ busy }) => busy)).toEqual([false, false, false]);
  });

  it('are awaited until the deadline or until the caller leaves', async () => {
    putStuck();
    const [abort, leave] = [new AbortController(), new AbortController()];
    const stuck = [search(STUCK, { signal: abort.signal }), search(STUCK, { signal: abort.signal })];
    const left = search(names, { signal: leave.signal });
    const late = search(names, { timeoutMs: 20 });
    leave.abort();
    void late.catch(() => undefined);
    await expect(left).rejects.toMatchObject({ code: 'cancelled' });
    await expect(late).rejects.toMatchObject({
      code: 'deadline',
      message: 'Other searches kept this one waiting for 0.02 s. Try again in a moment.',
    });
    const next = search(names);
    abort.abort();
    const ends = await Promise.allSettled(stuck);
    expect(ends).toMatchObject(Array(2).fill({ status: 'rejected', reason: { code: 'cancelled' } }));
    expect(await next).toMatchObject({ kind: 'glob' });
  });

  it('end 30 seconds after their last search', async () => {
    await closeSearchWorkers();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await search(names);
    vi.advanceTimersByTime(29_000);
    await search(names);
    vi.advanceTimersByTime(29_999);
    expect(slots).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(slots).toHaveLength(0);
  });

  it('end at once on request', async () => {
    await search(names);
    const [slot] = slots;
    await closeSearchWorkers();
    expect([slots.length, slot?.worker.threadId]).toEqual([0, -1]);
  });
});

it('a search by name whose thread ends after the deadline is refused with what to do', async () => {
  await closeSearchWorkers();
  const call = search(names, { timeoutMs: 5 });
  const [slot] = slots;
  setTimeout(() => slot?.worker.emit('exit', 1), 15);
  await expect(call).rejects.toMatchObject({
    code: 'deadline',
    message: expect.stringMatching(/^The search took longer than 0\.00\d s\. Narrow path, glob or pattern\.$/),
  });
});
