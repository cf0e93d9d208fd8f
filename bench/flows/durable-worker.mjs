// A worker in a process of its own: node durable-worker.mjs DATABASE NAME [HANG]. Prints `ready <ms>` when it takes runs, and
// `effect <node> <ms>` for each effect, in milliseconds since 1970. Stays in the effect of node HANG until it is killed.
import { createRegistry } from '../../packages/flow/dist/index.js';
import { createSealer, openRuns } from '../../packages/runs/dist/index.js';
import { component } from './component.mjs';

const MANY = { list: true };

export const sealer = createSealer([{ id: 'k', key: Buffer.alloc(32, 1) }]);

/** No-op nodes with and without effects, and one whose effect takes 20 ms. `onEffect` is called for each effect. */
export const registryOf = (onEffect) =>
  createRegistry([
    component('Pure', ['none'], () => ({ out: 1 }), MANY),
    component(
      'Effect',
      ['workspace-write'],
      async ({ nodeId }) => {
        await onEffect(nodeId);
        return { out: 1 };
      },
      MANY,
    ),
    component('Slow', ['network-read'], () => new Promise((done) => setTimeout(() => done({ out: 1 }), 20)), MANY),
  ]);

if (process.argv[1] === import.meta.filename) {
  const [database, name, hang] = process.argv.slice(2);
  const registry = registryOf((node) => {
    console.log(`effect ${node} ${Date.now()}`);
    return node === hang ? new Promise(() => {}) : undefined;
  });
  await openRuns({ database: JSON.parse(database), sealer, worker: { name, registry, services: () => ({}) } });
  console.log(`ready ${Date.now()}`);
}
