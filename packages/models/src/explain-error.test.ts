import { expect, it } from 'vitest';
import { costOf } from '../../../tests/support/yardstick.ts';
import { explainError } from './explain-error.ts';

const SECRET = `${'a'.repeat(50_000)}b${'a'.repeat(50_000)}`;
const explain = (message: string) =>
  explainError(new Error(message), { provider: 'OpenAI', variables: [], secrets: [SECRET] }).message;

it("shows no key in a provider's own words", () => {
  expect(explain(`no user has ${SECRET}, try another`)).toContain('no user has [redacted], try another');
});

it('searches a long message for a long key in time in proportion to both', async () => {
  const text = 'a'.repeat(200_000);
  // More than 200 with replaceAll.
  await expect.poll(() => costOf(() => explain(text))).toBeLessThan(50);
});

it.each([
  [{ statusCode: 401 }, 'authentication'],
  [{ statusCode: 403 }, 'authentication'],
  [{ statusCode: 402 }, 'quota'],
  [{ statusCode: 429 }, 'rate_limit'],
  [{ statusCode: 429, message: 'insufficient_quota' }, 'quota'],
  [{ statusCode: 408 }, 'timeout'],
  [{ statusCode: 504 }, 'timeout'],
  [{ statusCode: 500 }, 'server_error'],
  [{ statusCode: 400, message: 'blocked by the content policy' }, 'content_filter'],
  [{ statusCode: 400 }, 'bad_request'],
  [{ name: 'AbortError' }, 'cancelled'],
  [{ name: 'TimeoutError' }, 'timeout'],
  [{ message: 'fetch failed' }, 'unreachable'],
  [{ message: 'other', cause: { code: 'ECONNREFUSED' } }, 'unreachable'],
])('explains the failure %j of a provider as %s', (failure, code) => {
  const error = Object.assign(new Error('failed'), failure);
  expect(explainError(error, { provider: 'OpenAI', variables: [], secrets: [] }).code).toBe(code);
});

it("does not repeat a provider's words about a key that it refused", () => {
  const error = Object.assign(new Error('Incorrect API key: sk-12345'), { statusCode: 401 });
  expect(explainError(error, { provider: 'OpenAI', variables: [], secrets: [] }).message).not.toContain('sk-12345');
});
