import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withServers } from '../lib/servers.mjs';
import { interleave, median, medians, ratios, since } from '../lib/measure.mjs';
import { textOf } from '../lib/client.mjs';
import { tell } from '../lib/results.mjs';
import { makeSamples } from '../lib/samples.mjs';

const BAR = 1.3;
const FILES = 16;
const TEXTS = ["const benchState = 'first';", "const benchState = 'other';"];

export const runWrite = (ctx) => run(ctx, 'write', writeRound);
export const runEdit = (ctx) => run(ctx, 'edit', editRound);

/** `write_file` or `edit_file` on 4 KB files, one after another. Checks the files on the disk after every round. */
async function run(ctx, row, round) {
  const peers = [...(ctx.peers ? ctx.officials : []), ctx.bare];
  const sessions = [ctx.croft, ...peers];
  // One directory per subject, so that none measures another's files.
  const dirs = Object.fromEntries(sessions.map((server) => [server.name, ctx.makeDir(`${row}-${server.name}`)]));
  return startAll(sessions, dirs, ctx.env, async (opened) => {
    const subjects = {};
    for (const { server, client } of opened) {
      const dir = dirs[server.name];
      const state = { files: makeSamples(dir, FILES), dir, turn: 0 };
      for (const file of state.files)
        file.text = file.text.replace(/^.{40,}$/m, (line) => TEXTS[0].padEnd(line.length, ' '));
      for (const file of state.files) await client.call(...server.write(dir, file.path, file.text));
      subjects[server.name] = () => round(server, client, state, ctx.quick ? 10 : 50);
    }
    for (const subject of Object.values(subjects)) await subject();
    const rates = await interleave(ctx.quick ? 5 : 11, subjects);
    return judge(row, rates, `files ${ctx.files}`);
  });
}

async function startAll(servers, dirs, env, use) {
  const open = (i, opened) =>
    i === servers.length
      ? use(opened)
      : withServers([servers[i]], { dir: dirs[servers[i].name], env }, ([session]) =>
          open(i + 1, [...opened, session]),
        );
  return open(0, []);
}

/** Writes every file `times` times, alternating between two texts. */
async function writeRound(server, client, state, times) {
  const texts = state.files.map(({ text }) => [text, text.replace(TEXTS[0], TEXTS[1])]);
  const start = process.hrtime.bigint();
  for (let n = 0; n < times; n++) {
    state.turn ^= 1;
    for (let i = 0; i < state.files.length; i++) {
      const [tool, args] = server.write(state.dir, state.files[i].path, texts[i][state.turn]);
      refuseRefusal(server, await client.call(tool, args));
    }
  }
  const rate = (times * state.files.length) / (since(start) / 1e3);
  checkDisk(server, state);
  return rate;
}

/** Edits every file `times` times, back and forth between two texts. */
async function editRound(server, client, state, times) {
  const start = process.hrtime.bigint();
  for (let n = 0; n < times; n++) {
    const from = TEXTS[state.turn];
    state.turn ^= 1;
    for (const { path } of state.files) {
      const [tool, args] = server.edit(state.dir, path, from, TEXTS[state.turn]);
      refuseRefusal(server, await client.call(tool, args));
    }
  }
  const rate = (times * state.files.length) / (since(start) / 1e3);
  checkDisk(server, state);
  return rate;
}

const REFUSED = Buffer.from('"isError":true');

function refuseRefusal(server, line) {
  if (line.includes(REFUSED)) throw new Error(`${server.name}: ${textOf(line)}`);
}

function checkDisk(server, state) {
  for (const { path, text } of state.files) {
    const wanted = text.replace(TEXTS[0], TEXTS[state.turn]);
    if (readFileSync(join(state.dir, path), 'utf8') !== wanted)
      throw new Error(`${server.name} left other bytes in ${path}`);
  }
}

function judge(row, rates, note) {
  const told = medians(rates);
  const results = [
    { row, measure: 'croft, 4 KB', value: told.croft, unit: '/s', note: tell(told, '/s'), samples: rates },
  ];
  for (const peer of Object.keys(rates).filter((name) => name.startsWith('official'))) {
    const value = median(ratios(rates.croft, rates[peer]));
    results.push({ row, measure: `croft / ${peer}`, value, unit: 'x', op: '>=', bar: BAR, gate: 'ratio', note });
  }
  if (rates.bare)
    results.push({ row, measure: 'croft / bare', value: median(ratios(rates.croft, rates.bare)), unit: 'x' });
  return results;
}
