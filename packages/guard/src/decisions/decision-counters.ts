import type { DecisionRecord } from './decision-record.ts';

/** Counters of one process since its start, for Prometheus. */
export interface DecisionCounters {
  count(record: DecisionRecord): void;
  /** Counts records that could not be written to the file. */
  countUnwritten(records: number): void;
  /** Counts a request that did not reach its upstream. */
  countUnreachable(): void;
  readonly totals: DecisionTotals;
  /** The counters in the Prometheus text format 0.0.4. */
  text(): string;
}

/** Numbers of decisions since the start. */
export interface DecisionTotals {
  readonly allowed: number;
  readonly blocked: number;
  /** Calls that the judge could not decide; the mode decided them. */
  readonly undecidable: number;
  /** Calls that passed because of `mode: dry-run` and would otherwise have been blocked. */
  readonly dryRun: number;
  /** Calls blocked because the guard itself failed. */
  readonly errors: number;
  readonly unwritten: number;
  /** Requests whose upstream could not be reached, including those that ask the model again. */
  readonly unreachable: number;
}

/** Creates counters at zero. The labels are `decision` and `rule`; their values are the guard's own words. */
export function createDecisionCounters(): DecisionCounters {
  const byRule = new Map<string, number>();
  const totals = { allowed: 0, blocked: 0, undecidable: 0, dryRun: 0, errors: 0, unwritten: 0, unreachable: 0 };
  return {
    totals,
    count({ decision, rule, undecidable, mode }) {
      const labels = `decision="${decision}",rule="${rule}"`;
      byRule.set(labels, (byRule.get(labels) ?? 0) + 1);
      if (decision === 'allow') totals.allowed++;
      else totals.blocked++;
      if (undecidable) totals.undecidable++;
      if (decision === 'block' && mode === 'dry-run') totals.dryRun++;
      if (rule === 'failure') totals.errors++;
    },
    countUnwritten(records) {
      totals.unwritten += records;
    },
    countUnreachable() {
      totals.unreachable++;
    },
    text() {
      const { undecidable, dryRun, errors, unwritten, unreachable } = totals;
      return [
        ...family('decisions', 'Tool calls judged, by what was decided and by which rule.', [...byRule].sort()),
        ...family('undecidable', 'Tool calls that could not be decided; the mode decided them.', [['', undecidable]]),
        ...family('dry_run', 'Tool calls that would have been blocked and passed in a dry run.', [['', dryRun]]),
        ...family('errors', 'Tool calls blocked because the guard itself failed.', [['', errors]]),
        ...family('log_errors', 'Decisions that could not be written to the log file.', [['', unwritten]]),
        ...family('upstream_errors', 'Requests whose upstream could not be reached, including repeated ones.', [
          ['', unreachable],
        ]),
        '',
      ].join('\n');
    },
  };
}

function family(name: string, help: string, samples: readonly (readonly [string, number])[]): readonly string[] {
  const full = `croft_guard_${name}_total`;
  return [
    `# HELP ${full} ${help}`,
    `# TYPE ${full} counter`,
    ...samples.map(([labels, value]) => `${full}${labels === '' ? '' : `{${labels}}`} ${value}`),
  ];
}
