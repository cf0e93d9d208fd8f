import { expect, it, vi } from 'vitest';
import type { AssistantEvent } from './events.ts';
import { TurnEnding } from './turn-ending.ts';

it('the end of a turn adds up its tokens and its time, and names the point to restore', () => {
  vi.spyOn(performance, 'now').mockReturnValueOnce(1_000).mockReturnValue(3_500.4);
  const ending = new TurnEnding();
  ending.count(10, 3);
  ending.count(5, 2);
  expect(ending.totalTokens).toBe(20);
  expect(ending.end()).toMatchObject({
    usage: { input_tokens: 15, output_tokens: 5, total_tokens: 20 },
    duration_seconds: 2.5,
  });
  expect(ending.end()).not.toHaveProperty('restore_point_id');
  ending.restorePoint = 'p';
  expect(ending.end()).toMatchObject({ restore_point_id: 'p' });
  vi.restoreAllMocks();
});

it('keeps all events but tokens', () => {
  const ending = new TurnEnding();
  const [token, other] = [{ event: 'token' }, { event: 'progress' }] as unknown as AssistantEvent[];
  ending.add(token as AssistantEvent);
  ending.add(other as AssistantEvent);
  expect(ending.events).toEqual([other]);
});
