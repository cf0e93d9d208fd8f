import { expect, it, vi } from 'vitest';
import { ApiError } from '../api/request.ts';
import { createMoveQueue, type Positions } from './move-queue.ts';

const at = (x: number) => ({ x, y: 0 });

/** A queue whose requests the test answers. */
function queueWithServer() {
  const sent: { positions: Positions; key: string; accept: () => void; refuse: (error: Error) => void }[] = [];
  const refused: unknown[] = [];
  const queue = createMoveQueue({
    send: (positions, key) =>
      new Promise((accept, refuse) => {
        sent.push({ positions, key, accept, refuse });
      }),
    onRefused: (error) => refused.push(error),
    pauseMs: 0,
    retryMs: 0,
  });
  const request = (index: number) => vi.waitFor(() => sent[index] ?? Promise.reject(new Error('not sent')));
  return { queue, sent, refused, request };
}

it('sends moves together, and keeps a position that changed during the request', async () => {
  const { queue, request } = queueWithServer();
  queue.move({ a: at(1) });
  queue.move({ a: at(2), b: at(3) });
  const first = await request(0);
  expect(first.positions).toEqual({ a: at(2), b: at(3) });
  queue.move({ a: at(4) });
  first.accept();
  const second = await request(1);
  expect(second.positions).toEqual({ a: at(4) });
  expect(queue.get().save).toBe('saving');
  second.accept();
  await vi.waitFor(() => expect(queue.get()).toEqual({ save: 'saved', positions: {} }));
});

it('keeps moves while the server does not answer, and sends them again under the same key', async () => {
  const { queue, request, refused } = queueWithServer();
  queue.move({ a: at(1) });
  const first = await request(0);
  first.refuse(new ApiError('offline', 'Croft does not answer.', 0));
  const second = await request(1);
  expect(queue.get().positions).toEqual({ a: at(1) });
  expect([second.positions, second.key]).toEqual([first.positions, first.key]);
  second.accept();
  await vi.waitFor(() => expect(queue.get().save).toBe('saved'));
  expect(refused).toEqual([]);
});

it('drops moves that the server refuses, and reports them', async () => {
  const { queue, request, refused } = queueWithServer();
  queue.move({ a: at(1) });
  const error = new ApiError('changed', 'The node is gone.', 409);
  (await request(0)).refuse(error);
  await vi.waitFor(() => expect(queue.get()).toEqual({ save: 'saved', positions: {} }));
  expect(refused).toEqual([error]);
});
