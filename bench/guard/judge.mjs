// Measures judgements in a process of its own: every call of the corpus through `judgeToolCall`, which opens the
// project for each call, and through a persistent judge, as the proxy does. JSON on standard output.
import { createJudge, defaultPolicy, judgeToolCall, openPlace } from '../../packages/guard/dist/index.js';
import { expand, makeRoot, readCorpus } from '../../tests/guard/make-root.mjs';
import { median } from '../lib/measure.mjs';

const REPEATS = Number(process.argv[2] ?? 41);
const isShell = ({ file, class: name }) => file.startsWith('shell-') || name === 'over-long path';
/** Arguments of megabytes are refused by their size; the time to read them is not the cost of a call. */
const isHuge = (entry) => JSON.stringify(entry.call).includes('$repeat');

const tree = makeRoot();
process.env.HOME = tree.home;
const policy = { ...defaultPolicy(), strict: true };
const kept = createJudge(policy, openPlace(policy, tree.root));
const entries = readCorpus()
  .filter((entry) => !isHuge(entry))
  .map((entry) => ({ isShell: isShell(entry), entry, call: tree.fill(expand(entry.call)) }));

const WAYS = {
  judgeToolCall: (call) => judgeToolCall(call, policy, tree.root),
  'kept judge': (call) => kept.judge(call),
};
const answer = { entries: entries.length, shell: entries.filter((each) => each.isShell).length, wrong: [], ways: {} };
try {
  for (const { entry, call } of entries) {
    const { decision } = kept.judge(call);
    if (decision !== entry.expect) answer.wrong.push(`${entry.class}: ${JSON.stringify(entry.call).slice(0, 200)}`);
  }
  for (const [way, judge] of Object.entries(WAYS)) answer.ways[way] = measure(judge);
} finally {
  kept.close();
  tree.remove();
}
process.stdout.write(JSON.stringify(answer));

/** Round by round over the whole corpus, so that a call finds the caches in the state other calls left them. */
function measure(judge) {
  for (let round = 0; round < 5; round++) for (const { call } of entries) judge(call);
  const times = entries.map(() => []);
  for (let round = 0; round < REPEATS; round++)
    entries.forEach(({ call }, at) => {
      const start = process.hrtime.bigint();
      judge(call);
      times[at].push(Number(process.hrtime.bigint() - start) / 1e6);
    });
  const found = entries.map((each, at) => ({ isShell: each.isShell, entry: each.entry, ms: median(times[at]) }));
  return {
    'without shell': quantiles(found.filter((each) => !each.isShell)),
    'with shell': quantiles(found),
  };
}

function quantiles(found) {
  const sorted = [...found].sort((a, b) => a.ms - b.ms);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].ms;
  const slowest = sorted.at(-1);
  return {
    p50: at(0.5),
    p99: at(0.99),
    max: slowest.ms,
    slowest: `${slowest.entry.class}: ${slowest.entry.call.name}`,
  };
}
