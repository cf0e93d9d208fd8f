import { converterFor, type Descriptor, parseSpec, printSpec, type Registry, typesFit } from '@croft/flow';
import type { FlowTemplate } from './turn.ts';

/** A flow text made by rules, and what it was made from. */
export interface Draft {
  readonly spec: string;
  readonly from: string;
}

/** Shares of a template's own words that a request must name, for the template to be used. */
const MIN_SHARE = 0.5;

/**
 * The text of a flow for a request in plain words: a template whose words the request names, with the files of the
 * request; else a chain of components that the request names, in its order. Undefined where neither fits.
 */
export function draftSpec(request: string, registry: Registry, templates: readonly FlowTemplate[]): Draft | undefined {
  const places = readPlaces(request);
  return fromTemplate(request, places, registry, templates) ?? fromComponents(request, places, registry);
}

/** Values in a request that have a form of their own. */
interface Places {
  readonly words: ReadonlySet<string>;
  readonly paths: readonly string[];
  readonly urls: readonly string[];
  /** A quoted text with a gap, such as `{words} words` or `N words`. */
  readonly pattern: string | undefined;
}

const QUOTED = /`([^`]+)`|"([^"]+)"|“([^”]+)”/g;
const PATH = /(?<![\w/.@-])(?:[\w-]+\/)*[\w-]+\.[a-z]{1,5}\b(?!\()/gi;
const URL = /https?:\/\/[^\s"'<>`]+/g;

function readPlaces(request: string): Places {
  const quoted = [...request.matchAll(QUOTED)].map((found) => found[1] ?? found[2] ?? found[3] ?? '');
  const bare = request.replace(QUOTED, (_whole, ...groups: (string | undefined)[]) => {
    const text = groups.slice(0, 3).find((each) => each !== undefined) ?? '';
    return /^[\w./-]+$/.test(text) ? ` ${text} ` : ' ';
  });
  const urls = bare.match(URL) ?? [];
  const gap = quoted.find((text) => /\{\w+\}|\bN\s+\p{L}+/u.test(text));
  return {
    words: new Set(stemsOf(bare.replace(URL, ' url page ').replace(PATH, ' file ')).concat(gap ? stemsOf(gap) : [])),
    paths: bare.replace(URL, ' ').match(PATH) ?? [],
    urls,
    pattern: gap && withGaps(gap),
  };
}

/** `N words` as a text with a gap: `{words} words`. */
export const withGaps = (text: string): string => text.replace(/\bN\s+(\p{L}+)/gu, '{$1} $1');

const EMPTY = new Set(
  'a an the of to in on at by for from with and or is are it its this that my me i you your we build create make set up flow which then please shows show gives give does do can one into out has have workspace new using use'.split(
    ' ',
  ),
);

function stemsOf(text: string): string[] {
  const words = text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/\p{L}{2,}/gu);
  return (words ?? []).filter((word) => !EMPTY.has(word)).map(stem);
}

const SAME: Readonly<Record<string, string>> = {
  document: 'file',
  chatbot: 'chat',
  summary: 'summaris',
  website: 'page',
};

function stem(word: string): string {
  const plain = word.replace(/z(?=e|ing|er)/, 's').replace(/(?:ies|es|s|ing|ed|e)$/, '');
  return SAME[word] ?? SAME[plain] ?? (plain.length < 3 ? word : plain);
}

function fromTemplate(
  request: string,
  { words, paths, pattern }: Places,
  registry: Registry,
  templates: readonly FlowTemplate[],
): Draft | undefined {
  // A text to write is a wish that no template knows.
  if (pattern !== undefined) return undefined;
  const named = templates.find(({ name }) => request.includes(name) && name.includes('-'));
  let best = named && { template: named, score: Infinity };
  for (const template of templates) {
    if (named !== undefined) break;
    const own = new Set(stemsOf(template.name.replace(/-/g, ' ')));
    const about = new Set(stemsOf(template.description));
    const shared = [...own].filter((word) => words.has(word)).length;
    if (own.size === 0 || shared / own.size < MIN_SHARE) continue;
    const asked = [...words].filter((word) => own.has(word) || about.has(word)).length / Math.max(1, words.size);
    const score = shared / own.size + asked;
    if (asked >= MIN_SHARE && (best === undefined || score > best.score)) best = { template, score };
  }
  if (best === undefined) return undefined;
  const { template } = best;
  return { spec: withPaths(template.spec, paths, registry), from: `template ${template.name}` };
}

/** The spec with the request's files in place of its own, in order. */
function withPaths(text: string, paths: readonly string[], registry: Registry): string {
  if (paths.length === 0) return text;
  const spec = parseSpec(text);
  const types = new Map(spec.nodes.map(({ id, type }) => [id, type]));
  const rest = [...paths];
  const config = spec.config.map((entry) => {
    const field = registry.get(types.get(entry.node) ?? '')?.descriptor.fields.find(({ name }) => name === entry.field);
    const path = field?.kind === 'file' ? rest.shift() : undefined;
    return path === undefined ? entry : { ...entry, value: path };
  });
  return printSpec({ ...spec, config });
}

interface Link {
  readonly descriptor: Descriptor;
  readonly config: Readonly<Record<string, string>>;
}

/** The parser of records, which writes a text with gaps. */
const PATTERN_TYPE = 'ParserComponent';
const MAX_LINKS = 6;

function fromComponents(_: string, places: Places, registry: Registry): Draft | undefined {
  const entries = registry.entries.map(({ descriptor }) => descriptor).filter(({ legacy }) => legacy !== true);
  const output = entries.find(({ type }) => type === 'ChatOutput');
  const input = entries.find(({ type }) => type === 'ChatInput');
  if (output === undefined || input === undefined) return undefined;
  const reader = places.paths.length > 0 ? entries.find(({ type }) => type === 'File') : undefined;
  const page = places.urls.length > 0 ? entries.find(({ type }) => type === 'URLComponent') : undefined;
  const source: Link | undefined = reader
    ? { descriptor: reader, config: { path: places.paths[0] as string } }
    : page && { descriptor: page, config: { urls: places.urls[0] as string } };
  const middle = entries
    .map((descriptor) => ({ descriptor, score: scoreOf(descriptor, places.words) }))
    .filter(({ descriptor, score }) => score >= 2 && isMiddle(descriptor))
    .sort((one, other) => other.score - one.score)
    .slice(0, 1)
    .map(({ descriptor }): Link => ({ descriptor, config: {} }));
  const pattern = places.pattern === undefined ? undefined : entries.find(({ type }) => type === PATTERN_TYPE);
  if (middle.length === 0 && (source === undefined || pattern !== undefined)) return undefined;
  const links: Link[] = [
    source ?? { descriptor: input, config: {} },
    ...middle,
    ...(pattern && places.pattern !== undefined ? [{ descriptor: pattern, config: { pattern: places.pattern } }] : []),
    { descriptor: output, config: {} },
  ].slice(0, MAX_LINKS);
  return chain(links, registry);
}

/** Words of the component's own name count twice. */
function scoreOf({ label, type, description, keywords = [] }: Descriptor, words: ReadonlySet<string>): number {
  const own = new Set([...stemsOf(label), ...stemsOf(type), ...keywords.flatMap(stemsOf)]);
  const about = new Set(stemsOf(description));
  let score = 0;
  for (const word of words) score += own.has(word) ? 2 : about.has(word) ? 1 : 0;
  return score;
}

/** Something comes in and something goes out, without a value that only the user knows. */
function isMiddle({ boundary, control, fields, outputs, category }: Descriptor): boolean {
  if (boundary !== undefined || control !== undefined || outputs.length === 0 || category === 'files') return false;
  const open = fields.filter((field) => field.required === true && field.default === undefined);
  return open.length === 1 && (open[0]?.accepts?.length ?? 0) > 0;
}

/** Connects each link to the next by the first ports that fit, with a converter between them where one is known. */
function chain(links: readonly Link[], registry: Registry): Draft | undefined {
  const nodes: { id: string; type: string }[] = [];
  const edges: { from: { node: string; port: string }; to: { node: string; port: string } }[] = [];
  const config: { node: string; field: string; value: string }[] = [];
  const add = ({ descriptor, config: values }: Link) => {
    const id = `N${nodes.length + 1}`;
    nodes.push({ id, type: descriptor.type });
    for (const [field, value] of Object.entries(values)) config.push({ node: id, field, value });
    return id;
  };
  let last: { id: string; descriptor: Descriptor } | undefined;
  for (const link of links) {
    const id = add(link);
    if (last !== undefined) {
      const [output, input] = [last.descriptor.outputs[0], inputOf(link.descriptor)];
      if (output === undefined || input === undefined) return undefined;
      const accepts = input.accepts ?? [];
      const fitting = last.descriptor.outputs.find(({ types }) => typesFit(types, accepts));
      const converter = fitting ? undefined : converterFor(output.types, accepts);
      if (fitting) edges.push({ from: { node: last.id, port: fitting.name }, to: { node: id, port: input.name } });
      else if (converter && registry.get(converter.component) !== undefined) {
        const between = `C${nodes.length + 1}`;
        nodes.push({ id: between, type: converter.component });
        edges.push(
          { from: { node: last.id, port: output.name }, to: { node: between, port: converter.input } },
          { from: { node: between, port: converter.output }, to: { node: id, port: input.name } },
        );
      } else return undefined;
    }
    last = { id, descriptor: link.descriptor };
  }
  const labels = links.map(({ descriptor }) => descriptor.label);
  const [path] = links.flatMap(({ config: values }) => (values['path'] === undefined ? [] : [values['path']]));
  // Of a flow that reads a file and shows something of it: the step between.
  const name = path === undefined ? labels.join(', ') : `${labels.slice(1, 2).join('') || labels[0]} of ${path}`;
  return { spec: printSpec({ name, nodes, edges, config }), from: labels.join(', ') };
}

/** The input that a link of a chain takes its value from: the required one, else the first. */
function inputOf({ fields }: Descriptor) {
  const open = fields.filter(({ accepts, gate }) => (accepts?.length ?? 0) > 0 && gate !== true);
  return open.find(({ required }) => required === true) ?? open[0];
}
