import { describeComponent, searchComponents } from '@croft/assistant';
import type { Descriptor, Registry } from '@croft/flow';
import { READS } from '@croft/tools';
import { z } from 'zod';
import type { FlowDesk } from './flow-desk.ts';
import { flowTool, type FlowToolData, refuse } from './flow-tool.ts';
import { anyObject } from './shown.ts';

const query = z.string().max(500).optional().describe('Words of names and descriptions.');
const category = z.string().max(100).optional().describe('A category, as list_component_types gives it.');
const type = z.string().min(1).max(200).describe('The type of a component, such as ChatInput.');
const FIELDS = ['name', 'type', 'display_name', 'description'];
const fields = z.array(z.string().max(50)).max(20).default(FIELDS).describe('Fields of each result.');
const many = { result: z.array(anyObject), count: z.number() };

/** Tools over the components that flows are made of, the caller's own among them. */
export const CATALOGUE_TOOLS = [
  flowTool({
    name: 'search_component_types',
    title: 'Search component types',
    description: 'Searches the types of components that flows are made of. Without arguments it lists all of them.',
    input: { query, category, output_type: z.string().max(50).optional().describe('A type of value that it gives.') },
    output: { results: z.array(anyObject), count: z.number() },
    annotations: READS,
    async run({ query: words = '', category: of, output_type }, { desk }) {
      const registry = await ownRegistry(desk);
      const gives = (name: string) =>
        output_type === undefined ||
        registry.get(name)?.descriptor.outputs.some(({ types }) => (types as readonly string[]).includes(output_type));
      const results = searchComponents(registry, words).results.filter(
        (each) => (of === undefined || each.category === of) && gives(each.type),
      );
      return { results, count: results.length };
    },
  }),
  flowTool({
    name: 'describe_component_type',
    title: 'Describe component type',
    description: 'Describes a component type: its inputs, outputs, fields and their types.',
    input: { component_type: type },
    output: { type: z.string(), category: z.string(), display_name: z.string(), description: z.string() },
    annotations: READS,
    async run({ component_type }, { desk }) {
      return described(await ownRegistry(desk), component_type);
    },
  }),
];

/** The same as older clients call it. */
export const SEARCH_TOOLS = [
  flowTool({
    name: 'search_components',
    title: 'Search components',
    description: 'Searches component types. component_type is a category.',
    input: { query, component_type: category, fields, add_search_text: z.boolean().default(true) },
    output: many,
    annotations: READS,
    async run({ query: words, component_type, fields: wanted, add_search_text }, { desk }) {
      const found = await foundIn(desk, words, component_type);
      const result = found.map((each) => ({
        ...picked(each, wanted),
        ...(add_search_text && { text: `${each.label} ${each.description}` }),
      }));
      return { result, count: result.length };
    },
  }),
  flowTool({
    name: 'get_component',
    title: 'Get component',
    description: 'Describes a component type, or gives some of its fields.',
    input: { component_name: type, component_type: category, fields: z.array(z.string().max(50)).max(20).optional() },
    output: { name: z.string() },
    annotations: READS,
    async run({ component_name, component_type, fields: wanted }, { desk }) {
      const registry = await ownRegistry(desk);
      const found = registry.get(component_name)?.descriptor;
      if (found === undefined || (component_type !== undefined && found.category !== component_type))
        throw refuse(`There is no component ${component_name} here. Use search_components to find it.`);
      if (wanted !== undefined) return { ...picked(found, wanted), name: found.type };
      return { name: found.type, ...described(registry, found.type) };
    },
  }),
  flowTool({
    name: 'list_component_types',
    title: 'List categories',
    description: 'Lists the categories of components.',
    input: {},
    output: { result: z.array(z.string()) },
    annotations: READS,
    run: async (_, { desk }) => ({
      result: [...new Set((await foundIn(desk)).map((each) => each.category))].sort(),
    }),
  }),
  flowTool({
    name: 'count_components',
    title: 'Count components',
    description: 'Counts component types, all or those of a category.',
    input: { component_type: category },
    output: { result: z.number() },
    annotations: READS,
    run: async ({ component_type }, { desk }) => ({ result: (await foundIn(desk, '', component_type)).length }),
  }),
  flowTool({
    name: 'get_components_by_type_tool',
    title: 'Components of a category',
    description: 'Lists the component types of a category.',
    input: { component_type: z.string().min(1).max(100), fields },
    output: many,
    annotations: READS,
    async run({ component_type, fields: wanted }, { desk }) {
      const result = (await foundIn(desk, '', component_type)).map((each) => picked(each, wanted));
      return { result, count: result.length };
    },
  }),
];

/** @throws ForModel for an unknown type */
function described(registry: Registry, name: string): FlowToolData {
  const found = describeComponent(registry, name);
  const error = found['error'];
  if (typeof error === 'string') throw refuse(error);
  return found;
}

const ownRegistry = async ({ options, caller }: FlowDesk): Promise<Registry> =>
  (await options.flowComponents.ofUser(caller.userId)).registry;

async function foundIn(desk: FlowDesk, words = '', of?: string): Promise<Descriptor[]> {
  const registry = await ownRegistry(desk);
  return searchComponents(registry, words)
    .results.flatMap(({ type: name }) => registry.get(name)?.descriptor ?? [])
    .filter((each) => of === undefined || each.category === of);
}

/** The named fields of a component type. Unknown ones are left out. */
function picked(descriptor: Descriptor, wanted: readonly string[]): Record<string, unknown> {
  const { type: name, category: of, label, description, icon, keywords } = descriptor;
  const known: Record<string, unknown> = { name, type: of, display_name: label, description, icon, keywords };
  return Object.fromEntries(wanted.filter((key) => Object.hasOwn(known, key)).map((key) => [key, known[key] ?? null]));
}
