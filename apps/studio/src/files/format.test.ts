import { describe, expect, it } from 'vitest';
import { formatBytes, formatExactly, formatUntil, formatWhen } from './format.ts';

describe('numbers to read', () => {
  it('are sizes with few digits', () => {
    expect([0, 999, 1024, 1536, 10_239, 1_048_576, 5_000_000_000].map(formatBytes)).toEqual([
      '0 B',
      '999 B',
      '1.0 KB',
      '1.5 KB',
      '10 KB',
      '1.0 MB',
      '4.7 GB',
    ]);
  });

  it('are times that were, near ones relative', () => {
    const now = Date.parse('2030-05-20T12:00:00Z');
    const before = (seconds: number) => formatWhen(new Date(now - seconds * 1000).toISOString(), now);
    expect([5, 60, 3_600, 86_400].map(before)).toEqual(['just now', '1 min. ago', '1 hr. ago', 'yesterday']);
    expect(before(30 * 86_400)).toMatch(/Apr/);
    expect(formatWhen('never', now)).toBe('');
  });

  it('are times to come, near ones relative', () => {
    const now = Date.parse('2030-05-20T12:00:00Z');
    const after = (seconds: number) => formatUntil(new Date(now + seconds * 1000).toISOString(), now);
    expect([-60, 5, 20, 3_600, 86_400].map(after)).toEqual(['now', 'now', 'in 1 min.', 'in 1 hr.', 'tomorrow']);
    expect(after(30 * 86_400)).toMatch(/Jun/);
    expect(formatUntil('never', now)).toBe('');
  });
});

it('rounds sizes and times at their borders', () => {
  expect([1023, 10_188, 10_189, 1024 ** 3, 1024 ** 4 * 2048].map(formatBytes)).toEqual([
    '1023 B',
    '9.9 KB',
    '10 KB',
    '1.0 GB',
    '2048 TB',
  ]);
  const now = Date.parse('2030-05-20T12:00:00Z');
  const at = (seconds: number) => new Date(now + seconds * 1000).toISOString();
  expect([44, 45, 3_569, 3_570, 86_399, 86_400, 6 * 86_400].map((ago) => formatWhen(at(-ago), now))).toEqual([
    'just now',
    '1 min. ago',
    '59 min. ago',
    '1 hr. ago',
    '24 hr. ago',
    'yesterday',
    '6 days ago',
  ]);
  expect([14, 15, 120, 7_200, 3 * 86_400].map((to) => formatUntil(at(to), now))).toEqual([
    'now',
    'in 1 min.',
    'in 2 min.',
    'in 2 hr.',
    'in 3 days',
  ]);
  // Noon, so that zones of Europe and America have the same day.
  expect([formatWhen(at(-7 * 86_400), now), formatUntil(at(7 * 86_400), now)]).toEqual([
    'May 13, 2030',
    'May 27, 2030',
  ]);
});

it('writes a full time in the zone of the page', () => {
  expect(formatExactly('2030-05-20T12:34:56')).toMatch(/^May 20, 2030, 12:34:56\sPM$/);
  expect(formatExactly('never')).toBe('');
});
