/**
 * CPU milliseconds of the whole process while `work` runs, the least of several rounds: in one round the compiler, the
 * collector or a neighbour on the same core may cost as much as the work.
 */
export function leastCpuMs(work: () => unknown, rounds = 5): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

/**
 * CPU milliseconds of a fixed piece of work on text, some 10 on the machine of the benches. A test that must say "this is
 * cheap" divides by it: a bound in milliseconds fails where the machine is slow, and a ratio does not.
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
