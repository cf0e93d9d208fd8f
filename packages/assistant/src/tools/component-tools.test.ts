import { expect, it } from 'vitest';
import { toolContext } from '../../../../tests/support/tool-context.ts';
import type { ComponentWriter } from '../turn.ts';
import { REDACTED } from '../hide-secrets.ts';
import { COMPONENT_TOOLS } from './component-tools.ts';
import { shownTools } from '../testing.ts';

const entry = {
  descriptor: {
    type: 'Sum',
    label: 'Sums',
    description: '',
    category: 'custom' as const,
    effects: [],
    fields: [],
    outputs: [],
  },
};
const writer = (more: Partial<ComponentWriter> = {}): ComponentWriter => ({
  generate: async () => ({ className: 'Sum', entry }),
  replacesSaved: async () => false,
  save: async (name) => name === 'Sum',
  ...more,
});
async function setUp(components: ComponentWriter, more: Parameters<typeof toolContext>[1] = {}) {
  const registered: unknown[] = [];
  const made = await toolContext(undefined, {
    ...more,
    turn: { components },
    register: (each) => registered.push(each),
  });
  return { ...made, registered };
}
const steps = (events: readonly unknown[]) =>
  events.map((each) => (each as { step?: string }).step ?? (each as { event: string }).event);

it('writes a component, and makes it known', async () => {
  const { call, events, registered } = await setUp(writer());
  expect(await call(COMPONENT_TOOLS, 'generate_component', { code: 'class Sum {}' })).toMatchObject({
    class_name: 'Sum',
  });
  expect(steps(events)).toEqual(['validating', 'validated', 'component']);
  expect(events[0]).toMatchObject({ attempt: 1, max_attempts: 1 });
  expect(events.at(-1)).toEqual({
    event: 'component',
    class_name: 'Sum',
    label: 'Sums',
    component_code: 'class Sum {}',
    saved: false,
  });
  expect(registered).toEqual([entry]);
});

it('says what is wrong with a source', async () => {
  const { call, events, registered } = await setUp(
    writer({ generate: async () => ({ problems: ['Line 1: no class.', 'Line 2: no label.'] }) }),
  );
  const result = await call(COMPONENT_TOOLS, 'generate_component', { code: 'x' });
  expect(result).toMatchObject({
    problems: ['Line 1: no class.', 'Line 2: no label.'],
    summary: 'The component was not created: Line 1: no class. Line 2: no label.',
    error: expect.stringContaining('call generate_component again'),
  });
  expect([steps(events), registered]).toEqual([['validating', 'validation_failed'], []]);
});

it('reads no source that is missing or too long', async () => {
  const { call, events } = await setUp(writer());
  expect(await call(COMPONENT_TOOLS, 'generate_component')).toMatchObject({ summary: 'The component has no code.' });
  const long = await call(COMPONENT_TOOLS, 'generate_component', { code: 'x'.repeat(1_000_001) });
  expect(long['error']).toBe('The code has 1000001 characters; at most 1000000 are read.');
  expect(events).toEqual([]);
  expect(await call(COMPONENT_TOOLS, 'generate_component', { code: 'x'.repeat(1_000_000) })).not.toHaveProperty(
    'error',
  );
});

it('keeps a component for good, if this conversation wrote it', async () => {
  const { call } = await setUp(writer());
  expect(await call(COMPONENT_TOOLS, 'save_component', { class_name: 'Sum' })).toEqual({
    text: 'Saved Sum.',
    saved: 'Sum',
  });
  expect(await call(COMPONENT_TOOLS, 'save_component', { class_name: 'Other' })).toMatchObject({
    error: "There is no generated component 'Other'. Call generate_component first.",
    summary: "This conversation wrote no component 'Other'.",
  });
});

it('asks before it replaces one that the user saved', async () => {
  const replaces = writer({ replacesSaved: async () => true });
  for (const [answer, isSaved] of [
    ['Replace', true],
    ['Keep mine', false],
  ] as const) {
    const { call, asked } = await setUp(replaces, { answer });
    const result = await call(COMPONENT_TOOLS, 'save_component', { class_name: 'Sum' });
    expect([result['saved'], asked]).toEqual([
      isSaved ? 'Sum' : undefined,
      ['You have saved a component of this name. Replace its code? “Sum”'],
    ]);
    if (!isSaved) expect(result['text']).toContain('Not saved: the user keeps the component');
  }
});

it('needs a turn that can write components', async () => {
  const { call } = await toolContext();
  await expect(call(COMPONENT_TOOLS, 'save_component', { class_name: 'Sum' })).rejects.toThrow('writes no components');
  expect(COMPONENT_TOOLS.map(({ changesComponents }) => changesComponents)).toEqual([true, undefined]);
  expect(COMPONENT_TOOLS.map((tool) => [tool.label({ class_name: 'Sum' }), tool.needs])).toEqual([
    ['Generating component', 'change'],
    ['Saving Sum', 'change'],
  ]);
});

it('shows its tools to models and people in these words', () => {
  expect(shownTools(COMPONENT_TOOLS)).toEqual([
    'generate_component | Generating component | changes components | needs string | Writes a new component in TypeScript, checks it and tries it in a sandbox. It can be used at once, under the name of its class. Only where no component of search_components does it. The same class name again replaces it. | {"type":"object","additionalProperties":false}',
    "- code: {\"type\":\"string\"} The whole TypeScript source, one class. Example:\nexport class SumNumbers extends Component {\n  label = 'Sum';\n  description = 'Adds two numbers.';\n  inputs = [\n    { name: 'a', label: 'A', kind: 'number', required: true },\n    { name: 'text', label: 'Text', kind: 'text', accepts: ['Message'] },\n  ];\n  outputs = [{ name: 'total', label: 'Total', types: ['Message'], method: 'build_total' }];\n\n  build_total() {\n    return String(this.a);\n  }\n}\ninputs and outputs are literals. Inputs are read as this.NAME; each output names a method that returns its value. No imports, no files, no network, no timers; this.log(...) writes to the log. Name outputs and methods by what they give, not run, process or output.",
    'save_component | Saving CLASS_NAME | needs string | Keeps a generated component for good. Only if the user asked to save it: otherwise it is removed with the conversation. | {"type":"object","additionalProperties":false}',
    '- class_name: {"type":"string"} The name of its class.',
  ]);
});

it('cuts a long name in what it says, and names what it did', async () => {
  const { call } = await setUp(writer());
  expect(await call(COMPONENT_TOOLS, 'save_component', { class_name: 'x'.repeat(101) })).toEqual({
    error: `There is no generated component '${'x'.repeat(100)}'. Call generate_component first.`,
    text: `There is no generated component '${'x'.repeat(100)}'. Call generate_component first.`,
    summary: `This conversation wrote no component '${'x'.repeat(100)}'.`,
  });
  expect(await call(COMPONENT_TOOLS, 'generate_component', { code: 'class Sum {}' })).toEqual({
    text: "Component 'Sum' created, validated and registered. Now call search_components to find 'Sum' and add it to the flow.",
    class_name: 'Sum',
  });
});

it('reports each step of a check, and offers to keep the saved component', async () => {
  const failing = await setUp(writer({ generate: async () => ({ problems: ['One.', 'Two.'] }) }));
  await failing.call(COMPONENT_TOOLS, 'generate_component', { code: 'x' });
  const progress = { event: 'progress', attempt: 1, max_attempts: 1 };
  expect(failing.events).toEqual([
    { ...progress, step: 'validating', message: 'Validating component...' },
    { ...progress, step: 'validation_failed', message: 'Validation failed', error: 'One. Two.' },
  ]);
  const { call, events } = await setUp(writer({ replacesSaved: async () => true }), { answer: 'Keep mine' });
  await call(COMPONENT_TOOLS, 'generate_component', { code: 'class Sum {}' });
  expect(events[1]).toEqual({ ...progress, step: 'validated', message: 'Component validated' });
  expect(await call(COMPONENT_TOOLS, 'save_component', { class_name: 'Sum' })).toEqual({
    text: 'Not saved: the user keeps the component that they have. Say so, and do not try again.',
  });
  expect(events.find(({ event }) => event === 'question')).toMatchObject({
    kind: 'question',
    choices: ['Replace', 'Keep mine'],
    default: 'Keep mine',
  });
});

it('writes no component with the mark of a secret', async () => {
  const { call, events } = await setUp(writer());
  const code = `class Sum { key = '${REDACTED}' }`;
  await expect(call(COMPONENT_TOOLS, 'generate_component', { code })).rejects.toMatchObject({
    part: expect.any(String),
  });
  expect(events).toEqual([]);
});
