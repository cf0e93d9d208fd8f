import { request } from 'node:http';
import { median, ratios } from '../lib/measure.mjs';
import { cpuBetween, cpuSnapshot } from '../lib/procfs.mjs';
import { tell } from '../lib/results.mjs';

export const MODES = ['json', 'sse', 'json-tool', 'sse-tool'];
const AT_ONCE = [1, 64];

/** Requests per round. The peer takes 30 ms and more per stream, so it gets fewer of them. */
const REQUESTS = {
  full: { many: 400, few: 80, warm: 8_000, rounds: 9 },
  quick: { many: 100, few: 20, warm: 300, rounds: 3 },
};

/**
 * Measures the cost of a proxy: CPU, requests a second and the first byte, of the bare pipe, the guard and the peer in
 * turns, and of the upstream itself.
 *
 * @param {{upstream: object, pipe: object, guard: object, portkey?: object}} subjects
 * @param {(job: object) => Promise<object>} load
 * @param {{quick: boolean, modes: string[], say: (text: string) => void}} options
 * @returns {Promise<import('../lib/results.mjs').Result[]>}
 */
export async function wireRows({ upstream, ...between }, load, { quick, modes, say }) {
  const counts = quick ? REQUESTS.quick : REQUESTS.full;
  const subjects = { direct: upstream, ...between };
  const results = [];
  for (const mode of modes) {
    for (const [name, { port, headers }] of Object.entries(subjects)) {
      const requests = name === 'portkey' ? counts.warm / 4 : counts.warm;
      right(name, mode, await load({ mode, requests, concurrency: 32, port, headers }));
    }
    for (const concurrency of AT_ONCE) {
      const samples = await rounds(subjects, load, { mode, concurrency, counts });
      results.push(...judged(samples, mode, concurrency));
      say(`${mode} at ${concurrency}: ${tell(mediansOf(samples, 'cpu'), 'µs CPU')}`);
    }
  }
  return results;
}

async function rounds(subjects, load, { mode, concurrency, counts }) {
  const samples = Object.fromEntries(Object.keys(subjects).map((name) => [name, []]));
  const names = Object.keys(subjects);
  for (let round = 0; round < counts.rounds; round++) {
    for (const name of round % 2 === 0 ? names : [...names].reverse()) {
      const { pid, port, headers } = subjects[name];
      const requests = name === 'portkey' && concurrency === 1 ? counts.few : counts.many;
      const before = cpuSnapshot(pid);
      const result = right(name, mode, await load({ mode, requests, concurrency, port, headers }));
      const cpu = (cpuBetween(before, cpuSnapshot(pid)) * 1e3) / requests;
      samples[name].push({ cpu, rps: result.rps, first: result.first50 });
    }
  }
  return samples;
}

function right(name, mode, result) {
  if (result.bad > 0) throw new Error(`${name}, ${mode}: ${result.bad} replies were not the upstream's bytes`);
  return result;
}

function judged(samples, mode, concurrency) {
  const row = `${mode}, ${concurrency}`;
  const of = (name, key) => samples[name]?.map((sample) => sample[key]);
  const isStream = mode.startsWith('sse');
  const cpu = mediansOf(samples, 'cpu');
  const guardCpu = of('guard', 'cpu');
  const results = [
    {
      row,
      measure: isStream ? 'guard, CPU a request (goal: 600)' : 'guard, CPU a request',
      value: cpu.guard,
      unit: 'µs',
      note: tell(cpu, 'µs'),
      samples: samplesOf(samples, 'cpu'),
    },
    {
      row,
      measure: 'guard / pipe, CPU',
      value: median(ratios(guardCpu, of('pipe', 'cpu'))),
      unit: 'x',
      ...(isStream && { op: '<=', bar: 1.5, gate: 'ratio' }),
    },
  ];
  if (samples.portkey)
    results.push({
      row,
      measure: 'guard / portkey, CPU',
      value: median(ratios(guardCpu, of('portkey', 'cpu'))),
      unit: 'x',
      op: '<=',
      bar: 1 / 3,
      gate: 'ratio',
    });
  results.push(concurrency === 1 ? firstByte(samples, row) : rate(samples, row));
  return results;
}

function firstByte(samples, row) {
  const first = (name) => samples[name].map((sample) => sample.first);
  const direct = first('direct');
  return {
    row,
    measure: 'guard, first byte later than direct',
    value: median(first('guard').map((value, round) => value - direct[round])),
    unit: 'ms',
    op: '<',
    bar: 1,
    gate: 'absolute',
    note: tell(mediansOf(samples, 'first'), 'ms'),
    samples: samplesOf(samples, 'first'),
  };
}

function rate(samples, row) {
  const rps = (name) => samples[name].map((sample) => sample.rps);
  return {
    row,
    measure: 'guard / pipe, requests a second',
    value: median(ratios(rps('guard'), rps('pipe'))),
    unit: 'x',
    op: '>=',
    bar: 0.7,
    gate: 'ratio',
    note: tell(mediansOf(samples, 'rps'), '/s'),
    samples: samplesOf(samples, 'rps'),
  };
}

const samplesOf = (samples, key) =>
  Object.fromEntries(Object.entries(samples).map(([name, list]) => [name, list.map((sample) => sample[key])]));
const mediansOf = (samples, key) =>
  Object.fromEntries(Object.entries(samplesOf(samples, key)).map(([name, list]) => [name, median(list)]));

/** Checks that the measured guard works: a hostile call must not pass it, and does pass the pipe. */
export async function hostileRow({ guard, pipe }) {
  const throughOf = async ({ port }) => ((await textOf(port)).includes('"name":"write_file"') ? 1 : 0);
  if ((await throughOf(pipe)) !== 1) throw new Error('the hostile call did not come through the pipe');
  return [
    {
      row: 'hostile',
      measure: 'calls let through by the guard',
      value: await throughOf(guard),
      unit: '',
      op: '=',
      bar: 0,
      gate: 'count',
    },
  ];
}

function textOf(port) {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'x-mode': 'sse-hostile' };
    const asked = request(
      { host: '127.0.0.1', port, method: 'POST', path: '/v1/chat/completions', headers },
      (reply) => {
        let text = '';
        reply.setEncoding('utf8').on('data', (chunk) => (text += chunk));
        reply.on('end', () => resolve(text));
        reply.on('error', reject);
      },
    );
    asked.on('error', reject);
    asked.end(JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'x' }] }));
  });
}
