import { type Edit, emptyFlow, type FlowNode } from '@croft/flow';
import { expect, it } from 'vitest';
import { nodeOf } from './testing-nodes.ts';
import { withCode } from './with-code.ts';

const add = (id: string, code?: string): Edit => ({ kind: 'add_component', node: coded(id, code) });
const coded = (id: string, code?: string): FlowNode => ({ ...nodeOf(id), ...(code !== undefined && { code }) });
const batch = (...edits: Edit[]) => ({ kind: 'batch', edits }) as unknown as Edit;
const whole = (...nodes: FlowNode[]): Edit => ({ kind: 'set_flow', flow: { ...emptyFlow('f'), nodes } });

it('gives new nodes the code that the server stored, wherever they are', () => {
  const stored = [add('a', 'A'), batch(add('b', 'B')), whole(coded('c', 'C'))];
  expect(withCode([add('a'), batch(add('b')), whole(nodeOf('c'))], stored)).toEqual(stored);
});

it('leaves code that a node has, and nodes for which there is none', () => {
  const edits = [add('a', 'mine'), add('x')];
  expect(withCode(edits, [add('a', 'A')])).toBe(edits);
  expect(withCode([add('a', 'mine'), add('b')], [add('a', 'A'), add('b', 'B')])).toEqual([
    add('a', 'mine'),
    add('b', 'B'),
  ]);
});

it('is the same list where nothing is new', () => {
  const edits: Edit[] = [{ kind: 'remove_component', id: 'a' }];
  expect(withCode(edits, [add('a', 'A')])).toBe(edits);
  expect(withCode([add('b'), ...edits], [add('b', 'B')])).toEqual([add('b', 'B'), ...edits]);
});
