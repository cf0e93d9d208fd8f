/** Runs in the page before its scripts: counts frames and long tasks, and finds out when the first component is drawn. */
export const WATCH = `(() => {
  const bench = (window.__bench = { frames: 0, long: [], drawn: undefined });
  const count = () => {
    bench.frames += 1;
    if (bench.drawn === undefined) {
      const node = document.querySelector('.react-flow__node');
      if (node && getComputedStyle(node).visibility === 'visible') bench.drawn = performance.now();
    }
    requestAnimationFrame(count);
  };
  requestAnimationFrame(count);
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) bench.long.push(duration);
  }).observe({ type: 'longtask' });
})()`;

/**
 * Runs in the page before its scripts, as React's developer tools do: counts how often each component that is already drawn
 * renders again.
 */
export const COUNT_RENDERS = `(() => {
  const renders = (window.__renders = {});
  const PERFORMED_WORK = 1;
  const walk = (next) => {
    const before = next.alternate;
    const id = next.memoizedProps?.data?.view?.id;
    const isCard = id !== undefined && (next.tag === 14 || next.tag === 15);
    if (isCard && before !== null && (next.flags & PERFORMED_WORK) !== 0) renders[id] = (renders[id] ?? 0) + 1;
    // Children that React did not visit in this commit are the same objects.
    if (before !== null && before.child === next.child) return;
    for (let child = next.child; child !== null; child = child.sibling) walk(child);
  };
  window.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
    supportsFiber: true,
    inject: () => 1,
    onCommitFiberRoot: (_, root) => walk(root.current),
    onCommitFiberUnmount() {},
    onPostCommitFiberRoot() {},
  };
})()`;

const STEP_PX = 6;

/** A point of the canvas without a component or a wire, near its middle. */
export function emptyPoint(page) {
  return page.evaluate(() => {
    const { left, top, width, height } = document.querySelector('.react-flow').getBoundingClientRect();
    for (let ring = 0; ring < 200; ring += 7)
      for (const [x, y] of [
        [ring, ring],
        [-ring, ring],
        [ring, -ring],
        [-ring, -ring],
      ]) {
        const at = { x: left + width / 2 + x, y: top + height / 2 + y };
        if (document.elementFromPoint(at.x, at.y)?.classList.contains('react-flow__pane')) return at;
      }
    throw new Error('the canvas has no empty point');
  });
}

/** The head of the component that is nearest to the middle of the canvas. */
export function nodePoint(page) {
  return page.evaluate(() => {
    const box = document.querySelector('.react-flow').getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const away = (rect) => Math.hypot(rect.left + rect.width / 2 - x, rect.top + rect.height / 2 - y);
    const all = [...document.querySelectorAll('.react-flow__node')];
    const best = all.map((node) => node.getBoundingClientRect()).sort((one, other) => away(one) - away(other))[0];
    return { x: best.left + best.width / 2, y: best.top + 12 };
  });
}

/** Presses at a point and moves back and forth for some time. The middle of the way is the point. */
export async function dragFor(page, at, ms) {
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x + STEP_PX, at.y + STEP_PX);
  const end = performance.now() + ms;
  for (let step = 0; performance.now() < end; step++) {
    const angle = step / 9;
    await page.mouse.move(at.x + Math.sin(angle) * 90, at.y + Math.sin(angle * 0.7) * 60);
  }
  await page.mouse.move(at.x, at.y);
  await page.mouse.up();
}

/** The frames a second and the longest tasks of a gesture. */
export async function watched(page, gesture) {
  const before = await page.evaluate(() => ({
    frames: window.__bench.frames,
    ms: performance.now(),
    long: window.__bench.long.length,
  }));
  await gesture();
  const after = await page.evaluate((since) => {
    const { frames, long } = window.__bench;
    return { frames, ms: performance.now(), long: long.slice(since) };
  }, before.long);
  return { fps: ((after.frames - before.frames) * 1_000) / (after.ms - before.ms), long: after.long };
}
