import { describe, expect, it, vi } from 'vitest';
import { fire, usePage } from '../testing/page.ts';
import { partsOf, useVisibleRows } from './use-visible-rows.ts';

const page = usePage();

const spelled = (...args: Parameters<typeof partsOf>) =>
  partsOf(...args).map(({ from, to, isGap }) => `${isGap ? 'gap' : 'rows'} ${from}-${to}`);

it('all rows of a short list are rendered', () => {
  expect(spelled(10, 10, { from: 0, to: 10 }, 3)).toEqual(['rows 0-10']);
  expect(spelled(0, 0, { from: 0, to: 0 }, -1)).toEqual([]);
});

it('the rows around the window are gaps, but for the active one', () => {
  const window = { from: 400, to: 500 };
  expect(spelled(1_000, 1_000, window, 450)).toEqual(['gap 0-400', 'rows 400-500', 'gap 500-1000']);
  expect(spelled(1_000, 1_000, window, 7)).toEqual([
    'gap 0-7',
    'rows 7-8',
    'gap 8-400',
    'rows 400-500',
    'gap 500-1000',
  ]);
  expect(spelled(1_000, 1_000, window, 999)).toEqual(['gap 0-400', 'rows 400-500', 'gap 500-999', 'rows 999-1000']);
});

it('rows that are not loaded are a gap', () => {
  expect(spelled(1_000, 450, { from: 400, to: 500 }, 0)).toEqual([
    'rows 0-1',
    'gap 1-400',
    'rows 400-450',
    'gap 450-1000',
  ]);
  expect(spelled(1_000, 300, { from: 400, to: 500 }, -1)).toEqual(['gap 0-1000']);
});

describe('the rendered rows of a long table', () => {
  const FIRST = { from: 0, to: 200, rowPx: 45 };

  /** A table in a window of 900 pixels, whose rows have 20 pixels. */
  async function open(total = 1_000, rowPx = 20) {
    const listen = { add: vi.fn(window.addEventListener), remove: vi.fn(window.removeEventListener) };
    vi.stubGlobal('addEventListener', listen.add);
    vi.stubGlobal('removeEventListener', listen.remove);
    vi.stubGlobal('innerHeight', 900);
    const body = document.createElement('tbody');
    body.innerHTML = '<tr></tr><tr aria-rowindex="1"></tr>';
    const box = { top: 0 };
    const measured = vi.fn(() => box as DOMRect);
    body.getBoundingClientRect = measured;
    const [, row] = body.children;
    (row as Element).getBoundingClientRect = () => ({ height: rowPx }) as DOMRect;
    const ref = { current: body };
    const hook = await page.hook(() => useVisibleRows(total, ref));
    const scroll = async (top: number) => {
      box.top = top;
      await fire(window, 'scroll');
      return [hook.current.from, hook.current.to];
    };
    return { hook, scroll, measured, ...listen };
  }

  it('are all rows up to 300', async () => {
    const { hook, add } = await open(300);
    expect([hook.current, add.mock.calls]).toEqual([{ from: 0, to: 300, rowPx: 45 }, []]);
    expect((await open(301)).hook.current).toEqual({ ...FIRST, rowPx: 20 });
    expect((await open(301, 0)).hook.current).toEqual(FIRST);
  });

  it('are the first ones before the table exists', async () => {
    const none = { current: null };
    expect((await page.hook(() => useVisibleRows(1_000, none))).current).toEqual(FIRST);
  });

  it('move when few of them are left above or below the visible ones', async () => {
    const { hook, scroll } = await open();
    expect(await scroll(-2_700)).toEqual([0, 200]);
    expect(await scroll(-2_701)).toEqual([105, 211]);
    expect(await scroll(-3_600)).toEqual([150, 255]);
    const { current } = hook;
    expect(await scroll(-3_400)).toEqual([150, 255]);
    expect(await scroll(-3_800)).toEqual([150, 255]);
    expect(hook.current).toBe(current);
    expect(await scroll(-3_801)).toEqual([160, 266]);
    expect(await scroll(-3_600)).toEqual([160, 266]);
    expect(await scroll(-3_599)).toEqual([149, 255]);
    expect(await scroll(-500)).toEqual([0, 100]);
    expect(await scroll(-100)).toEqual([0, 100]);
    await scroll(-3_600);
    expect(await scroll(10_000)).toEqual([0, 0]);
  });

  it('are at most 300 when the window becomes lower', async () => {
    const { hook, scroll } = await open();
    const resize = async (height: number) => {
      vi.stubGlobal('innerHeight', height);
      await fire(window, 'resize');
      return [hook.current.from, hook.current.to];
    };
    await scroll(-4_000);
    expect(await resize(4_800)).toEqual([170, 470]);
    expect(await resize(900)).toEqual([170, 470]);
    expect(await resize(4_801)).toEqual([170, 470]);
    expect(await resize(6_000)).toEqual([170, 530]);
    expect(await resize(900)).toEqual([170, 275]);
  });

  it('are followed until the table is removed', async () => {
    const { hook, measured, add, remove } = await open();
    const look: unknown = expect.any(Function);
    expect(add.mock.calls).toEqual([
      ['scroll', look, { passive: true, capture: true }],
      ['resize', look],
    ]);
    hook.leave();
    expect(remove.mock.calls).toEqual([
      ['scroll', add.mock.calls[0]?.[1], { capture: true }],
      ['resize', add.mock.calls[1]?.[1]],
    ]);
    measured.mockClear();
    await fire(window, 'resize');
    expect(measured).not.toHaveBeenCalled();
  });
});
