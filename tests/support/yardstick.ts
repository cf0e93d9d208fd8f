/**
 * Measures the milliseconds that `work` keeps its thread busy; the minimum of several rounds, because in one round the
 * compiler, the garbage collector or another process on the core may take as long as the work. Neither clock is right alone:
 * elapsed time includes other processes on the core, CPU time includes other threads of this process. The smaller one is used.
 */
export function leastCpuMs(work: () => unknown, rounds = 5): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const [start, before] = [performance.now(), process.cpuUsage()];
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000, performance.now() - start);
  }
  return least;
}

/**
 * Milliseconds of a fixed piece of work on text, about 10 on the machine of the benches. Tests of cost compare with it: a
 * bound in milliseconds fails on a slow machine, a ratio does not.
 */
export function yardstickMs(): number {
  return leastCpuMs(countWords, 9);
}

function countWords(): number {
  const counts = new Map<string, number>();
  let letters = 0;
  for (let line = 0; line < 6_000; line += 1) {
    const text = `word${(line * 7_919) % 5_003} > /etc/${line}`;
    for (const word of text.split(/[\s/]+/)) counts.set(word, (counts.get(word) ?? 0) + 1);
    letters += text.replace(/\d/g, '').length;
  }
  return letters + counts.size;
}
