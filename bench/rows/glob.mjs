import { join, relative } from 'node:path';
import { answerOf } from '../lib/client.mjs';
import { interleave, median, medians, ratios, since } from '../lib/measure.mjs';
import { cpuBetween, cpuSnapshot } from '../lib/procfs.mjs';
import { tell } from '../lib/results.mjs';
import { rgFiles } from '../lib/ripgrep.mjs';
import { callText, withServers } from '../lib/servers.mjs';

const PATTERN = '**/package.json';

/**
 * Finds files by name in a large tree: CPU against `rg --files` with the same ignore rules, wall time against the
 * official servers. Those have no ignore rules, so Croft then searches everything too.
 */
export async function run(ctx) {
  const tree = ctx.tree();
  const { dir, hits } = tree;
  return withServers([ctx.croft], { dir, env: ctx.env }, async ([{ client }]) => {
    const results = [
      {
        row: 'glob',
        measure: 'files in the tree',
        value: tree.files,
        unit: '',
        ...(!ctx.quick && { op: '>=', bar: 60_000, gate: 'count' }),
      },
    ];
    const visible = () => croftGlob(client, { pattern: PATTERN });
    const all = () => croftGlob(client, { pattern: PATTERN, include_ignored: true });
    same('croft', (await visible()).paths, hits.packages);
    same('croft, ignored files too', (await all()).paths, hits.allPackages);
    results.push({
      row: 'glob',
      measure: 'hits, identical in all',
      value: hits.packages.length,
      unit: '',
      op: '=',
      bar: hits.packages.length,
      gate: 'count',
    });
    if (!ctx.rg) return results;
    results.push(...(await againstRipgrep(ctx, dir, hits, visible)));
    if (ctx.peers) results.push(...(await againstOfficial(ctx, dir, hits, all)));
    return results;
  });
}

async function againstRipgrep(ctx, dir, hits, visible) {
  const walls = { croft: [], rg: [] };
  const oneRg = (extra) => {
    const { cpu, wall, paths } = rgFiles(ctx.rg, dir, PATTERN, extra);
    same('rg', paths, hits.packages);
    if (extra.length === 0) walls.rg.push(wall);
    return cpu;
  };
  const cpu = await interleave(ctx.quick ? 5 : 15, {
    croft: async () => {
      const { cpu: used, wall, paths } = await visible();
      same('croft', paths, hits.packages);
      walls.croft.push(wall);
      return used;
    },
    rg: async () => oneRg([]),
    'rg -j1': async () => oneRg(['-j1']),
  });
  const told = medians(cpu);
  return [
    { row: 'glob', measure: 'croft, CPU', value: told.croft, unit: 'ms', note: tell(told, 'ms CPU'), samples: cpu },
    {
      row: 'glob',
      measure: 'croft, wall',
      value: median(walls.croft),
      unit: 'ms',
      note: tell(medians(walls), 'ms wall'),
    },
    {
      row: 'glob',
      measure: 'croft / rg --files, CPU',
      value: median(ratios(cpu.croft, cpu.rg)),
      unit: 'x',
      op: '<=',
      bar: 1.5,
      gate: 'ratio',
    },
    { row: 'glob', measure: 'croft / rg --files -j1, CPU', value: median(ratios(cpu.croft, cpu['rg -j1'])), unit: 'x' },
  ];
}

async function againstOfficial(ctx, dir, hits, all) {
  return withServers(ctx.officials, { dir, env: ctx.env }, async (sessions) => {
    const subjects = {
      croft: async () => {
        const { wall, paths } = await all();
        same('croft, ignored files too', paths, hits.allPackages);
        return wall;
      },
    };
    for (const { server, client } of sessions)
      subjects[server.name] = () => officialSearch(server, client, dir, hits.allPackages);
    const walls = await interleave(ctx.quick ? 1 : 3, subjects);
    const told = medians(walls);
    return sessions.map(({ server: { name } }) => ({
      row: 'glob',
      measure: `${name} search_files / croft, wall`,
      value: median(ratios(walls[name], walls.croft)),
      unit: 'x',
      op: '>=',
      bar: 15,
      gate: 'ratio',
      note: tell({ croft: told.croft, [name]: told[name] }, 'ms wall, ignored files too'),
      samples: { croft: walls.croft, [name]: walls[name] },
    }));
  });
}

async function croftGlob(client, args) {
  const before = cpuSnapshot(client.pid);
  const start = process.hrtime.bigint();
  const line = await client.call('glob_search', args);
  const wall = since(start);
  const cpu = cpuBetween(before, cpuSnapshot(client.pid));
  const answer = answerOf(line);
  if (answer.truncated) throw new Error('croft cut the hits short');
  return { cpu, wall, paths: [...answer.matches].sort() };
}

async function officialSearch(server, client, dir, wanted) {
  const start = process.hrtime.bigint();
  const text = await callText(client, ['search_files', { path: dir, pattern: PATTERN }]);
  const wall = since(start);
  const found = text.split('\n').map((path) => relative(dir, join(path)));
  same(server.name, found.sort(), wanted);
  return wall;
}

function same(who, found, wanted) {
  if (found.length === wanted.length && found.every((path, i) => path === wanted[i])) return;
  const missing = wanted.filter((path) => !found.includes(path)).slice(0, 3);
  const extra = found.filter((path) => !wanted.includes(path)).slice(0, 3);
  throw new Error(
    `${who} found ${found.length} of ${wanted.length}; missing ${missing.join(', ') || '-'}; beyond ${extra.join(', ') || '-'}`,
  );
}
