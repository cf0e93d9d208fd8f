import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerOf, decode } from '../lib/client.mjs';
import { interleave, median, medians, ratios, since } from '../lib/measure.mjs';
import { cpuBetween, cpuSnapshot } from '../lib/procfs.mjs';
import { tell } from '../lib/results.mjs';
import { rgCount } from '../lib/ripgrep.mjs';
import { withServers } from '../lib/servers.mjs';
import { ABSENT, ABSENT_REGEX, DEPRECATION, NEEDLE } from '../lib/tree.mjs';

const NONE = new Map();

/** Searches the contents of a large tree: CPU against `rg -j1`, with identical counts per file. */
export async function run(ctx) {
  const { dir, hits, bytes } = ctx.tree();
  const searches = [
    { name: 'literal, no hit', pattern: ABSENT, regex: false, wanted: NONE, bar: 1.3 },
    { name: 'regex, no hit', pattern: ABSENT_REGEX, regex: true, wanted: NONE, bar: 1.6 },
    { name: 'regex, few hits', pattern: DEPRECATION, regex: true, wanted: hits.deprecation, bar: 1.6 },
    { name: 'literal, hits', pattern: NEEDLE, regex: false, wanted: hits.needle },
  ];
  return withServers([ctx.croft], { dir, env: ctx.env }, async ([{ client }]) => {
    const results = [{ row: 'grep', measure: 'text in the tree', value: bytes / 1e6, unit: 'MB' }];
    for (const search of searches) results.push(...(await compare(ctx, client, dir, search)));
    return [...results, ...(await catastrophic(ctx))];
  });
}

async function compare(ctx, client, dir, { name, pattern, regex, wanted, bar }) {
  const croft = async () => {
    const { cpu, counts } = await croftCount(client, pattern, regex);
    same(`croft, ${name}`, counts, wanted);
    return cpu;
  };
  await croft();
  const total = [...wanted.values()].reduce((sum, count) => sum + count, 0);
  const results = [
    {
      row: 'grep',
      measure: `${name}: lines found, identical a file`,
      value: total,
      unit: '',
      op: '=',
      bar: total,
      gate: 'count',
    },
  ];
  if (!ctx.rg) return results;
  const cpu = await interleave(ctx.quick ? 5 : 11, {
    croft,
    'rg -j1': async () => {
      const { cpu: used, counts } = rgCount(ctx.rg, dir, pattern, !regex);
      same(`rg, ${name}`, counts, wanted);
      return used;
    },
  });
  const value = median(ratios(cpu.croft, cpu['rg -j1']));
  const note = tell(medians(cpu), 'ms CPU');
  results.push({
    row: 'grep',
    measure: `${name}: croft / rg -j1, CPU`,
    value,
    unit: 'x',
    note,
    samples: cpu,
    ...(bar && { op: '<=', bar, gate: 'ratio' }),
  });
  return results;
}

async function croftCount(client, pattern, regex) {
  const before = cpuSnapshot(client.pid);
  const line = await client.call('grep_search', { pattern, is_regex: regex, output_mode: 'count' });
  const cpu = cpuBetween(before, cpuSnapshot(client.pid));
  const answer = answerOf(line);
  if (answer.truncated) throw new Error('croft cut the hits short');
  return { cpu, counts: new Map(answer.matches.map(({ path, count }) => [path, count])) };
}

/** A pattern with catastrophic backtracking: the server must refuse or end it, and keep responding. */
async function catastrophic(ctx) {
  const dir = ctx.makeDir('catastrophic');
  writeFileSync(join(dir, 'a.txt'), `${'a'.repeat(50_000)}b\n`);
  // Lines short enough to be searched, and a pattern that the check for nested quantifiers does not detect.
  writeFileSync(join(dir, 'lines.txt'), `${'a'.repeat(4_000)}b\n`.repeat(3));
  return withServers([ctx.croft], { dir, env: ctx.env }, async ([{ client }]) => {
    const results = [];
    for (const [pattern, bar] of [
      ['(a+)+$', 200],
      ['(a+){2,}$', undefined],
    ]) {
      const start = process.hrtime.bigint();
      const answer = decode(await client.call('grep_search', { pattern, is_regex: true, output_mode: 'count' }));
      const took = since(start);
      await client.call('read_file', { path: 'a.txt', limit: 1 });
      const how = answer.isError || /rejected/.test(JSON.stringify(answer)) ? 'refused' : 'ended';
      results.push({
        row: 'grep',
        measure: `${pattern} on 50,000 a and b (${how})`,
        value: took,
        unit: 'ms',
        ...(bar && { op: '<=', bar, gate: 'absolute' }),
      });
    }
    return results;
  });
}

function same(who, counts, wanted) {
  const wrong = [...new Set([...counts.keys(), ...wanted.keys()])].filter(
    (path) => counts.get(path) !== wanted.get(path),
  );
  if (wrong.length === 0) return;
  const shown = wrong.slice(0, 3).map((path) => `${path}: ${counts.get(path)} for ${wanted.get(path)}`);
  throw new Error(`${who}: ${wrong.length} files counted wrongly, such as ${shown.join('; ')}`);
}
