import { expect, it } from 'vitest';
import { withLogLine } from './log-lines.ts';

it('keeps the first hundred lines of a log, and says that there were more', () => {
  let lines: readonly string[] | undefined;
  for (let at = 1; at <= 100; at++) lines = withLogLine(lines, `${at}`);
  expect(lines).toHaveLength(100);
  const full = withLogLine(lines, '101');
  expect(full.slice(-2)).toEqual(['100', 'Further lines are left out.']);
  expect(withLogLine(full, '102')).toBe(full);
});
