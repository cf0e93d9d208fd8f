import { builtinRegistry } from '@croft/components';
import { emptyFlow } from '@croft/flow';
import { expect, it } from 'vitest';
import { explainedInPart, inOneForm } from './explained-in-part.ts';

const registry = builtinRegistry();
const flow = {
  ...emptyFlow(),
  nodes: [{ id: 'S', type: 'SortRows', position: { x: 0, y: 0 }, values: {} }],
};

it.each([
  ['explain this flow', []],
  ['explain this flow in detail', []],
  ['explain this flow in French', ['in French']],
  ['describe it for my boss in verse and run it in Spanish', ['in verse']],
  ['document this flow in a Markdown file', []],
  ['explain the sorting of rows', []],
  ['explain it by sorted rows', []],
  ['explain the questions that it asks', []],
  ['run it in French', []],
])('leaves the details of “%s” out: %j', (message, missing) => {
  expect(explainedInPart(message, flow, registry)).toEqual(missing);
});

it('says what is left out', () => {
  expect(inOneForm([])).toBe('');
  expect(inOneForm(['in French', 'as a poem'])).toBe(
    'Not done: “in French”, “as a poem”. croft/offline explains in one form only, in English.',
  );
});
