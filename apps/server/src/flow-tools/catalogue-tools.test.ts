import { builtinRegistry } from '@croft/components';
import { expect, it } from 'vitest';
import { openTestDesk } from '../../../../tests/store/open-test-desk.ts';
import { CATALOGUE_TOOLS, SEARCH_TOOLS } from './catalogue-tools.ts';
import { shownTools } from './testing.ts';

const desk = openTestDesk(undefined as never, 'cg-ann');
const call = (name: string, args: object = {}): Promise<any> =>
  desk.call([...CATALOGUE_TOOLS, ...SEARCH_TOOLS], name, args);
const all = builtinRegistry().entries.map(({ descriptor }) => descriptor);
const { category } = all.find(({ type }) => type === 'ChatInput') as (typeof all)[number];
const ofCategory = all.filter((each) => each.category === category).map(({ type }) => type);

it('searches types by words, category and kind of output', async () => {
  const found = await call('search_component_types', { query: 'chat input' });
  expect(found.results.map(({ type }: { type: string }) => type)).toContain('ChatInput');
  expect(found.count).toBe(found.results.length);
  const typesOf = async (args: object) =>
    (await call('search_component_types', args)).results.map(({ type }: { type: string }) => type).sort();
  expect(await typesOf({ category })).toEqual([...ofCategory].sort());
  const messages = all
    .filter(({ outputs }) => outputs.some(({ types }) => types.includes('Message' as never)))
    .map(({ type }) => type);
  expect(await typesOf({ output_type: 'Message' })).toEqual([...messages].sort());
  expect(await typesOf({ category, output_type: 'nothing' })).toEqual([]);
});

it('describes a type, and says where there is none', async () => {
  expect(await call('describe_component_type', { component_type: 'ChatInput' })).toMatchObject({
    type: 'ChatInput',
    category,
  });
  await expect(call('describe_component_type', { component_type: 'Nothing' })).rejects.toThrow(/Nothing/);
});

it('gives older clients the fields that they ask for', async () => {
  const { result, count } = await call('search_components', {
    query: 'chat input',
    fields: ['name', 'type', 'unknown'],
    add_search_text: false,
  });
  expect(result.find((each: { name: string }) => each.name === 'ChatInput')).toEqual({
    name: 'ChatInput',
    type: category,
  });
  expect(count).toBe(result.length);
  const [texted] = (await call('search_components', { query: 'chat input', fields: ['icon'] })).result;
  expect([Object.keys(texted), texted.text.length > 5]).toEqual([['icon', 'text'], true]);
});

it('reads one component, whole or in part', async () => {
  expect(await call('get_component', { component_name: 'ChatInput', component_type: category })).toMatchObject({
    name: 'ChatInput',
    type: 'ChatInput',
  });
  expect(await call('get_component', { component_name: 'ChatInput', fields: ['type'] })).toEqual({
    type: category,
    name: 'ChatInput',
  });
  await expect(call('get_component', { component_name: 'ChatInput', component_type: 'other' })).rejects.toThrow(
    /no component ChatInput/,
  );
  await expect(call('get_component', { component_name: 'Nothing' })).rejects.toThrow(/no component Nothing/);
});

it('lists and counts categories', async () => {
  const { result } = await call('list_component_types');
  expect(result).toEqual([...new Set(all.map((each) => each.category))].sort());
  expect((await call('count_components')).result).toBe(all.length);
  expect((await call('count_components', { component_type: category })).result).toBe(ofCategory.length);
  const listed = await call('get_components_by_type_tool', { component_type: category, fields: ['name'] });
  expect([listed.count, listed.result.map(({ name }: { name: string }) => name).sort()]).toEqual([
    ofCategory.length,
    [...ofCategory].sort(),
  ]);
});

it('shows the tools of CATALOGUE_TOOLS to models and people in these words', () => {
  expect(shownTools(CATALOGUE_TOOLS)).toEqual([
    'search_component_types | Search component types | Searches the types of components that flows are made of. Without arguments it lists all of them. | {"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false} | undoable',
    '- query?: {"type":"string","maxLength":500} Words of names and descriptions.',
    '- category?: {"type":"string","maxLength":100} A category, as list_component_types gives it.',
    '- output_type?: {"type":"string","maxLength":50} A type of value that it gives.',
    '=> results: {"type":"array","items":{"type":"object","properties":{},"additionalProperties":{}}}',
    '=> count: {"type":"number"}',
    'describe_component_type | Describe component type | Describes a component type: its inputs, outputs, fields and their types. | {"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false} | undoable',
    '- component_type: {"type":"string","minLength":1,"maxLength":200} The type of a component, such as ChatInput.',
    '=> type: {"type":"string"}',
    '=> category: {"type":"string"}',
    '=> display_name: {"type":"string"}',
    '=> description: {"type":"string"}',
  ]);
});

it('shows the tools of SEARCH_TOOLS to models and people in these words', () => {
  expect(shownTools(SEARCH_TOOLS)).toEqual([
    'search_components | Search components | Searches component types. component_type is a category. | {"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false} | undoable',
    '- query?: {"type":"string","maxLength":500} Words of names and descriptions.',
    '- component_type?: {"type":"string","maxLength":100} A category, as list_component_types gives it.',
    '- fields: {"default":["name","type","display_name","description"],"maxItems":20,"type":"array","items":{"type":"string","maxLength":50}} Fields of each result.',
    '- add_search_text: {"default":true,"type":"boolean"}',
    '=> result: {"type":"array","items":{"type":"object","properties":{},"additionalProperties":{}}}',
    '=> count: {"type":"number"}',
    'get_component | Get component | Describes a component type, or gives some of its fields. | {"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false} | undoable',
    '- component_name: {"type":"string","minLength":1,"maxLength":200} The type of a component, such as ChatInput.',
    '- component_type?: {"type":"string","maxLength":100} A category, as list_component_types gives it.',
    '- fields?: {"maxItems":20,"type":"array","items":{"type":"string","maxLength":50}}',
    '=> name: {"type":"string"}',
    'list_component_types | List categories | Lists the categories of components. | {"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false} | undoable',
    '=> result: {"type":"array","items":{"type":"string"}}',
    'count_components | Count components | Counts component types, all or those of a category. | {"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false} | undoable',
    '- component_type?: {"type":"string","maxLength":100} A category, as list_component_types gives it.',
    '=> result: {"type":"number"}',
    'get_components_by_type_tool | Components of a category | Lists the component types of a category. | {"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false} | undoable',
    '- component_type: {"type":"string","minLength":1,"maxLength":100}',
    '- fields: {"default":["name","type","display_name","description"],"maxItems":20,"type":"array","items":{"type":"string","maxLength":50}} Fields of each result.',
    '=> result: {"type":"array","items":{"type":"object","properties":{},"additionalProperties":{}}}',
    '=> count: {"type":"number"}',
  ]);
});

it('gives each field of a component that an older client can ask for', async () => {
  const { descriptor } = builtinRegistry().get('Memory') as { descriptor: (typeof all)[number] };
  const fields = ['name', 'type', 'display_name', 'description', 'icon', 'keywords'];
  const { result } = await call('search_components', { query: 'message history', fields, add_search_text: false });
  expect(result.find(({ name }: { name: string }) => name === 'Memory')).toEqual({
    name: 'Memory',
    type: descriptor.category,
    display_name: descriptor.label,
    description: descriptor.description,
    icon: descriptor.icon,
    keywords: descriptor.keywords,
  });
});
