import { builtinRegistry } from '@croft/components';
import { expect, it } from 'vitest';
import { documentOf } from '../testing.ts';
import { tweakedFlow, type Tweaks } from './tweaks.ts';

const registry = builtinRegistry();
const flow = documentOf(
  'name: F\nnodes:\n  A: ChatInput\n  B: ChatOutput\n  C: TypeScriptCode\nedges:\n  A.message -> B.input_value',
  (_, id) => id,
);
const tweak = (tweaks: Tweaks, isOwner = true) => tweakedFlow(flow, registry as never, tweaks, isOwner);
const refused = (tweaks: Tweaks, isOwner = true): { code?: string; message?: string } => {
  try {
    tweak(tweaks, isOwner);
  } catch (error) {
    return error as never;
  }
  return {};
};

it('sets exposed fields for one run, and leaves the stored flow', () => {
  const [field = ''] = /Exposed are (\w+)/.exec(refused({ A: { nothing: 1 } }).message ?? '')?.slice(1) ?? [];
  const before = JSON.stringify(flow);
  const tweaked = tweak({ A: { [field]: 'new' } });
  expect(tweaked.nodes.map(({ values }) => values[field])).toEqual([
    'new',
    flow.nodes[1]?.values[field],
    flow.nodes[2]?.values[field],
  ]);
  expect([JSON.stringify(flow), tweaked.edges]).toEqual([before, flow.edges]);
});

it('gives the same flow where there is nothing to set', () => {
  expect(tweak({})).toBe(flow);
  expect(tweak({ Z: {} })).toBe(flow);
  expect(tweak({ A: {} }, false)).toBe(flow);
});

it('refuses a field that is connected, of the author, or not there', () => {
  expect(refused({ B: { input_value: 'x' } })).toMatchObject({
    code: 'invalid',
    message: expect.stringContaining("'input_value' of B is not an exposed field"),
  });
  expect(refused({ C: { code: 'x' } })).toMatchObject({ code: 'invalid' });
  expect(refused({ A: { __proto__x: 1 } })).toMatchObject({ code: 'invalid' });
  expect(refused({ Z: { a: 1 } })).toMatchObject({
    code: 'invalid',
    message: "tweaks: the flow has no component 'Z'.",
  });
  expect(refused({ ['z'.repeat(500)]: { a: 1 } }).message?.length).toBeLessThan(260);
});

it('refuses a value of another kind', () => {
  const [field = ''] = /Exposed are (\w+)/.exec(refused({ A: { nothing: 1 } }).message ?? '')?.slice(1) ?? [];
  expect(refused({ A: { [field]: { not: 'text' } } })).toMatchObject({
    code: 'invalid',
    message: expect.stringContaining(`'${field}' of A`),
  });
});

it('lets only the owner change a flow for a run, and names the inputs of others', () => {
  expect(refused({ A: { input_value: 'x' } }, false)).toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('because the flow is shared with you. Use `inputs` for A.input_value'),
  });
});

it('checks each field of each component, and names all exposed ones', () => {
  const several = documentOf('name: F\nnodes:\n  A: ChatInput\n  D: TextInput\n  E: ChatOutput', (_, id) => id);
  const change = (tweaks: Tweaks) => tweakedFlow(several, registry as never, tweaks, true);
  const tweaked = change({ A: { input_value: 'a' }, D: { input_value: 'd' } });
  expect(tweaked.nodes.map(({ values }) => values['input_value'])).toEqual(['a', 'd', undefined]);
  expect(tweaked.nodes[0]?.values).toEqual({ ...several.nodes[0]?.values, input_value: 'a' });
  expect(() => change({ A: { input_value: 'a' }, D: { nothing: 1 } })).toThrow(
    "tweaks: 'nothing' of D is not an exposed field. Exposed are input_value.",
  );
  expect(() => change({ D: { input_value: 'd', ['x'.repeat(300)]: 1 } })).toThrow(
    `tweaks: '${'x'.repeat(200)}' of D is not an exposed field.`,
  );
  expect(() => change({ D: { input_value: {} } })).toThrow(/^tweaks: 'input_value' of D .+[^.]\.$/);
});

it('exposes no field of a component that it does not know', () => {
  const unknown = { ...flow, nodes: flow.nodes.map((node) => ({ ...node, type: 'Gone' })) };
  expect(() => tweakedFlow(unknown, registry as never, { A: { x: 1 } }, true)).toThrow(
    "tweaks: 'x' of A is not an exposed field. Exposed are none.",
  );
});

it('bounds the names in the refusal of a shared flow, and says where it has no inputs', () => {
  const none = { ...flow, nodes: [], edges: [] };
  expect(() => tweakedFlow(none, registry as never, { ['i'.repeat(300)]: { ['f'.repeat(300)]: 1 } }, false)).toThrow(
    `tweaks: '${'f'.repeat(200)}' of ${'i'.repeat(200)} cannot be changed, because the flow is shared with you. Use \`inputs\` for nothing: it has no inputs, or duplicate the flow.`,
  );
});
