import { emptyFlow, type FlowDocument, type FlowNode } from '@croft/flow';
import { expect, it } from 'vitest';
import { differencesBetween } from './flow-differences.ts';

const node = (id: string, values: FlowNode['values'] = {}): FlowNode => ({
  id,
  type: 'A',
  position: { x: 0, y: 0 },
  values,
});
const flow = (...nodes: FlowNode[]): FlowDocument => ({ ...emptyFlow(), nodes });
const differ = (before: FlowDocument, now: FlowDocument) => differencesBetween(before, now, ({ id }) => id);

it('says what was added, removed and changed', () => {
  expect(differ(flow(node('a'), node('b'), node('c')), flow(node('a', { x: 1 }), node('c'), node('d')))).toBe(
    'added d; removed b; changed values of a',
  );
  const before = flow(node('a'));
  expect(differ(before, flow(node('a'), node('b')))).toBe('added b');
  expect(differencesBetween(before, flow(node('b')), ({ id }) => id, { added: 'made', changed: 'set' })).toBe(
    'made b; removed a',
  );
});

it('names ten of many, and says so where only the picture changed', () => {
  const many = Array.from({ length: 12 }, (_, i) => node(`n${i}`));
  expect(differ(flow(), flow(...many))).toBe(
    `added ${many
      .slice(0, 10)
      .map(({ id }) => id)
      .join(', ')} and 2 more`,
  );
  expect(differ(flow(), flow(...many.slice(0, 10)))).not.toContain('more');
  expect(differ(flow(node('a')), flow({ ...node('a'), position: { x: 9, y: 9 } }))).toBe(
    'moved components or changed connections',
  );
});
