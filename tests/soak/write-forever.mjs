// Replaces and appends to files until it is killed, and reports each written file to its parent.
import { createHash } from 'node:crypto';
import { openWorkspace } from '../../packages/workspace/dist/index.js';

const [dir, trashDir, ...names] = process.argv.slice(2);
const workspace = openWorkspace(dir, { trashDir });

for (let i = 0; ; i++) {
  const name = names[i % names.length];
  const body = `${i} `.repeat(1 + Math.floor(Math.random() * 20_000));
  workspace.write(name, `${createHash('sha256').update(body).digest('hex')}\n${body}`);
  process.send(name);
  // Gives the message time to be sent; the kill can happen at any time.
  if (i % 8 === 7) await new Promise((resolve) => setImmediate(resolve));
}
