import { expect, it } from 'vitest';
import { leastCpuMs, yardstickMs } from '../../../tests/support/yardstick.ts';
import { explainError } from './explain-error.ts';

const SECRET = `${'a'.repeat(50_000)}b${'a'.repeat(50_000)}`;
const explain = (message: string) =>
  explainError(new Error(message), { provider: 'OpenAI', variables: [], secrets: [SECRET] }).message;

it("shows no key in a provider's own words", () => {
  expect(explain(`no user has ${SECRET}, try another`)).toContain('no user has [redacted], try another');
});

it('searches a long message for a long key in time in proportion to both', () => {
  const text = 'a'.repeat(200_000);
  // More than 200 with replaceAll.
  expect(leastCpuMs(() => explain(text), 2) / yardstickMs()).toBeLessThan(50);
});
