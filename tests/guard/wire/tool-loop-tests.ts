import { expect, it } from 'vitest';
import type { FakeReply, GuardedPair } from './fake-upstream.ts';

const DOWN: FakeReply = { status: 500, body: '{"error":{"message":"down"}}' };

/**
 * Tests of a client's tool loop that are the same over every wire. `run` returns its last text, `ran` the paths of the calls that it
 * ran. `answer` makes a reply of the model: words, and calls that write to these paths. `down` is the failure of the wire.
 */
export function testToolLoop(client: {
  run: () => Promise<string>;
  pair: () => GuardedPair;
  ran: () => readonly string[];
  answer: (words: string, paths: readonly string[]) => FakeReply;
  down?: FakeReply;
}): void {
  const { run, pair, ran, answer, down = DOWN } = client;

  it('runs an ordinary call', async () => {
    pair().upstream.replies = [answer('I write.', ['src/a.ts']), answer('done', [])];
    expect(await run()).toBe('done');
    expect(ran()).toEqual(['src/a.ts']);
    expect(pair().upstream.requests).toHaveLength(2);
  });

  it('gets words and ends when the model insists', async () => {
    pair().upstream.replies = [answer('', ['/etc/cron.d/x'])];
    expect(await run()).toContain('was refused and not run');
    expect(ran()).toEqual([]);
    expect(pair().upstream.requests).toHaveLength(4);
  });

  it('ends with words when asking again fails', async () => {
    pair().upstream.replies = [answer('I write.', ['/etc/cron.d/x']), down];
    expect(await run()).toContain('was refused and not run');
    expect(ran()).toEqual([]);
  });
}
