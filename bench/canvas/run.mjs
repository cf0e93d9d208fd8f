/**
 * Measures the canvas of the studio in Chromium, against a bare React Flow page: `npm run bench:canvas`.
 *
 * --rows a,b   only these rows: frames, script, renders, open, answer, events
 * --quick      few and short rounds; gates on counts only
 *
 * Ends with 1 when a bar is missed. A full run of all rows writes docs/results/bench-canvas.md.
 */
import { parseArgs } from 'node:util';
import { buildStudioOnce } from '../../tests/browser/open-studio.ts';
import { launchChromium } from '../../tests/browser/launch-chromium.ts';
import { asTable, describeBench, loadOfMachine, writeBench } from '../lib/report.mjs';
import { verdict } from '../lib/results.mjs';
import { answerRows } from './answer-rows.mjs';
import { eventRows, frameRows, mountRows, renderRows, scriptRows } from './rows.mjs';
import { openSubjects } from './subjects.mjs';

const COUNTS = [300, 1_000, 3_000];
const ABOUT = { name: 'bench-canvas', title: 'Bench of the canvas', command: 'npm run bench:canvas' };
const FULL = { rounds: 5, ms: 2_500, restMs: 8_000 };
const QUICK = { rounds: 1, ms: 1_000, restMs: 5_000 };

const { values: options } = parseArgs({
  options: { rows: { type: 'string' }, quick: { type: 'boolean', default: false } },
});
const ROWS = {
  frames: ({ subjects, size }) => frameRows(subjects, COUNTS, size),
  script: ({ subjects, browser, size }) => scriptRows(subjects, browser, COUNTS, size),
  renders: ({ subjects, size }) => renderRows(subjects, 1_000, size),
  open: ({ subjects, size }) => mountRows(subjects, 1_000, size),
  answer: ({ subjects, size }) => answerRows(subjects, 1_000, size),
  events: ({ subjects, size }) => eventRows(subjects, 1_000, size),
};
const wanted = options.rows?.split(',') ?? Object.keys(ROWS);
const unknown = wanted.filter((name) => !(name in ROWS));
if (unknown.length > 0) {
  console.error(`There is no row ${unknown.join(', ')}. Rows: ${Object.keys(ROWS).join(', ')}.`);
  process.exit(2);
}
process.exitCode = await main();

async function main() {
  await buildStudioOnce();
  const launched = await launchChromium();
  const subjects = await openSubjects(launched.browser, COUNTS);
  const run = describeBench([
    { name: 'chromium', version: launched.browser.version(), command: '@sparticuz/chromium' },
  ]);
  const results = [];
  try {
    const size = options.quick ? QUICK : FULL;
    for (const name of wanted) {
      console.log(`measuring: ${name}`);
      results.push(...(await ROWS[name]({ subjects, browser: launched.browser, size })));
    }
  } finally {
    await launched.close();
    await subjects.stop();
  }
  console.log(asTable(results, options.quick));
  const isWhole = !options.quick && wanted.length === Object.keys(ROWS).length;
  if (isWhole) console.log(writeBench({ ...run, loadAfter: loadOfMachine() }, results, ABOUT));
  return results.every((result) => verdict(result, options.quick) !== 'MISS') ? 0 : 1;
}
