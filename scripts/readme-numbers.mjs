// The table of numbers in README.md, made from the tables in docs/results.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const RESULTS = join(dirname(fileURLToPath(import.meta.url)), '../docs/results');
const START = '<!-- numbers: written by npm run docs from docs/results -->';
const END = '<!-- /numbers -->';

/** Puts the table of numbers between its markers. Throws when a marker, or a row in docs/results, is missing. */
export function withNumbers(readme) {
  const [before, rest] = readme.split(START);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`README.md lacks ${START} … ${END}`);
  return `${before}${START}\n\n${numbersTable()}\n\n${END}${after}`;
}

function numbersTable() {
  const bench = benchTable('bench');
  const guard = benchTable('bench-guard');
  const server = benchTable('bench-server');
  const attack = attackNumbers();
  const conformance = conformanceNumbers();
  const rate = (row, measure) => compared(bench(row, measure).medians, '/s');
  const found = {
    two: bench('glob', 'official-2.0.1 search_files / croft, wall').medians,
    three: bench('glob', 'official-2026.8.31 search_files / croft, wall').medians,
  };
  const grep = bench('grep', 'literal, no hit: croft / rg -j1, CPU').medians;
  const sse = guard('sse, 1', 'guard, CPU a request (goal: 600)').medians;
  const judged = guard('judge', 'calls of the corpus, of them shell commands').value;
  const megabytes = bench('grep', 'text in the tree').value;
  const rows = [
    [
      `escapes in ${attack.attempts} attacked calls, ${attack.cells} kinds of attack`,
      `**${attack.escapes}**`,
      `${attack.twins} by the same operations without protection`,
      'attack',
    ],
    ['reading 4 KB, one by one', ...rate('read', 'croft, 4 KB, one by one'), 'bench'],
    ['reading 4 KB, 32 at once', ...rate('read', 'croft, 4 KB, 32 at once')],
    ['editing 4 KB', ...rate('edit', 'croft, 4 KB')],
    ['writing 4 KB (Croft: atomic, old content kept)', ...rate('write', 'croft, 4 KB')],
    [
      `finding 60 files among ${count(bench('glob', 'files in the tree').value)} by name`,
      `${found.two.croft} ms`,
      `official server 2.0.1: ${count(found.two['official-2.0.1'])} ms; 2026.8.31: ${count(found.three['official-2026.8.31'])} ms`,
    ],
    [`searching ${megabytes} for a text, CPU`, `${grep.croft} ms`, `\`rg -j1\`: ${grep['rg -j1']} ms`],
    ['start to the first answer', ...compared(bench('start', 'croft, spawn to tools/list').medians, ' ms')],
    [
      '100 lines from the middle of 1 GiB, second time',
      bench('large', '100 lines from the middle of 1 GiB, once indexed').value,
      '',
    ],
    [
      'a streamed reply of 40 parts through the guard, CPU',
      `${count(sse.guard)} µs`,
      `a bare pipe: ${count(sse.pipe)} µs; Portkey: ${count(sse.portkey)} µs`,
      'bench-guard',
    ],
    [
      `tool calls of Croft's own corpus (${count(judged)}) that the guard decides wrongly in strict mode`,
      `**${guard('judge', 'calls decided wrongly (strict)').value}**`,
      '',
    ],
    [
      'an idle connected machine, 5,000 on one process',
      server('machines', '5000 idle, each').value,
      '',
      'bench-server',
    ],
    [
      'reading a file of a connected machine, over a local read',
      server('read-file', 'p50 over the local read').value,
      '',
    ],
    [
      'MCP conformance: checks passed',
      `${conformance.passed}`,
      `${conformance.failed} failed; the page gives the reasons`,
      'conformance',
    ],
  ];
  const lines = rows.map(
    ([what, croft, others, file]) =>
      `| ${what} | ${croft} | ${others} | ${file === undefined ? '' : `[${file}](docs/results/${file}.md)`} |`,
  );
  return ['| | Croft | Measured against | |', '|---|---|---|---|', ...lines].join('\n');
}

const read = (name) => readFileSync(join(RESULTS, `${name}.md`), 'utf8');
const count = (text) => Number(text).toLocaleString('en');

/** Rows of a bench by row and measure: the value with its unit, and the medians by subject. */
function benchTable(name) {
  const rows = read(name)
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2, -2).split(' | '));
  return (row, measure) => {
    const found = rows.find((cells) => cells[0] === row && cells[1] === measure);
    if (found === undefined) throw new Error(`docs/results/${name}.md has no row "${row} | ${measure}"`);
    const medians = [...(found[5] ?? '').matchAll(/([a-z][^,]*?) ([\d.]+)(?=,| |$)/g)];
    return {
      value: found[2],
      medians: Object.fromEntries(medians.map(([, subject, value]) => [subject.trim(), value])),
    };
  };
}

function compared(medians, unit) {
  const of = (subject) => `${count(medians[subject])}${unit.startsWith('/') ? ` ${unit}` : unit}`;
  return [of('croft'), `official server 2.0.1: ${of('official-2.0.1')}; 2026.8.31: ${of('official-2026.8.31')}`];
}

function attackNumbers() {
  const found =
    /(\d+) of (\d+) cells hold\. \*\*(\d+) escapes in ([\d,]+) attempts\*\*[^;]*; the\s+unprotected twins lost ([\d,]+)/.exec(
      read('attack'),
    );
  if (found === null) throw new Error('docs/results/attack.md has no line of totals');
  const [, , cells, escapes, attempts, twins] = found;
  return { cells, escapes, attempts, twins };
}

function conformanceNumbers() {
  const rows = [...read('conformance').matchAll(/^\|[^|]+\|[^|]+\| (?:croft|fixture) \| (\d+) \| (\d+) \|$/gm)];
  if (rows.length === 0) throw new Error('docs/results/conformance.md has no rows');
  const sum = (index) => rows.reduce((total, row) => total + Number(row[index]), 0);
  return { passed: sum(1), failed: sum(2) };
}
