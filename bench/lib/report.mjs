import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { short, verdict } from './results.mjs';

const REPO = fileURLToPath(new URL('../../', import.meta.url));

/** What a number means nothing without: commit, machine, Node, load, and who was measured how. */
export function describeRun(subjects) {
  return {
    commit:
      git('rev-parse', 'HEAD') +
      (git('status', '--porcelain', '--untracked-files=no') === '' ? '' : ' with uncommitted changes'),
    date: new Date().toISOString(),
    machine: `${cpus().length} x ${cpus()[0]?.model.trim() ?? 'unknown'}, ${short(totalmem() / 1e9)} GB, ${type()} ${release()}`,
    node: process.version,
    loadBefore: loadavg().map((value) => Number(value.toFixed(2))),
    subjects,
  };
}

function git(...args) {
  try {
    return execFileSync('git', args, { cwd: REPO, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return 'unknown';
  }
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

/** Writes docs/results/NAME.json, with every round, and NAME.md, to be read. */
export function writeResults(run, results, about = BENCH) {
  const dir = join(REPO, 'docs/results');
  mkdirSync(dir, { recursive: true });
  const judged = results.map((result) => ({ ...result, verdict: verdict(result, false) }));
  writeFileSync(join(dir, `${about.name}.json`), `${JSON.stringify({ ...run, results: judged }, rounded, 1)}\n`);
  writeFileSync(join(dir, `${about.name}.md`), asMarkdown(run, results, about));
  return dir;
}

function rounded(_key, value) {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value;
}

function asMarkdown(run, results, { title, command }) {
  const rows = results.map((result) => {
    const verdictText = verdict(result, false);
    return `| ${[result.row, result.measure, `${short(result.value)} ${result.unit}`.trim(), barOf(result), verdictText, result.note ?? ''].map(escapeCell).join(' | ')} |`;
  });
  return `# ${title}

Written by \`${command}\`. Ratios are medians of ratios round by round, the subjects taking turns in every round.

- commit ${run.commit}
- ${run.date}
- ${run.machine}
- Node ${run.node}; load average ${run.loadBefore.join(' ')} before, ${run.loadAfter.join(' ')} after
${run.subjects.map(({ name, version, command }) => `- ${name}: ${version}, \`${command}\``).join('\n')}

| row | measure | value | bar | | medians |
|---|---|---:|---:|---|---|
${rows.join('\n')}
`;
}

function escapeCell(text) {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
