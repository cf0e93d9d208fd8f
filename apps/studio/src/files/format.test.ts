import { describe, expect, it } from 'vitest';
import { formatBytes, formatUntil, formatWhen } from './format.ts';

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
