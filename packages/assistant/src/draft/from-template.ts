import { type FlowSpec, parseSpec, type Registry } from '@croft/flow';
import type { FlowTemplate } from '../turn.ts';
import { sourceFor } from './from-components.ts';
import type { RequestParts } from './request-parts.ts';
import { stemsOf } from './words.ts';

/** Shares of a template's own words that a request must name, for the template to be used. */
const MIN_SHARE = 0.5;

/** A flow from a template, with what the template says about itself. */
export interface TemplateDraft {
  readonly spec: FlowSpec;
  readonly from: string;
  readonly about: string;
}

/** The template whose words the request names, with the request's files and address in it; undefined without a fit. */
export function fromTemplate(
  request: string,
  parts: RequestParts,
  registry: Registry,
  templates: readonly FlowTemplate[],
): TemplateDraft | undefined {
  // A text to write is a wish that no template knows.
  if (parts.pattern !== undefined) return undefined;
  const template =
    templates.find(({ name }) => request.includes(name) && name.includes('-')) ?? bestOf(templates, parts.words);
  if (template === undefined) return undefined;
  const { name, description, spec } = template;
  return {
    spec: withSource(withPaths(parseSpec(spec), parts.paths, registry), parts, registry),
    from: `template ${name}`,
    about: `${name.replace(/-/g, ' ')} ${description}`,
  };
}

function bestOf(templates: readonly FlowTemplate[], words: ReadonlySet<string>): FlowTemplate | undefined {
  let best: { template: FlowTemplate; score: number } | undefined;
  for (const template of templates) {
    const own = new Set(stemsOf(template.name.replace(/-/g, ' ')));
    const about = new Set(stemsOf(template.description));
    const shared = [...own].filter((word) => words.has(word)).length;
    if (own.size === 0 || shared / own.size < MIN_SHARE) continue;
    const asked = [...words].filter((word) => own.has(word) || about.has(word)).length / Math.max(1, words.size);
    const score = shared / own.size + asked;
    if (asked >= MIN_SHARE && (best === undefined || score > best.score)) best = { template, score };
  }
  return best?.template;
}

/** The spec with the request's files in place of its own, in order. */
function withPaths(spec: FlowSpec, paths: readonly string[], registry: Registry): FlowSpec {
  const types = new Map(spec.nodes.map(({ id, type }) => [id, type]));
  const rest = [...paths];
  const config = spec.config.map((entry) => {
    const field = registry.get(types.get(entry.node) ?? '')?.descriptor.fields.find(({ name }) => name === entry.field);
    const path = field?.kind === 'file' ? rest.shift() : undefined;
    return path === undefined ? entry : { ...entry, value: path };
  });
  return { ...spec, config };
}

/** The spec with the file or address that it has no place for instead of its chat input. */
function withSource(spec: FlowSpec, parts: RequestParts, registry: Registry): FlowSpec {
  const values = new Set(spec.config.map(({ value }) => value));
  const paths = parts.paths.filter((path) => !values.has(path));
  const source = sourceFor({ paths, urls: parts.urls }, registry);
  const [input, ...others] = spec.nodes.filter(({ type }) => type === 'ChatInput');
  const output = source?.descriptor.outputs.find(({ types }) => types.includes('Message'));
  if (source === undefined || output === undefined || input === undefined || others.length > 0) return spec;
  const { id } = input;
  return {
    ...spec,
    name: `${spec.name ?? 'Flow'} of ${Object.values(source.config)[0]}`,
    nodes: spec.nodes.map((node) => (node.id === id ? { id, type: source.descriptor.type } : node)),
    edges: spec.edges.map((edge) =>
      edge.from.node === id ? { ...edge, from: { node: id, port: output.name } } : edge,
    ),
    config: [
      ...spec.config.filter(({ node }) => node !== id),
      ...Object.entries(source.config).map(([field, value]) => ({ node: id, field, value })),
    ],
  };
}
