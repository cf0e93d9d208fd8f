import { describe, expect, it } from 'vitest';
import { leastCpuMs, yardstickMs } from '../../../../tests/support/yardstick.ts';
import { OPERATORS } from '../values.ts';
import { splitInto } from './split-text.ts';

// Built-in components run in the process of the server: a large input must not hold the requests of others.
const cost = (work: () => unknown): number => leastCpuMs(work, 2) / yardstickMs();
const repeated = (size: number) => 'a'.repeat(size);

describe('a large input', () => {
  it('is searched for a text in time in proportion to both', () => {
    const [text, wanted] = [repeated(200_000), `${repeated(50_000)}b${repeated(50_000)}`];
    for (const name of ['contains', 'not contains'])
      expect(
        cost(() => OPERATORS[name]?.(text, wanted)),
        name,
      ).toBeLessThan(50);
    expect(OPERATORS['contains']?.(`${text}b${text}`, wanted)).toBe(true);
  });

  it('is split at a long separator in time in proportion to both', () => {
    const [text, separator] = [repeated(200_000), `${repeated(50_000)}b`];
    expect(cost(() => splitInto(text, 150_000, 0, [separator]))).toBeLessThan(50);
    expect(cost(() => splitInto(text.slice(0, 20_000), 1, 0, [separator]))).toBeLessThan(50);
    expect(splitInto(`${text}${separator}c`, 300_000, 0, [separator])).toHaveLength(1);
    expect(splitInto(`${text}${separator}ccc`, 250_002, 0, [separator])).toEqual([`${text}${separator}`, 'ccc']);
  });
});
