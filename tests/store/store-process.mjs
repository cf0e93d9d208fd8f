// A server's store in a separate process, which tests kill: `node store-process.mjs <base directory> [write]`.
// Prints `ready <ms>`, then `wrote <n>` for each acknowledged row, or `refused <sentence>`.
// A line `stop` on its input stops it.
import { createInterface } from 'node:readline';
import { openDatabase } from '../../apps/server/dist/store/database.js';
import { writeSetting } from '../../apps/server/dist/store/settings.js';

const [baseDir, mode] = process.argv.slice(2);
const say = (line) => process.stdout.write(`${line}\n`);
const startedAt = performance.now();
const database = openDatabase({ baseDir, log: (line) => say(`log ${line}`) });
let stopping = false;
createInterface({ input: process.stdin }).on('line', () => {
  stopping = true;
  void database.close().then(() => process.exit(0));
});
try {
  await database.ready;
  say(`ready ${Math.round(performance.now() - startedAt)}`);
} catch (error) {
  say(`refused ${error.code}: ${error.message}`);
  process.exit(3);
}
if (mode === 'write') await Promise.all([write(0), write(1), write(2)]);

async function write(lane) {
  for (let n = 0; !stopping; n++) {
    const key = `${process.pid}-${lane}-${n}`;
    try {
      await writeSetting(database.db, key, { n });
      say(`wrote ${key}`);
    } catch (error) {
      say(`failed ${error.cause?.code ?? error.code}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
