import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { OriginLine } from './origin-line.tsx';

const server = useFakeApi();
const page = usePage();
const ROUTE = 'GET /api/v1/flows/f1/components/A/origin';

async function show(origin: object | null) {
  server.answer(ROUTE, { origin });
  const box = await page.show(inClient(testClient())(createElement(OriginLine, { flowId: 'f1', nodeId: 'A' })));
  await vi.waitFor(() => expect(server.requests.at(-1)).toBe(ROUTE));
  return box;
}

it.each([
  ['person', 'Ada', 'Added by Ada', 'lucide-user'],
  ['assistant', 'Ada', 'Added by the assistant for Ada', 'lucide-bot'],
  ['agent', 'Ada', 'Added by an agent of Ada', 'lucide-bot'],
  ['person', 'A\u202e', 'Added by A[U+202E]', 'lucide-user'],
  ['person', null, 'Added by a removed user', 'lucide-user'],
])('says who made a component: %s, %s', async (by, author, text, icon) => {
  const box = await show({ by, author, addedAt: '2026-01-01T00:00:00Z' });
  await vi.waitFor(() => expect(box.textContent).toBe(`${text} Jan 1, 2026`));
  expect([
    box.querySelector('svg')?.getAttribute('class')?.includes(icon),
    box.querySelector('time')?.hasAttribute('title'),
  ]).toEqual([true, true]);
});

it('says nothing where the flow does not know', async () => {
  const box = await show(null);
  await page.show(null);
  expect(box.innerHTML).toBe('');
});
