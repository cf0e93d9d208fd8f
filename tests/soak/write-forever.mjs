// Replaces and appends to files until it is killed, telling its parent of each file that was written.
import { createHash } from 'node:crypto';
import { openWorkspace } from '../../packages/workspace/dist/index.js';

const [dir, trashDir, ...names] = process.argv.slice(2);
const workspace = openWorkspace(dir, { trashDir });

for (let i = 0; ; i++) {
  const name = names[i % names.length];
  const body = `${i} `.repeat(1 + Math.floor(Math.random() * 20_000));
  workspace.write(name, `${createHash('sha256').update(body).digest('hex')}\n${body}`);
  process.send(name);
  // Lets the message out; a kill may fall anywhere.
  if (i % 8 === 7) await new Promise((resolve) => setImmediate(resolve));
}
