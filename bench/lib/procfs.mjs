import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * CPU time of a process with all its threads, in milliseconds. schedstat counts nanoseconds; stat, in ticks of 10 ms,
 * includes threads that have ended, so it is used if one has.
 */
export function cpuSnapshot(pid) {
  const threads = new Map();
  try {
    for (const tid of readdirSync(`/proc/${pid}/task`)) {
      const [running] = readFileSync(`/proc/${pid}/task/${tid}/schedstat`, 'latin1').split(' ');
      threads.set(tid, Number(running) / 1e6);
    }
  } catch {
    threads.clear();
  }
  return { threads, ticks: ticksOf(pid) };
}

/** CPU milliseconds between two snapshots. */
export function cpuBetween(before, after) {
  const whole = after.threads.size > 0 && [...before.threads.keys()].every((tid) => after.threads.has(tid));
  if (!whole) return (after.ticks - before.ticks) * 10;
  let sum = 0;
  for (const [tid, used] of after.threads) sum += used - (before.threads.get(tid) ?? 0);
  return sum;
}

function ticksOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The name in brackets may contain blanks, so count fields after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

/** A figure of /proc/PID/status in megabytes of 10^6 bytes: VmRSS now, VmHWM at its highest. */
export function memoryMb(pid, field = 'VmRSS') {
  const match = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
  if (!match) throw new Error(`no ${field} for process ${pid}`);
  return (Number(match[1]) * 1024) / 1e6;
}

/** Resets the peak memory, so that VmHWM shows the peak from now on. */
export function resetPeak(pid) {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}
