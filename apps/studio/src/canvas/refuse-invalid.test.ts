import { type Edit, FlowError } from '@croft/flow';
import { expect, it } from 'vitest';
import { refuseInvalid } from './refuse-invalid.ts';
import { addNode } from './testing-nodes.ts';

it('refuses a wrong edit among right ones, with a sentence', () => {
  const wrong = { kind: 'rename', id: 7 } as unknown as Edit;
  expect(() => refuseInvalid([addNode('a'), addNode('b')])).not.toThrow();
  expect(() => refuseInvalid([addNode('a'), wrong])).toThrow(FlowError);
  expect(() => refuseInvalid([wrong])).toThrow(expect.objectContaining({ code: 'invalid_edit' }));
  expect(() => refuseInvalid([wrong])).toThrow(/expected string.*\.$/);
});
