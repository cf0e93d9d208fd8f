/**
 * Measures what `work` costs, in yardsticks. One measurement may include the garbage collector, the compiler or another
 * process on the core, each of which can take seconds. So tests measure until the cost is below their bound:
 * `await expect.poll(() => costOf(work)).toBeLessThan(50)`. The poll ends after 50 s, with the cost it measured last.
 */
export function costOf(work: () => unknown): number {
  return busyMs(work) / yardstickMs();
}

/**
 * Measures the milliseconds that `work` keeps its thread busy. Neither clock is right alone: elapsed time includes other
 * processes on the core, CPU time includes other threads of this process. The smaller one is used.
 */
export function busyMs(work: () => unknown): number {
  const [start, before] = [performance.now(), process.cpuUsage()];
  work();
  const { user, system } = process.cpuUsage(before);
  return Math.min((user + system) / 1_000, performance.now() - start);
}

/**
 * Milliseconds of a fixed piece of work on text, about 10 on the machine of the benches. Tests of cost compare with it: a
 * bound in milliseconds fails on a slow machine, a ratio does not.
 */
export function yardstickMs(): number {
  return Math.min(...Array.from({ length: 9 }, () => busyMs(countWords)));
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
