import { type Descriptor, type Field, isToolCapable, type Registry, TOOL_OUTPUT } from '@croft/flow';
import { type AssistantTool, failed, textOf, textParameters, type ToolData } from './assistant-tool.ts';

const SAMPLE = 20;

/** Tools that read the components and templates there are. */
export const DISCOVERY_TOOLS: readonly AssistantTool[] = [
  {
    name: 'search_components',
    description: 'Searches the components a flow can be built from. Without a query it lists all of them.',
    parameters: textParameters({ 'query?': 'Words to search for in names, categories and descriptions.' }),
    label: () => 'Searching components',
    isCached: true,
    run(args, { turn }) {
      const query = textOf(args, 'query');
      const found = searchComponents(turn.registry, query);
      return { ...found, summary: summaryOfFound(found, query) };
    },
  },
  {
    name: 'describe_component',
    description:
      'Describes a component type: its inputs, outputs, fields and their types. Call it before you use the type.',
    parameters: textParameters({ component_type: 'The type, as search_components gives it.' }),
    label: (args) => `Reading ${textOf(args, 'component_type')}`,
    isCached: true,
    run(args, { turn }) {
      const type = textOf(args, 'component_type');
      const entry = turn.registry.get(type);
      if (entry === undefined) return unknownType(turn.registry, type);
      return { ...described(entry), summary: summaryOfType(entry.descriptor) };
    },
  },
  {
    name: 'list_templates',
    description: 'Lists flows to begin from, with what each does.',
    parameters: textParameters({}),
    label: () => 'Reading templates',
    isCached: true,
    run(_, { turn }) {
      const templates = turn.templates.map(({ name, description }) => ({
        name,
        description: description.slice(0, 140),
      }));
      const lines = templates.map(({ name, description }) => `- use template ${name} (${description})`);
      return { templates, count: templates.length, summary: `Write one of these to build it:\n\n${lines.join('\n')}` };
    },
  },
];

/** The result of a search for component types. */
export type FoundComponents = {
  readonly results: readonly {
    readonly type: string;
    readonly category: string;
    readonly display_name: string;
    readonly description: string;
  }[];
  readonly count: number;
};

/** Components whose names and texts contain the query; those that share most words where none contains it whole. */
export function searchComponents({ entries }: Registry, query: string): FoundComponents {
  const all = entries.map(({ descriptor }) => descriptor).filter(({ legacy }) => legacy !== true);
  const text = ({ type, category, label, description, keywords = [] }: Descriptor) =>
    [type, category, label, description, ...keywords].join(' ').toLowerCase();
  const wanted = query.toLowerCase();
  let found = all.filter((each) => text(each).includes(wanted));
  if (found.length === 0) {
    const words = wanted.match(/[\p{L}\p{N}]{3,}/gu) ?? [];
    const scored = all.map((each) => ({ each, score: words.filter((word) => text(each).includes(word)).length }));
    const best = Math.max(0, ...scored.map(({ score }) => score));
    found = best === 0 ? [] : scored.filter(({ score }) => score === best).map(({ each }) => each);
  }
  const results = found
    .map(({ type, category, label, description }) => ({ type, category, display_name: label, description }))
    .sort((one, other) => (one.type < other.type ? -1 : 1));
  return { results, count: results.length };
}

/** The found components for a person. */
function summaryOfFound({ results, count }: FoundComponents, query: string): string {
  if (count === 0) return `No component has words of “${query.slice(0, 100)}”.`;
  const lines = results
    .slice(0, SAMPLE)
    .map(({ type, display_name, description }) => `- **${display_name}** (${type}): ${description}`);
  return [...lines, ...(count > SAMPLE ? [`- and ${count - SAMPLE} more`] : [])].join('\n');
}

/** A component type for a person. */
function summaryOfType({ type, label, description, fields, outputs }: Descriptor): string {
  const namesOf = (parts: readonly { readonly label: string }[]) =>
    parts.map((each) => each.label).join(', ') || 'none';
  return `**${label}** (${type}): ${description}\n\nFields: ${namesOf(fields.filter(({ advanced }) => advanced !== true))}. Outputs: ${namesOf(outputs)}.`;
}

/** A component type with its ports and fields. */
export function describeComponent(registry: Registry, type: string): ToolData {
  const entry = registry.get(type);
  return entry === undefined ? unknownType(registry, type) : described(entry);
}

function unknownType(registry: Registry, type: string): ToolData {
  const known = registry.entries.map(({ descriptor }) => descriptor.type).sort();
  return failed(`Unknown component: ${type.slice(0, 100)}. Available: ${known.slice(0, SAMPLE).join(', ')}`);
}

function described(entry: Registry['entries'][number]): ToolData {
  const { descriptor } = entry;
  const isTool = isToolCapable(entry);
  const fields = descriptor.fields.filter(({ advanced }) => advanced !== true);
  const toolInputs = descriptor.fields.filter(({ toolParameter }) => toolParameter === true).map(({ name }) => name);
  return {
    type: descriptor.type,
    category: descriptor.category,
    display_name: descriptor.label,
    description: descriptor.description,
    outputs: [
      ...descriptor.outputs.map(({ name, types, loop }) => ({
        name,
        types,
        ...(loop === true && { allows_loop: true }),
      })),
      ...(isTool
        ? [
            {
              name: TOOL_OUTPUT.name,
              types: TOOL_OUTPUT.types,
              description: `An agent fills in: ${toolInputs.join(', ')}`,
            },
          ]
        : []),
    ],
    inputs: [
      ...descriptor.fields
        .filter(({ accepts }) => accepts !== undefined && accepts.length > 0)
        .map(({ name, accepts, kind, required }) => ({
          name,
          input_types: accepts,
          type: kind,
          required: required === true,
        })),
      ...descriptor.outputs.filter(({ loop }) => loop === true).map(({ name }) => ({ name, type: 'loop' })),
    ],
    fields: fields.map(shownField),
    advanced_fields: descriptor.fields.filter(({ advanced }) => advanced === true).map(({ name }) => name),
    ...(descriptor.legacy === true && { legacy: true }),
  };
}

function shownField(field: Field): ToolData {
  const { name, kind, required, requiredWhen, options, default: value, help, columns, variables } = field;
  return {
    name,
    type: kind,
    ...(required === true && { required: true }),
    ...(requiredWhen !== undefined && { required_when: { [requiredWhen.field]: requiredWhen.is } }),
    ...(options !== undefined && { options }),
    ...(value !== undefined && value !== '' && { default: value }),
    ...(columns !== undefined && { columns: columns.map((column) => column.name) }),
    ...(help !== undefined && { help }),
    ...(variables !== false &&
      (kind === 'multiline' || kind === 'text') && { note: '{name} in the text makes an input' }),
  };
}
