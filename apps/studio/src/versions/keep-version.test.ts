import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { restorePointsQuery } from '../api/restore-points.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, type, usePage } from '../testing/page.ts';
import { inClient, isInvalid, testClient } from '../testing/queries.ts';
import { KeepVersion } from './keep-version.tsx';

const server = useFakeApi();
const page = usePage();
const ROUTE = 'POST /api/v1/flows/f/restore-points';

async function open(save = 'saved') {
  const kept: string[] = [];
  const client = testClient();
  client.setQueryData(restorePointsQuery('f').queryKey, []);
  const edits = { get: () => ({ save: { kind: save } }), subscribe: () => () => undefined, flush: () => undefined };
  const props = { id: 'f', edits, onKept: (point: string) => void kept.push(point) } as unknown as Parameters<
    typeof KeepVersion
  >[0];
  const box = await page.show(inClient(client)(createElement(KeepVersion, props)));
  const submit = () => fire(box.querySelector('form') as Element, 'submit');
  return { box, client, kept, submit };
}

it('keeps the saved flow under its reason, or under a name of its own', async () => {
  const { box, client, kept, submit } = await open();
  await expect
    .poll(() => outline(box))
    .toEqual([
      'label[for=#1] Reason (optional)',
      'input#1[placeholder=For example: before the demo][maxLength=100][autoComplete=off]',
      'p#1-error[role=alert]',
      'button[type=submit]',
      'span Keep the flow as it is now',
      'icon bookmark-plus 16',
    ]);
  server.answer(ROUTE, { restorePoint: { id: 'p1' } });
  await type(box.querySelector('input') as Element, ' before the demo ');
  await submit();
  await vi.waitFor(() => expect(kept).toEqual(['p1']));
  expect(isInvalid(client, restorePointsQuery('f').queryKey)).toBe(true);
  await vi.waitFor(() => expect(box.querySelector('button')?.getAttribute('aria-busy')).toBeNull());
  await submit();
  await vi.waitFor(() =>
    expect(server.requests).toEqual([`${ROUTE} {"name":"before the demo"}`, `${ROUTE} {"name":"Kept by hand"}`]),
  );
});

it('keeps no older flow than the page shows', async () => {
  const { box, kept, submit } = await open('refused');
  await submit();
  await vi.waitFor(() => expect(box.textContent).toContain('not saved yet'));
  expect([server.requests, kept]).toEqual([[], []]);
});

it('says why a version was not kept', async () => {
  const { box, kept, submit } = await open();
  server.answer(ROUTE, refusal(403, 'forbidden', 'You may only read it.'));
  await submit();
  await vi.waitFor(() => expect(box.textContent).toContain('You may only read it.'));
  expect(kept).toEqual([]);
});
