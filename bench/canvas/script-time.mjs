const SCRIPT = new Set([
  'FunctionCall',
  'EvaluateScript',
  'RunMicrotasks',
  'FireAnimationFrame',
  'TimerFire',
  'EventDispatch',
]);

/** The milliseconds of script in each frame of a gesture, from a trace of the browser. */
export async function scriptOfFrames(browser, page, gesture) {
  await browser.startTracing(page, { categories: ['devtools.timeline'] });
  await gesture();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const frames = traceEvents.filter(({ name }) => name === 'FireAnimationFrame');
  const main = mostCommon(frames.map(({ pid, tid }) => `${pid} ${tid}`));
  const own = traceEvents.filter(({ pid, tid, ph }) => ph === 'X' && `${pid} ${tid}` === main);
  const starts = own.filter(({ name }) => name === 'FireAnimationFrame').map(({ ts }) => ts);
  return perFrame(
    starts,
    own.filter(({ name }) => SCRIPT.has(name)),
  );
}

/** Sums the script between two frames. Events inside of another one do not count twice. */
function perFrame(starts, events) {
  starts.sort((one, other) => one - other);
  events.sort((one, other) => one.ts - other.ts);
  const sums = Array.from({ length: Math.max(0, starts.length - 1) }, () => 0);
  let covered = 0;
  let frame = 0;
  for (const { ts, dur = 0 } of events) {
    const from = Math.max(ts, covered);
    const to = ts + dur;
    if (to <= from) continue;
    covered = to;
    while (frame < sums.length && starts[frame + 1] <= from) frame += 1;
    if (frame < sums.length && starts[frame] <= from) sums[frame] += (to - from) / 1_000;
  }
  return sums;
}

function mostCommon(list) {
  const counts = new Map();
  for (const each of list) counts.set(each, (counts.get(each) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0];
}

/** The value that a part of the values does not exceed. */
export function percentile(values, part) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
