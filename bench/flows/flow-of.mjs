// Graphs of no-op nodes, as edges between numbers: a chain, or one source, many parallel nodes and one sink.

/** @returns pairs `[from, to]` of node numbers below `count` */
export function edgesOf(shape, count) {
  if (shape === 'chain') return Array.from({ length: count - 1 }, (_, i) => [i, i + 1]);
  const inner = Array.from({ length: count - 2 }, (_, i) => i + 1);
  return [...inner.map((i) => [0, i]), ...inner.map((i) => [i, count - 1])];
}

/**
 * Runs `use` once, in a process that has not run it before, and prints wall and CPU milliseconds as JSON. Collects the garbage
 * of loading first: V8 would otherwise mark the loaded modules during some of the measurements.
 */
export async function measureOnce(use) {
  globalThis.gc();
  const cpu = process.cpuUsage();
  const start = performance.now();
  const seen = await use();
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  console.log(JSON.stringify({ ms, cpuMs: (user + system) / 1_000, seen, rssMb: process.memoryUsage.rss() / 1e6 }));
}
