import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { endWithNpx } from './end-with-npx.ts';

const [program] = process.argv.slice(1, 2);
let parent = 100;
beforeEach(() => {
  parent = 100;
  vi.useFakeTimers();
  vi.spyOn(process, 'ppid', 'get').mockImplementation(() => parent);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  process.argv[1] = program ?? '';
});

it('ends a command of npx once, when npx is gone', () => {
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  process.argv[1] = '/home/a/.npm/_npx/1f/node_modules/.bin/croft';
  endWithNpx();
  vi.advanceTimersByTime(2_000);
  expect(kill).not.toHaveBeenCalled();
  parent = 1;
  vi.advanceTimersByTime(499);
  expect(kill).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2_000);
  expect(kill.mock.calls).toEqual([[process.pid, 'SIGTERM']]);
});

it('does not watch for any other command', () => {
  process.argv[1] = '/usr/lib/node_modules/my_npx_tool/croft';
  endWithNpx();
  expect(vi.getTimerCount()).toBe(0);
  process.argv[1] = 'C:\\npm\\_npx\\1f\\croft';
  endWithNpx();
  expect(vi.getTimerCount()).toBe(1);
});
