import { loadavg } from 'node:os';
import { describeRun, runLines, writeResults } from '../../scripts/write-results.mjs';
import { short, verdict } from './results.mjs';

/** Describes this run: commit, machine, Node, the load before it, and the programs that are measured. */
export function describeBench(subjects) {
  return { ...describeRun(), loadBefore: loadOfMachine(), subjects };
}

/** The load averages of the machine. */
export function loadOfMachine() {
  return loadavg().map((value) => Number(value.toFixed(2)));
}

/** The results as lines for a terminal. */
export function asTable(results, quick) {
  const cells = results.map((result) => [
    result.row,
    result.measure,
    `${short(result.value)} ${result.unit}`.trim(),
    barOf(result),
    verdict(result, quick),
    result.note ?? '',
  ]);
  const head = ['row', 'measure', 'value', 'bar', '', 'medians'];
  const widths = head.map((title, i) => Math.max(title.length, ...cells.map((cell) => cell[i].length)));
  const line = (cell) =>
    cell
      .map((text, i) => (i === 2 || i === 3 ? text.padStart(widths[i]) : text.padEnd(widths[i])))
      .join('  ')
      .trimEnd();
  return [line(head), ...cells.map(line)].join('\n');
}

function barOf({ op, bar, unit }) {
  return bar === undefined ? '' : `${op} ${short(bar)} ${unit}`.trim();
}

/** What `npm run bench` calls its results. */
const BENCH = { name: 'bench', title: 'Bench', command: 'npm run bench' };

/** Writes docs/results/NAME.md; returns its path. */
export function writeBench(run, results, about = BENCH) {
  return writeResults(about.name, asMarkdown(run, results, about));
}

function asMarkdown(run, results, { title, command }) {
  const rows = results.map((result) => {
    const verdictText = verdict(result, false);
    return `| ${[result.row, result.measure, `${short(result.value)} ${result.unit}`.trim(), barOf(result), verdictText, result.note ?? ''].map(escapeCell).join(' | ')} |`;
  });
  return `# ${title}

Written by \`${command}\`. Ratios are medians of ratios round by round, the subjects taking turns in every round.

${runLines(run, [
  `load average ${run.loadBefore.join(' ')} before, ${run.loadAfter.join(' ')} after`,
  ...(run.files ? [`files ${run.files}`] : []),
  ...run.subjects.map(({ name, version, command: started }) => `${name}: ${version}, \`${started}\``),
])}

| row | measure | value | bar | | medians |
|---|---|---:|---:|---|---|
${rows.join('\n')}
`;
}

function escapeCell(text) {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
