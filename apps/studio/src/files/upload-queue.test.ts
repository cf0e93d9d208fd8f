import { describe, expect, it, vi } from 'vitest';
import { ApiError } from '../api/request.ts';
import type { UploadAsk } from '../api/upload.ts';
import { createUploadQueue, isOpen, type Replaced, type Upload } from './upload-queue.ts';

const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

/** A server that has some names already; its trash cannot keep those in `tooLarge`. */
function queueOver(names: string[], tooLarge: string[] = []) {
  const stored = new Set(names);
  const sent: string[] = [];
  let running = 0;
  let most = 0;
  const folders: string[] = [];
  const replaced: (readonly Replaced[])[] = [];
  const queue = createUploadQueue({
    onStored: () => {},
    onReplaced: (batch) => replaced.push(batch),
    async makeFolder(path) {
      if (stored.has(path)) throw new ApiError('exists', 'It is there.', 409);
      folders.push(path);
      return { path };
    },
    async send({ path, overwrite, permanent, onProgress, signal }: UploadAsk) {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      signal.throwIfAborted();
      if (path.endsWith('.env')) throw new ApiError('denied', 'Access is denied.', 403);
      if (path.endsWith('full.bin')) throw new ApiError('quota_exceeded', 'There is no room left.', 507);
      if (stored.has(path) && !overwrite) throw new ApiError('exists', 'It is there.', 409);
      if (tooLarge.includes(path) && !permanent) throw new ApiError('not_undoable', 'It is too large.', 409);
      onProgress(1);
      stored.add(path);
      sent.push(path);
      return tooLarge.includes(path) ? {} : { undo: `undo ${path}` };
    },
  });
  const add = (...files: string[]) =>
    queue.add(
      '',
      files.map((path) => ({
        path,
        file: path.endsWith('/') ? undefined : new File(['x'], path.split('/').at(-1) ?? ''),
      })),
    );
  return {
    queue,
    add,
    sent,
    folders,
    replaced,
    most: () => most,
    states: () => queue.items().map(({ state }) => state),
  };
}

describe('files on their way', () => {
  it('go two at once and all arrive', async () => {
    const { add, sent, most, states } = queueOver([]);
    add('a', 'b', 'c', 'd', 'e');
    await settle();
    expect([sent.toSorted(), most(), new Set(states())]).toEqual([['a', 'b', 'c', 'd', 'e'], 2, new Set(['done'])]);
  });

  it('wait for a decision where a name is taken, and the others go on', async () => {
    const { queue, add, sent, states } = queueOver(['a.md', 'b.md']);
    add('a.md', 'b.md', 'c.md');
    await settle();
    expect(states()).toEqual(['asking', 'asking', 'done']);
    const [a, b] = queue.items();
    queue.decide(a?.id ?? 0, 'replace');
    queue.decide(b?.id ?? 0, 'skip');
    await settle();
    expect([states(), sent]).toEqual([
      ['done', 'skipped', 'done'],
      ['c.md', 'a.md'],
    ]);
  });

  it('that replaced others are reported together, when the last is stored', async () => {
    const { queue, add, replaced } = queueOver(['a.md', 'b.md']);
    add('a.md', 'b.md', 'new.md');
    await settle();
    const [a, b] = queue.items();
    queue.decide(a?.id ?? 0, 'replace');
    await settle();
    expect(replaced).toEqual([]);
    queue.decide(b?.id ?? 0, 'replace');
    await settle();
    expect(replaced).toEqual([
      [
        { path: 'a.md', undo: 'undo a.md' },
        { path: 'b.md', undo: 'undo b.md' },
      ],
    ]);
  });

  it('ask again before they replace a file for good, and an answer for all covers only that question', async () => {
    const { queue, add, sent, replaced, states } = queueOver(['a.md', 'b.md', 'c.md'], ['a.md', 'c.md']);
    add('a.md', 'b.md', 'c.md');
    await settle();
    const [a, b] = queue.items().map(({ id }) => id);
    queue.decide(a ?? 0, 'replace');
    await settle();
    expect(queue.items().map(({ question }) => question)).toEqual(['not_undoable', 'exists', 'exists']);
    expect(sent).toEqual([]);
    queue.decide(a ?? 0, 'replace', true);
    await settle();
    expect([states(), sent]).toEqual([['done', 'asking', 'asking'], ['a.md']]);
    queue.decide(b ?? 0, 'replace', true);
    await settle();
    expect([states(), sent.toSorted()]).toEqual([
      ['done', 'done', 'done'],
      ['a.md', 'b.md', 'c.md'],
    ]);
    expect(replaced).toEqual([[{ path: 'b.md', undo: 'undo b.md' }]]);
  });

  it('can keep both where replacing would be for good', async () => {
    const { queue, add, sent, replaced } = queueOver(['a.md'], ['a.md']);
    add('a.md');
    await settle();
    const { id } = queue.items()[0] ?? { id: 0 };
    queue.decide(id, 'replace');
    await settle();
    queue.decide(id, 'keep-both');
    await settle();
    expect([sent, replaced]).toEqual([['a (2).md'], []]);
  });

  it('find the next free name when both are kept, and one answer can be for all', async () => {
    const { queue, add, sent, states } = queueOver(['a.md', 'a (2).md', 'b.md']);
    add('a.md', 'b.md');
    await settle();
    queue.decide(queue.items()[0]?.id ?? 0, 'keep-both', true);
    await settle();
    expect([sent.toSorted(), states()]).toEqual([
      ['a (3).md', 'b (2).md'],
      ['done', 'done'],
    ]);
  });

  it('can be cancelled, and tried again after a failure', async () => {
    const { queue, add, states } = queueOver([]);
    add('full.bin', 'a', 'b');
    queue.cancel(queue.items()[2]?.id ?? 0);
    await settle();
    expect(states()).toEqual(['failed', 'done', 'cancelled']);
    expect(queue.items()[0]?.problem).toBe('There is no room left.');
    queue.retry(queue.items()[0]?.id ?? 0);
    await settle();
    expect(states()[0]).toBe('failed');
    queue.clear();
    expect(states()).toEqual([]);
  });

  it('of a folder keep their structure, and copies stay beside the first', async () => {
    const { queue, add, sent, folders, states } = queueOver(['trip/a.md', 'there/']);
    add('trip/a.md', 'trip/deep/b.md', 'trip/empty/', 'there/');
    await settle();
    queue.decide(queue.items()[0]?.id ?? 0, 'keep-both');
    await settle();
    expect([sent, folders]).toEqual([['trip/deep/b.md', 'trip/a (2).md'], ['trip/empty/']]);
    expect(states()).toEqual(['done', 'done', 'done', 'done']);
  });

  it('end together where there is no room for any, and all can be tried again', async () => {
    const { queue, add, sent, states } = queueOver([]);
    add('a', 'full.bin', 'c', 'd', 'e');
    await settle();
    expect(states().filter((state) => state === 'failed').length).toBeGreaterThanOrEqual(3);
    expect(sent).not.toContain('e');
    expect(queue.items().at(-1)?.problem).toBe('There is no room left.');
    queue.retryAll();
    expect(states().filter((state) => state === 'failed')).toEqual([]);
    await settle();
  });

  it('are not tried again together with others where the server refuses their names', async () => {
    const { queue, add, sent, states } = queueOver([]);
    add('.env', 'full.bin');
    await settle();
    expect(queue.items().map(({ isRefused }) => isRefused)).toEqual([true, false]);
    queue.retryAll();
    expect(states()).toEqual(['failed', 'sending']);
    await settle();
    expect([states(), sent]).toEqual([['failed', 'failed'], []]);
  });

  it('are all stopped at once', async () => {
    const { queue, add, sent, states } = queueOver([]);
    add('a', 'b', 'c', 'd');
    queue.cancelAll();
    await settle();
    expect([states(), sent]).toEqual([['cancelled', 'cancelled', 'cancelled', 'cancelled'], []]);
  });

  it('may be thousands: two at once, and views hear of them now and then', async () => {
    const { queue, add, sent, most } = queueOver([]);
    let notified = 0;
    queue.subscribe(() => {
      notified += 1;
    });
    add(...Array.from({ length: 3_000 }, (_, i) => `many/${i}.txt`));
    while (sent.length < 3_000) await settle();
    expect(most()).toBe(2);
    expect(notified).toBeLessThan(300);
  });
});

describe('a queue', () => {
  /** Answers each upload by a function. */
  function queueWith(
    send: (ask: UploadAsk) => Promise<{ undo?: string }>,
    makeFolder = async (path: string) => ({ path }),
  ) {
    const counts = { stored: 0 };
    const queue = createUploadQueue({
      send: send as never,
      makeFolder: makeFolder as never,
      onStored: () => void (counts.stored += 1),
      onReplaced: () => undefined,
    });
    const add = (...paths: string[]) =>
      queue.add(
        'in',
        paths.map((path) => ({ path, file: path.endsWith('/') ? undefined : new File(['abc'], path) })),
      );
    const problems = () => queue.items().map(({ state, problem }) => `${state} ${problem ?? ''}`);
    return { queue, add, problems, counts };
  }

  it('sends each file with its path, and counts its bytes', async () => {
    const asked: unknown[] = [];
    const { queue, add, counts } = queueWith(async ({ path, body, overwrite, permanent, onProgress }) => {
      asked.push([path, await body.text(), overwrite, permanent]);
      onProgress(2);
      asked.push(queue.items()[0]?.sentBytes);
      return {};
    });
    add('a.md');
    const { file: _, ...first } = queue.items()[0] as Upload;
    expect(first).toEqual({ id: 1, path: 'in/a.md', state: 'sending', sentBytes: 0 });
    await vi.waitFor(() => expect(queue.items()[0]?.state).toBe('done'));
    expect(asked).toEqual([['in/a.md', 'abc', false, false], 2]);
    expect([queue.items()[0]?.sentBytes, counts.stored]).toEqual([3, 1]);
  });

  it.each(['quota_exceeded', 'offline', 'not_signed_in'])('sends no more files after %s', async (code) => {
    const { add, problems } = queueWith(() => Promise.reject(new ApiError(code, 'Not now.', 400)));
    add('a', 'b', 'c', 'd');
    await vi.waitFor(() => expect(problems()).toEqual(Array.from({ length: 4 }, () => 'failed Not now.')));
  });

  it('sends the other files after another error, and says what happened', async () => {
    const sent: string[] = [];
    const { add, problems } = queueWith(({ path }) => {
      sent.push(path);
      if (path === 'in/a') return Promise.reject(new ApiError('too_large', 'It is too large.', 413));
      return path === 'in/b' ? Promise.reject('no error' as never) : Promise.resolve({});
    });
    add('a', 'b', 'c', 'd');
    await vi.waitFor(() =>
      expect(problems()).toEqual(['failed It is too large.', 'failed The upload failed. Try again.', 'done ', 'done ']),
    );
    expect(sent).toHaveLength(4);
  });

  it('makes folders, and says why one cannot be made', async () => {
    const { queue, add, problems, counts } = queueWith(
      async () => ({}),
      (path) => Promise.reject(new ApiError(path.startsWith('in/there') ? 'exists' : 'denied', 'Not here.', 409)),
    );
    add('there/', 'no/');
    await vi.waitFor(() => expect(problems()).toEqual(['done ', 'failed Not here.']));
    expect([queue.items()[0]?.sentBytes, counts.stored]).toEqual([0, 1]);
  });

  it('begins a new list once nothing is open', async () => {
    const { queue, add, problems } = queueWith(async () => ({}));
    add('a');
    add('b');
    expect(queue.items().map(({ path }) => path)).toEqual(['in/a', 'in/b']);
    await vi.waitFor(() => expect(problems()).toEqual(['done ', 'done ']));
    expect(queue.items()).toBe(queue.items());
    add('c');
    expect(queue.items().map(({ id, path }) => [id, path])).toEqual([[3, 'in/c']]);
    queue.clear();
    expect(queue.items()).toHaveLength(1);
    await vi.waitFor(() => expect(problems()).toEqual(['done ']));
  });

  it('aborts a file that is sent', async () => {
    let signal: AbortSignal | undefined;
    const { queue, add, problems } = queueWith((ask) => {
      ({ signal } = ask);
      return new Promise((_, reject) => ask.signal.addEventListener('abort', () => reject(new Error('stopped'))));
    });
    add('a');
    queue.cancel(1);
    await vi.waitFor(() => expect(problems()).toEqual(['cancelled ']));
    expect([signal?.aborted, (signal?.reason as Error | undefined)?.name]).toEqual([true, 'AbortError']);
    queue.cancel(1);
    queue.decide(1, 'replace');
    expect(problems()).toEqual(['cancelled ']);
  });

  it('is open until each file has ended', () => {
    const states = ['waiting', 'sending', 'asking', 'done', 'failed', 'cancelled', 'skipped'] as const;
    expect(states.filter((state) => isOpen({ state } as Upload))).toEqual(['waiting', 'sending', 'asking']);
  });
});
