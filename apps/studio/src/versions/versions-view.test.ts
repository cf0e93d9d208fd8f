import { createRegistry, emptyFlow } from '@croft/flow';
import { act, createElement } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { nodeOf } from '../canvas/testing-nodes.ts';
import { navigate } from '../routing/location.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { choose, fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { VersionsView } from './versions-view.tsx';

const server = useFakeApi();
const page = usePage();
beforeEach(dismissToasts);

const LIST = 'GET /api/v1/flows/f1/restore-points';
const point = (id: string) => ({ id, name: `Point ${id}`, createdAt: '2026-01-01T00:00:00Z', author: null });
const kept = (...ids: string[]) => ({ ...emptyFlow('Kept'), nodes: ids.map((id) => nodeOf(id)) });
const answerDocument = (id: string, ...ids: string[]) =>
  server.answer(`GET /api/v1/flows/f1/restore-points/${id}`, {
    restorePoint: { ...point(id), document: kept(...ids) },
  });

async function show(more: object = {}) {
  await act(async () => navigate('/flows/f1/versions'));
  const apply = vi.fn(() => true);
  const step = vi.fn();
  const onNextStep = vi.fn();
  const props = {
    id: 'f1',
    flow: { ...emptyFlow('Now'), nodes: [nodeOf('A'), nodeOf('B')] },
    registry: createRegistry([]),
    isReadOnly: false,
    edits: {
      step,
      onNextStep,
      get: () => ({ save: { kind: 'saved' } }),
      subscribe: () => () => undefined,
      flush: () => undefined,
    },
    apply,
    ...more,
  };
  const box = await page.show(
    inClient(testClient())(createElement(VersionsView, props as unknown as Parameters<typeof VersionsView>[0])),
  );
  return { box, apply, step, onNextStep };
}

describe('the versions of a flow', () => {
  it('load', async () => {
    server.answer(LIST, () => new Promise(() => undefined));
    expect((await show()).box.textContent).toContain('Loading the versions');
  });

  it('say that there are none', async () => {
    server.answer(LIST, { restorePoints: [] });
    const { box } = await show();
    await vi.waitFor(() => expect(box.textContent).toContain('No versions kept yet'));
    await expect
      .poll(() => outline(box, 'nav, form'))
      .toEqual([
        'a[href=/base/flows] All flows',
        'icon chevron-left 15',
        'h1[title=Now][tabindex=-1] Now',
        'nav[aria-label=Pages of this flow]',
        'span[aria-hidden=true]',
        'icon rotate-ccw-clock 22',
        'p No versions kept yet',
        'p Keep a version before a larger change. You can compare it with the flow later, and restore it.',
      ]);
    expect(named(box, 'Versions').getAttribute('href')).toBe('/base/flows/f1/versions');
    expect(named(box, 'Keep the flow as it is now')).not.toBeNull();
  });

  it('cannot be kept where the flow is read-only', async () => {
    server.answer(LIST, { restorePoints: [] });
    const { box } = await show({ isReadOnly: true });
    await vi.waitFor(() => expect(box.textContent).toContain('No versions kept yet'));
    expect(() => named(box, 'Keep the flow as it is now')).toThrow('There is no');
  });

  it('say why they cannot be shown, and load again', async () => {
    server.answer(LIST, refusal(500, 'broken', 'It broke.'));
    const { box } = await show();
    await vi.waitFor(() => expect(box.textContent).toContain('The versions cannot be shown'));
    const before = server.requests.length;
    await fire(named(box, 'Try again'), 'click');
    await vi.waitFor(() => expect(server.requests.length).toBe(before + 1));
  });
});

describe('a kept version', () => {
  async function open(more: object = {}) {
    server.answer(LIST, { restorePoints: [point('p2'), point('p1')] });
    answerDocument('p2', 'A');
    answerDocument('p1', 'A', 'C');
    const shown = await show(more);
    await vi.waitFor(() => expect(shown.box.querySelector('[aria-label="Differences on the canvas"]')).not.toBeNull());
    return shown;
  }
  const chosen = (box: Element) => box.querySelector('ol [aria-current]')?.textContent;

  it('is the newest one first, compared with the flow as it is now', async () => {
    const { box } = await open();
    expect(chosen(box)).toContain('Point p2');
    expect(box.textContent).toContain('Added');
    expect(box.textContent).not.toContain('Removed');
  });

  it('is compared with another one, and never with itself', async () => {
    const { box } = await open();
    await fire([...box.querySelectorAll('ol button')].at(-1) as Element, 'click');
    await vi.waitFor(() => expect(box.textContent).toContain('Removed'));
    expect(chosen(box)).toContain('Point p1');
    await choose(box.querySelector('select') as Element, 'p2');
    await vi.waitFor(() => expect(box.textContent).not.toContain('Added'));
    expect(box.textContent).toContain('Removed');
  });

  it('is restored as one edit, which can be undone', async () => {
    const { box, apply, step, onNextStep } = await open();
    await fire(named(box, 'Restore this version'), 'click');
    const { version: _, ...content } = kept('A');
    expect(apply.mock.calls).toEqual([[[{ kind: 'set_flow', flow: content }]]]);
    expect(location.pathname).toBe('/base/flows/f1');
    const toasts = await page.show(createElement(Toaster));
    expect(toasts.textContent).toContain('Restored “Point p2”.');
    expect(onNextStep).toHaveBeenCalledOnce();
    await fire(named(toasts, 'Undo'), 'click');
    expect(step.mock.calls).toEqual([['undo']]);
  });

  it('is not restored where the edit is refused', async () => {
    const { box } = await open({ apply: () => false });
    await fire(named(box, 'Restore this version'), 'click');
    expect(location.pathname).toBe('/base/flows/f1/versions');
  });

  it('loads again after an error, alone', async () => {
    server.answer(LIST, { restorePoints: [point('p2')] });
    server.answer(`${LIST}/p2`, refusal(500, 'broken', 'It broke.'));
    const { box } = await show();
    await vi.waitFor(() => expect(box.textContent).toContain('It broke.'));
    answerDocument('p2', 'A');
    const before = server.requests.length;
    await fire(named(box, 'Try again'), 'click');
    await vi.waitFor(() => expect(box.querySelector('[aria-label="Differences on the canvas"]')).not.toBeNull());
    expect(server.requests.slice(before)).toEqual([`${LIST}/p2`]);
  });
});
