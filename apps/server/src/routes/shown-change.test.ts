import { expect, it } from 'vitest';
import { shownChange } from './shown-change.ts';

it('gives the change for the response, and sends it to open pages', async () => {
  const sent: unknown[][] = [];
  const events = { send: (...args: unknown[]) => void sent.push(args) };
  const change = {
    notice: { id: 'f', version: 4, userIds: ['ann', 'bob'] },
    updatedAt: new Date('2026-01-02T03:04:05Z'),
    version: 4,
    edits: ['e'],
    between: ['b'],
    more: 'not shown',
  };
  expect(await shownChange(events as never, Promise.resolve(change) as never)).toEqual({
    version: 4,
    updatedAt: '2026-01-02T03:04:05.000Z',
    edits: ['e'],
    between: ['b'],
  });
  expect(sent.map(([userId]) => userId)).toEqual(['ann', 'bob']);
  await expect(shownChange(events as never, Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(sent).toHaveLength(2);
});
