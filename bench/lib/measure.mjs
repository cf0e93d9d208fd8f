import { spawnSync } from 'node:child_process';

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Runs subjects in turns, A B C A B C, so that other load on the machine affects all equally. Every other round runs in
 * reverse, so that the order of neighbours alternates.
 *
 * @param {number} rounds
 * @param {Record<string, (round: number) => Promise<number>>} subjects each returns one value per round
 * @returns {Promise<Record<string, number[]>>}
 */
export async function interleave(rounds, subjects) {
  const names = Object.keys(subjects);
  const values = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : [...names].reverse()) values[name].push(await subjects[name](round));
  }
  return values;
}

/** Medians by name. */
export function medians(values) {
  return Object.fromEntries(Object.entries(values).map(([name, list]) => [name, median(list)]));
}

/**
 * Runs a program to its end and returns its CPU and wall time in milliseconds. The shell's `time` reports the kernel's
 * accounting of the child when it is reaped, rounded to milliseconds.
 */
export function timeProgram(command, options = {}) {
  const script = 'TIMEFORMAT="%3U %3S %3R"; time "$@" 2>&3';
  const result = spawnSync('bash', ['-c', script, 'bash', ...command], {
    cwd: options.cwd,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    maxBuffer: 1 << 28,
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  });
  if (result.error) throw result.error;
  if (!(options.codes ?? [0]).includes(result.status)) {
    throw new Error(`${command.join(' ')} ended with ${result.status}: ${result.output[3]}`);
  }
  const times = result.stderr.trim().split('\n').at(-1).split(' ').map(Number);
  const [user, system, real] = times;
  return { cpu: (user + system) * 1e3, wall: real * 1e3, stdout: result.stdout };
}

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Milliseconds since a moment of process.hrtime.bigint(). */
export function since(start) {
  return Number(process.hrtime.bigint() - start) / 1e6;
}

/** The ratios of two subjects round by round: values close in time share the noise. */
export function ratios(over, under) {
  return over.map((value, i) => value / under[i]);
}
