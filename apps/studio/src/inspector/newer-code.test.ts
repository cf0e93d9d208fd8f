import { emptyFlow } from '@croft/flow';
import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { nodeOf } from '../canvas/testing-nodes.ts';
import { settle, useFakeApi } from '../testing/fake-api.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { NewerCode } from './newer-code.tsx';

const server = useFakeApi();
const page = usePage();
const own = (id: string, code?: string) => ({ ...nodeOf(id, 'Own'), ...(code !== undefined && { code }) });

async function show(
  node: ReturnType<typeof own>,
  { nodes = [node], isReadOnly = false, problem = null as object | null } = {},
) {
  server.answer('GET /api/v1/components', { components: [{ name: 'Own', problem }] });
  server.answer('GET /api/v1/components/Own', { code: 'new' });
  const applied: unknown[] = [];
  const props = {
    flow: { ...emptyFlow('f'), nodes },
    node,
    isReadOnly,
    apply: (edits: unknown) => applied.push(edits),
  };
  const box = await page.show(inClient(testClient())(createElement(NewerCode, props)));
  const wait = () => vi.waitFor(() => expect(box.textContent).toContain('was saved with other code'));
  return { box, applied, wait };
}

it('replaces the copy of one component, or of all that differ', async () => {
  const nodes = [own('a', 'old'), own('b', 'older'), own('c', 'new'), own('d'), nodeOf('e', 'Other')];
  const { box, applied, wait } = await show(nodes[0] as ReturnType<typeof own>, { nodes });
  await wait();
  await fire(named(box, 'Use the new code'), 'click');
  await fire(named(box, 'Use it in all 2 components'), 'click');
  const edit = (id: string) => ({ kind: 'set_code', id, code: 'new' });
  expect(applied).toEqual([[edit('a')], [edit('a'), edit('b')]]);
});

it('offers one button where one component differs', async () => {
  const { box, wait } = await show(own('a', 'old'));
  await wait();
  expect(box.querySelectorAll('button')).toHaveLength(1);
});

it('says nothing of the same code, a broken one, or where nothing can be changed', async () => {
  const same = await show(own('a', 'new'));
  const broken = await show(own('a', 'old'), { problem: { line: 1 } });
  await settle();
  server.requests.length = 0;
  const readOnly = await show(own('a', 'old'), { isReadOnly: true });
  const without = await show(own('a'));
  await settle();
  expect([same, broken, readOnly, without].map(({ box }) => box.textContent)).toEqual(['', '', '', '']);
  expect(server.requests).toEqual([]);
});
