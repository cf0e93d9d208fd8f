import { expect, it } from 'vitest';
import { createDecisionCounters } from './decision-counters.ts';
import type { DecisionRecord } from './decision-record.ts';

const record = (more: Partial<DecisionRecord>): DecisionRecord => ({
  id: '1',
  time: '',
  wire: 'hook',
  tool: 't',
  decision: 'allow',
  rule: 'allowed',
  reason: '',
  paths: [],
  mode: 'enforce',
  ...more,
});

it('counts decisions by what was decided, and those that passed in a dry run', () => {
  const counters = createDecisionCounters();
  counters.count(record({}));
  counters.count(record({ undecidable: true }));
  counters.count(record({ mode: 'dry-run' }));
  counters.count(record({ decision: 'block', rule: 'outside-path' }));
  counters.count(record({ decision: 'block', rule: 'outside-path', mode: 'dry-run' }));
  counters.count(record({ decision: 'block', rule: 'failure' }));
  counters.countUnwritten(4);
  counters.countUnreachable();
  expect(counters.totals).toEqual({
    allowed: 3,
    blocked: 3,
    undecidable: 1,
    dryRun: 1,
    errors: 1,
    unwritten: 4,
    unreachable: 1,
  });
});

it('writes them for Prometheus', () => {
  const counters = createDecisionCounters();
  counters.count(record({ decision: 'block', rule: 'outside-path' }));
  counters.count(record({}));
  counters.count(record({}));
  counters.countUnreachable();
  const lines = counters.text().split('\n');
  expect(lines.filter((line) => !line.startsWith('#'))).toEqual([
    'croft_guard_decisions_total{decision="allow",rule="allowed"} 2',
    'croft_guard_decisions_total{decision="block",rule="outside-path"} 1',
    'croft_guard_undecidable_total 0',
    'croft_guard_dry_run_total 0',
    'croft_guard_errors_total 0',
    'croft_guard_log_errors_total 0',
    'croft_guard_upstream_errors_total 1',
    '',
  ]);
  expect(lines).toContain('# TYPE croft_guard_decisions_total counter');
});
