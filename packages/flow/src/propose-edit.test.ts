import { describe, expect, it } from 'vitest';
import { applyEdit } from './apply-edit.ts';
import { printFlow } from './parse-flow.ts';
import { proposeFieldEdit } from './propose-edit.ts';
import { createRegistry } from './registry.ts';
import { anyField, fakeComponent, flowOf } from './testing.ts';

const registry = createRegistry([
  fakeComponent('Text', {
    fields: [
      { name: 'text', label: 'Text', kind: 'multiline' },
      { name: 'count', label: 'Count', kind: 'integer', min: 1 },
      anyField('a/b~c'),
    ],
  }),
]);
const flow = flowOf({ a: { type: 'Text', values: { text: 'old' } }, b: { type: 'Text', values: {} } });
const propose = (node: string, field: string, value: never) => proposeFieldEdit(flow, registry, { node, field, value });

describe('proposeFieldEdit', () => {
  it('describes the change as a patch of the document and leaves the flow as it is', () => {
    const before = printFlow(flow);
    const { id, edit, ...proposal } = propose('a', 'text', 'new\n  text' as never);
    expect(id).toMatch(/^[a-zA-Z0-9]{8}$/);
    expect(proposal).toEqual({
      component_id: 'a',
      component_type: 'Text',
      field: 'text',
      old_value: 'old',
      new_value: 'new\n  text',
      description: 'Set text to "new text" on Text',
      patch: [{ op: 'replace', path: '/nodes/0/values/text', value: 'new\n  text' }],
    });
    expect(printFlow(flow)).toBe(before);
    expect(applyEdit(flow, edit).flow.nodes[0]?.values).toEqual({ text: 'new\n  text' });
  });

  it('adds a value that was not set, at an escaped path, and cuts its preview', () => {
    const { patch, old_value, description } = propose('b', 'a/b~c', 'x'.repeat(500) as never);
    expect(patch[0]).toMatchObject({ op: 'add', path: '/nodes/1/values/a~1b~0c' });
    expect(old_value).toBe(null);
    expect(description).toBe(`Set a/b~c to "${'x'.repeat(120)}…" on Text`);
  });

  it.each([
    ['c', 'text', 'x', "Component 'c' not found. Available: ['a', 'b']"],
    ['a', 'nothing', 'x', "Field 'nothing' not found on 'a'. Available: ['text', 'count', 'a/b~c']"],
    ['a', 'count', 0, "Patch validation failed: 'count' of a must be at least 1."],
    ['a', 'constructor', 'x', "Field 'constructor' not found on 'a'. Available: ['text', 'count', 'a/b~c']"],
  ])('refuses %s.%s = %j and says why', (node, field, value, message) => {
    expect(() => propose(node, field, value as never)).toThrow(message);
  });

  it('refuses an edit of an empty canvas', () => {
    expect(() => proposeFieldEdit(flowOf({}), registry, { node: 'a', field: 'text', value: 'x' })).toThrow(
      'No flow loaded. Cannot propose edits on an empty canvas.',
    );
  });
});
