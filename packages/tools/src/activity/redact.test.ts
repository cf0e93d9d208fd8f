import { describe, expect, it } from 'vitest';
import { costOf } from '../../../../tests/support/yardstick.ts';
import { redactedPattern } from './redact.ts';

describe('a pattern in the log', () => {
  it.each([
    ['TODO'],
    ['**/*.{ts,tsx}'],
    ['function handleRequest('],
    ['\\bpassword\\b'],
    ['a-very-long-name-of-a-component-without-numbers'],
  ])('stays as it is: %s', (pattern) => expect(redactedPattern(pattern)).toBe(pattern));

  it.each([
    ['password=hunter2', 'password=[redacted]'],
    ['"api_key": "abc"', '"api_key": "[redacted]"'],
    ['TOKEN = x.y', 'TOKEN = [redacted]'],
    ['postgres://me:pw@db/x', 'postgres://me:[redacted]@db/x'],
    ['ghp_16C7e42F292c6912E7710c838347Ae178B4a', '[redacted]'],
    ['AKIAIOSFODNN7EXAMPLE in a line', '[redacted] in a line'],
    ['sk-proj-4f9a8b7c6d5e4f3a2b1c', '[redacted]'],
  ])('loses what looks like a secret: %s', (pattern, shown) => expect(redactedPattern(pattern)).toBe(shown));

  it('is short and printable, and takes linear time', async () => {
    expect(redactedPattern('a b\u001b[2J\n')).toBe('a b\\u001b[2J\\u000a');
    for (const part of ['x ', 'a', 'token', '://']) {
      const long = part.repeat(1_000_000 / part.length);
      expect(redactedPattern(long).length).toBeLessThan(310);
      await expect.poll(() => costOf(() => redactedPattern(long)), { message: part }).toBeLessThan(50);
    }
  });
});
