import { expect, it } from 'vitest';
import { createCounters } from './counters.ts';

it('adds up counters by their labels', () => {
  const { count, text } = createCounters();
  count('turns_total', { end: 'complete' });
  count('turns_total', { end: 'complete' }, 2);
  count('turns_total', { end: 'a "quoted"\nname' });
  count('resets_total', {});
  expect(text()).toBe(
    [
      '# TYPE croft_assistant_turns_total counter',
      'croft_assistant_turns_total{end="complete"} 3',
      'croft_assistant_turns_total{end="a \\"quoted\\"\\nname"} 1',
      '# TYPE croft_assistant_resets_total counter',
      'croft_assistant_resets_total 1',
      '',
    ].join('\n'),
  );
});

it('counts a measure in every bucket that it fits into', () => {
  const { measure, text } = createCounters();
  for (const seconds of [0.1, 2, 1_000, 300, 0.01]) measure('seconds', { tool: 'read' }, seconds);
  measure('seconds', {}, 0.5);
  measure('other', { tool: 'read', kind: 'x' }, 0);
  expect(text().split('\n')).toEqual([
    '# TYPE croft_assistant_seconds histogram',
    ...['0.01', '0.1', '0.5', '1', '5', '20', '60', '300', '+Inf'].map(
      (bound, at) => `croft_assistant_seconds_bucket{tool="read",le="${bound}"} ${[1, 2, 2, 2, 3, 3, 3, 4, 5][at]}`,
    ),
    'croft_assistant_seconds_sum{tool="read"} 1302.11',
    'croft_assistant_seconds_count{tool="read"} 5',
    ...['0.01', '0.1', '0.5', '1', '5', '20', '60', '300', '+Inf'].map(
      (bound, at) => `croft_assistant_seconds_bucket{le="${bound}"} ${at < 2 ? 0 : 1}`,
    ),
    'croft_assistant_seconds_sum 0.5',
    'croft_assistant_seconds_count 1',
    '# TYPE croft_assistant_other histogram',
    ...['0.01', '0.1', '0.5', '1', '5', '20', '60', '300', '+Inf'].map(
      (bound) => `croft_assistant_other_bucket{tool="read",kind="x",le="${bound}"} 1`,
    ),
    'croft_assistant_other_sum{tool="read",kind="x"} 0',
    'croft_assistant_other_count{tool="read",kind="x"} 1',
    '',
  ]);
});
