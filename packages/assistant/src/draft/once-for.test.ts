import { expect, it, vi } from 'vitest';
import { onceFor } from './once-for.ts';

it('finds once for each object', () => {
  const find = vi.fn(({ name }: { name: string }) => [name]);
  const once = onceFor(find);
  const [a, b] = [{ name: 'same' }, { name: 'same' }];
  expect([once(a), once(b), once(a)]).toEqual([['same'], ['same'], ['same']]);
  expect(find.mock.calls).toEqual([[a], [b]]);
  expect(once(a)).toBe(once(a));
});
