import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { short } from '../lib/results.mjs';

const BARS = { 'without shell': 1, 'with shell': 3 };

/**
 * Measures the time of one judgement over the corpus: the median of each call's repeats, and the 50th and 99th
 * percentile of those medians.
 *
 * @returns {import('../lib/results.mjs').Result[]}
 */
export function judgeRows({ quick }) {
  const script = join(import.meta.dirname, 'judge.mjs');
  const answer = JSON.parse(execFileSync(process.execPath, [script, quick ? '5' : '41'], { encoding: 'utf8' }));
  const results = [
    {
      row: 'judge',
      measure: 'calls of the corpus, of them shell commands',
      value: answer.entries,
      unit: '',
      note: `${answer.shell} shell commands`,
    },
    {
      row: 'judge',
      measure: 'calls decided wrongly (strict)',
      value: answer.wrong.length,
      unit: '',
      op: '=',
      bar: 0,
      gate: 'count',
      note: answer.wrong.slice(0, 3).join('; '),
    },
  ];
  for (const [way, parts] of Object.entries(answer.ways))
    for (const [part, { p50, p99, max, slowest }] of Object.entries(parts))
      results.push({
        row: 'judge',
        measure: `${way}, ${part}, p99`,
        value: p99,
        unit: 'ms',
        op: '<=',
        bar: BARS[part],
        gate: 'absolute',
        note: `p50 ${short(p50)}, p99 ${short(p99)}, slowest ${short(max)} ms (${slowest})`,
      });
  return results;
}
