import { builtinRegistry } from '@croft/components';
import { expect, it } from 'vitest';
import { templatePicture } from './template-picture.ts';

it('has the places of components and what is connected, and no values', () => {
  const spec = 'name: F\nnodes:\n  A: ChatInput\n  B: ChatOutput\nedges:\n  A.message -> B.input_value';
  const { nodes, edges } = templatePicture(spec, builtinRegistry());
  expect(nodes).toEqual(['A', 'B'].map((id) => ({ id, position: { x: expect.any(Number), y: expect.any(Number) } })));
  expect(nodes[0]?.position).not.toEqual(nodes[1]?.position);
  expect(edges).toEqual([{ from: { node: 'A' }, to: { node: 'B' } }]);
});

it('refuses a text that does not describe a flow', () => {
  expect(() => templatePicture('name: F\nnodes:\n  A: NoSuchType', builtinRegistry())).toThrow();
});
