import { environmentManager } from '@tanstack/react-query';
import { act, createElement } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { OriginLine } from './origin-line.tsx';

const server = useFakeApi();
const page = usePage();
// Queries repeat by time as in a browser: the library is loaded without a page.
const wasServer = environmentManager.isServer();
beforeEach(() => environmentManager.setIsServer(() => false));
afterEach(() => environmentManager.setIsServer(() => wasServer));
const ROUTE = 'GET /api/v1/flows/f1/components/A/origin';

async function show(origin: object | null) {
  server.answer(ROUTE, { origin });
  const box = await page.show(inClient(testClient())(createElement(OriginLine, { flowId: 'f1', nodeId: 'A' })));
  await vi.waitFor(() => expect(server.requests.at(-1)).toBe(ROUTE));
  return box;
}

it.each([
  ['person', 'Ada', 'Added by Ada', 'user'],
  ['assistant', 'Ada', 'Added by the assistant for Ada', 'bot'],
  ['agent', 'Ada', 'Added by an agent of Ada', 'bot'],
  ['person', 'A\u202e', 'Added by A[U+202E]', 'user'],
  ['person', null, 'Added by a removed user', 'user'],
])('says who made a component: %s, %s', async (by, author, text, icon) => {
  const box = await show({ by, author, addedAt: '2026-01-01T00:00:00Z' });
  await vi.waitFor(() => expect(box.textContent).toBe(`${text} Jan 1, 2026`));
  expect(outline(box)).toEqual([`icon ${icon} 15`, `span ${text}`, 'time 2026-01-01T00:00:00Z']);
  expect(box.querySelector('time')?.title).toBe('Jan 1, 2026, 12:00:00 AM');
});

it('says nothing where the flow does not know', async () => {
  const box = await show(null);
  expect(box.innerHTML).toBe('');
});

it('asks once more, after two seconds, where the flow does not know yet', async () => {
  vi.useFakeTimers();
  try {
    const box = await show(null);
    expect(server.requests).toEqual([ROUTE]);
    server.answer(ROUTE, { origin: { by: 'agent', author: 'Ada', addedAt: '2026-01-01T00:00:00Z' } });
    await act(() => vi.advanceTimersByTimeAsync(2_000));
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect([server.requests, box.textContent]).toEqual([[ROUTE, ROUTE], 'Added by an agent of Ada Jan 1, 2026']);
  } finally {
    vi.useRealTimers();
  }
});

it('asks no third time', async () => {
  vi.useFakeTimers();
  try {
    await show(null);
    for (let turn = 0; turn < 4; turn++) await act(() => vi.advanceTimersByTimeAsync(2_000));
    expect(server.requests).toEqual([ROUTE, ROUTE]);
  } finally {
    vi.useRealTimers();
  }
});
