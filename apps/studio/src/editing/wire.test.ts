import { Position, ReactFlowProvider, useStoreApi } from '@xyflow/react';
import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { fire, named, usePage } from '../testing/page.ts';
import { type Editing, EditingContext } from './editing-context.ts';
import { wire } from './testing-wires.ts';
import { Wire } from './wire.tsx';

const page = usePage();
const EDGE = wire('w', 'out', 'a', 'prompt');

async function show({ selected = true, canEdit = true, targetX = 100 } = {}) {
  const [insertOn, disconnect] = [vi.fn(), vi.fn()];
  const editing = canEdit ? ({ insertOn, disconnect } as unknown as Editing) : undefined;
  const labels = document.body.appendChild(document.createElement('div'));
  const renderer = document.createElement('div');
  renderer.className = 'react-flow__edgelabel-renderer';
  labels.append(renderer);
  const Labels = () => {
    useStoreApi().setState({ domNode: labels });
    return null;
  };
  const ends = { sourceX: 0, sourceY: 0, targetX, targetY: 40 };
  const sides = { sourcePosition: Position.Right, targetPosition: Position.Left };
  const props = { id: 'e1', ...ends, ...sides, selected, data: { edge: EDGE } } as unknown as Parameters<
    typeof Wire
  >[0];
  const drawing = createElement(
    'svg',
    { key: 2 },
    createElement(EditingContext, { value: editing }, createElement(Wire, props)),
  );
  const box = await page.show(
    createElement(ReactFlowProvider, { children: [createElement(Labels, { key: 1 }), drawing] }),
  );
  return { box, labels, insertOn, disconnect };
}

it('is a line between two ports', async () => {
  const { box, labels } = await show({ selected: false });
  expect(box.querySelector('path')?.getAttribute('d')).toMatch(/^M0,0 C.* 100,40$/);
  expect(labels.textContent).toBe('');
});

it('turns between the two ports where it leads to the left', async () => {
  const { box, labels } = await show({ targetX: -100 });
  expect(box.querySelector('path')?.getAttribute('d')).toMatch(/^M0 0L.* 24,10Q.* 14,20L -114,20Q.*L-100 40$/);
  expect(labels.querySelector<HTMLElement>('[style]')?.getAttribute('style')).toContain('translate(-50px, 20px)');
});

it('offers in its middle to insert a component or to remove it while it is selected', async () => {
  const { labels, insertOn, disconnect } = await show();
  const place = labels.querySelector<HTMLElement>('[style]')?.getAttribute('style');
  expect(place).toContain('translate(50px, 20px)');
  await fire(named(labels, 'Insert a component here (A)'), 'click');
  await fire(named(labels, 'Remove this connection (Delete)'), 'click');
  expect([insertOn.mock.calls, disconnect.mock.calls]).toEqual([[[EDGE]], [[EDGE]]]);
});

it('offers nothing where the flow is read-only', async () => {
  expect((await show({ canEdit: false })).labels.querySelector('button')).toBeNull();
});
