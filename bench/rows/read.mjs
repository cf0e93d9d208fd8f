import { callText, withServers } from '../lib/servers.mjs';
import { interleave, median, medians, ratios } from '../lib/measure.mjs';
import { callRate } from '../lib/load.mjs';
import { tell } from '../lib/results.mjs';
import { makeSamples } from '../lib/samples.mjs';

const BARS = {
  1: { 'official-2.0.1': 1.5, 'official-2026.8.31': 1.5, bare: 0.9 },
  32: { 'official-2.0.1': 2.2, 'official-2026.8.31': 1.6, bare: 0.9 },
};

/** `read_file` of 4 KB files, one after another and 32 at once. */
export async function run(ctx) {
  const dir = ctx.makeDir('read');
  const samples = makeSamples(dir, 64);
  const servers = [ctx.croft, ...(ctx.peers ? ctx.officials : []), ctx.bare];
  return withServers(servers, { dir, env: ctx.env }, async (sessions) => {
    for (const session of sessions) await checkAnswers(session, dir, samples);
    const results = [];
    for (const atOnce of [1, 32]) {
      const count = ctx.quick ? 400 : 2_000;
      const subjects = Object.fromEntries(
        sessions.map(({ server, client }) => [
          server.name,
          () => callRate(client, loadOf(server, dir, samples, count, atOnce)),
        ]),
      );
      for (const subject of Object.values(subjects)) await subject();
      const rates = await interleave(ctx.quick ? 5 : 11, subjects);
      results.push(...judge(rates, atOnce));
    }
    return results;
  });
}

/** The load for the rate rows and the memory rows. */
export function loadOf(server, dir, samples, count, atOnce) {
  return {
    count,
    atOnce,
    call: (i) => server.read(dir, samples[i % samples.length].path),
    mark: (i) => samples[i % samples.length].mark,
  };
}

function judge(rates, atOnce) {
  const how = atOnce === 1 ? 'one by one' : `${atOnce} at once`;
  const told = medians(rates);
  const results = [
    {
      row: 'read',
      measure: `croft, 4 KB, ${how}`,
      value: told.croft,
      unit: '/s',
      note: tell(told, '/s'),
      samples: rates,
    },
  ];
  for (const [peer, bar] of Object.entries(BARS[atOnce])) {
    if (!rates[peer]) continue;
    const value = median(ratios(rates.croft, rates[peer]));
    results.push({ row: 'read', measure: `croft / ${peer}, ${how}`, value, unit: 'x', op: '>=', bar, gate: 'ratio' });
  }
  return results;
}

/** Every line of every file must be returned, numbered or not: only then is the work the same. */
async function checkAnswers({ server, client }, dir, samples) {
  for (const { path, text } of samples) {
    const answer = contentOf(await callText(client, server.read(dir, path)));
    for (const line of text.split('\n')) {
      if (!answer.includes(line))
        throw new Error(`${server.name} did not give back ${path}: no ${JSON.stringify(line)}`);
    }
  }
}

/** Croft's `files` tools respond with an object as JSON; others with the text itself. */
function contentOf(answer) {
  try {
    return JSON.parse(answer).content ?? answer;
  } catch {
    return answer;
  }
}
