import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { answerOf } from '../lib/client.mjs';
import { median, since, sleep } from '../lib/measure.mjs';
import { memoryMb, resetPeak } from '../lib/procfs.mjs';
import { short } from '../lib/results.mjs';
import { withServers } from '../lib/servers.mjs';

const LINE_BYTES = 64;
const CHUNK_LINES = 65_536;

/** 100 lines from the middle of a 1 GiB file: time once indexed, and peak memory above idle. */
export async function run(ctx) {
  const dir = ctx.makeDir('large');
  const gib = ctx.quick ? 1 / 16 : 1;
  const lines = makeLargeFile(join(dir, 'large.log'), gib * 2 ** 30);
  try {
    return await withServers([ctx.croft], { dir, env: ctx.env }, async ([{ client }]) => {
      await sleep(1_000);
      const idle = memoryMb(client.pid);
      resetPeak(client.pid);
      const first = await readWindow(client, Math.floor(lines / 2));
      const times = [];
      for (let i = 0; i < 21; i++) times.push(await readWindow(client, Math.floor(lines / 2) + (i - 10) * 997));
      const peak = memoryMb(client.pid, 'VmHWM');
      const size = `${short(gib)} GiB`;
      return [
        { row: 'large', measure: `first 100 lines from the middle of ${size}, scanning it`, value: first, unit: 'ms' },
        {
          row: 'large',
          measure: `100 lines from the middle of ${size}, once indexed`,
          value: median(times),
          unit: 'ms',
          op: '<',
          bar: 50,
          gate: 'absolute',
          samples: { croft: times },
        },
        { row: 'large', measure: 'slowest of them', value: Math.max(...times), unit: 'ms' },
        {
          row: 'large',
          measure: 'memory above idle, highest',
          value: peak - idle,
          unit: 'MB',
          op: '<',
          bar: 40,
          gate: 'absolute',
          note: `idle ${short(idle)} MB, highest ${short(peak)} MB`,
        },
      ];
    });
  } finally {
    rmSync(join(dir, 'large.log'), { force: true });
  }
}

/** Lines of 64 bytes that contain their own number. */
function makeLargeFile(path, bytes) {
  const fd = openSync(path, 'w');
  const chunk = Buffer.alloc(CHUNK_LINES * LINE_BYTES);
  let line = 0;
  try {
    for (let written = 0; written < bytes; written += chunk.length) {
      for (let i = 0; i < CHUNK_LINES; i++) chunk.latin1Write(lineText(++line) + '\n', i * LINE_BYTES, LINE_BYTES);
      writeSync(fd, chunk);
    }
  } finally {
    closeSync(fd);
  }
  return line;
}

function lineText(number) {
  return `${String(number).padStart(9, '0')} GET /service/entry/${number % 977} status=200 took=${number % 89} ms`.padEnd(
    LINE_BYTES - 1,
    '.',
  );
}

async function readWindow(client, offset) {
  const start = process.hrtime.bigint();
  const line = await client.call('read_file', { path: 'large.log', offset, limit: 100 });
  const took = since(start);
  const { content, num_lines } = answerOf(line);
  if (num_lines !== 100) throw new Error(`${num_lines} lines instead of 100`);
  for (const number of [offset, offset + 99]) {
    if (!content.includes(lineText(number))) throw new Error(`line ${number} is missing from the answer`);
  }
  return took;
}
