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

const context = { provider: 'OpenAI', variables: ['A_KEY', 'A_URL'], secrets: ['hunter2', 'abc'] };
const explained = (failure: object, message = 'failed') => {
  const { code, message: text, fix } = explainError(Object.assign(new Error(message), failure), context);
  return [code, text, fix];
};

it.each([
  [
    { statusCode: 401 },
    'OpenAI: Authentication failed. Check your API key.',
    'Set A_KEY and A_URL to a valid key of OpenAI.',
  ],
  [
    { statusCode: 429 },
    'OpenAI: Rate limit exceeded. Please wait a moment and try again. Details: failed',
    'Wait a minute, send fewer requests at once, or use a model of another provider.',
  ],
  [
    { statusCode: 402 },
    'OpenAI: API quota exceeded. Please check your account billing. Details: failed',
    'Check the plan and billing of your OpenAI account, or use another provider.',
  ],
  [
    { statusCode: 504 },
    'OpenAI: Request timed out. Please try again. Details: failed',
    'Try again, or use a faster model.',
  ],
  [
    { code: 'ECONNRESET' },
    'OpenAI: Connection error. Please check your network and try again. Details: failed',
    'Check the network. If you set another address for OpenAI, check that a server answers there.',
  ],
  [
    { statusCode: 500 },
    'OpenAI: Server error. Please try again later. Details: failed',
    'Try again later, or use another provider while OpenAI has a problem.',
  ],
  [
    { statusCode: 400, message: 'safety system' },
    'OpenAI: Request blocked by content policy. Please modify your prompt. Details: safety system',
    'Change the request and try again.',
  ],
  [
    { statusCode: 499 },
    'OpenAI: The provider rejected the request. Details: failed',
    'Shorten the request, or choose a model that supports what the request uses.',
  ],
  [
    {},
    'OpenAI: The provider sent a reply that is not valid. Details: failed',
    'Check that the address of OpenAI is the API and not a web page, then try again.',
  ],
  [{ name: 'ResponseAborted' }, 'OpenAI: The request was cancelled. Details: failed', 'Start the request again.'],
])('says for %j what happened and what to do', (failure, message, fix) => {
  expect(explained(failure).slice(1)).toEqual([message, fix]);
});

it.each([
  ['insufficient_quota', 'quota'],
  ['your credit balance is low', 'quota'],
  ['Check your billing', 'quota'],
  ['You exceeded your current quota. RESOURCE_EXHAUSTED', 'quota'],
  ['Rate limit reached. Upgrade at https://console.groq.com/settings/billing', 'rate_limit'],
  ['Too many requests', 'rate_limit'],
  ['RESOURCE_EXHAUSTED', 'rate_limit'],
  ['Incorrect API key', 'authentication'],
  ['Unauthorized', 'authentication'],
  ['Overloaded', 'server_error'],
  ['internal error', 'server_error'],
  ['content_filter', 'content_filter'],
  ['JSON parsing failed: <html>', 'bad_reply'],
  ['Type validation failed', 'bad_reply'],
  ['terminated', 'unreachable'],
  ['getaddrinfo EAI_AGAIN x', 'unreachable'],
  ['determinated', 'bad_reply'],
])('reads a failure without a status by its words: %s', (message, code) => {
  expect(explained({}, message)[0]).toBe(code);
});

it.each([
  [400, 'API key not valid', 'authentication'],
  [400, 'billing', 'quota'],
  [429, 'Rate limit reached. Upgrade at https://console.groq.com/settings/billing', 'rate_limit'],
  [429, 'You exceeded your current quota, please check your plan and billing details.', 'quota'],
  [429, 'Your credit balance is too low', 'quota'],
  [500, 'JSON parsing failed', 'bad_reply'],
  [299, 'other', 'bad_reply'],
  [300, 'other', 'bad_request'],
  [503, 'other', 'server_error'],
])('reads the status %d with the words %s as %s', (statusCode, message, code) => {
  expect(explained({ statusCode }, message)[0]).toBe(code);
});

it('passes on a reason of the network guard, without keys, and the last one of several failures', () => {
  const refused = Object.assign(new Error('No hunter2 there.'), { name: 'NetworkError', fix: 'Use another address.' });
  expect(explained({ cause: { cause: refused } })).toEqual([
    'unreachable',
    'OpenAI: No [redacted] there.',
    'Use another address.',
  ]);
  expect(explained({ lastError: Object.assign(new Error('x'), { statusCode: 429 }) })[0]).toBe('rate_limit');
  const known = explainError(refused, context);
  expect(explainError(known, context)).toBe(known);
});

it.each([
  ['a  b\n c', 'a b c'],
  ['hunter2 and abc', '[redacted] and abc'],
  ['key sk-123456 and gsk_abcdef and pk-1*****', 'key [redacted] and [redacted] and [redacted]'],
  ['AIza0123456789 Bearer a.b.c d', '[redacted] [redacted] d'],
  ['sk-12345', 'sk-12345'],
  ['x'.repeat(300), 'x'.repeat(300)],
  ['x'.repeat(301), `${'x'.repeat(300)}…`],
])('shows of %j the detail %j', (message, detail) => {
  expect(explained({}, message)[1]).toBe(`OpenAI: The provider sent a reply that is not valid. Details: ${detail}`);
});

it('explains a model that is not available, and hides secrets of four characters', () => {
  const failure = { statusCode: 404, message: 'model_not_found: key hunt and abc' };
  const four = { ...context, secrets: ['hunt', 'abc'] };
  const { code, message } = explainError(Object.assign(new Error(failure.message), failure), four);
  expect([code, message]).toEqual([
    'model_unavailable',
    'OpenAI: Model not available. Please select a different model. Details: model_not_found: key [redacted] and abc',
  ]);
});
