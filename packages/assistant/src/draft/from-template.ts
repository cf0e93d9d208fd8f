import type { FlowSpec, Registry } from '@croft/flow';
import type { FlowTemplate } from '../turn.ts';
import { fieldOf } from './coverage.ts';
import type { Candidate } from './from-components.ts';
import { doesMore, reachesMore, withComponents } from './more-than-asked.ts';
import { aboutTemplate, specOf, wordsOfTemplate } from './rank-templates.ts';
import type { RequestParts } from './request-parts.ts';
import { sourceFor } from './source.ts';
import { FILE_NAME, WRITER } from './file-form.ts';
import { withValue } from './with-targets.ts';
import { stemsOf } from './words.ts';

/** The least share of a template's own words that a request must have, and of the request's words that the template must have. */
const MIN_SHARE = 0.5;
/** Stems for what a request brings, which say nothing about what to do with it. */
const BROUGHT = new Set(stemsOf('file web page'));
/** Words with which a request asks for a file. */
const WRITES = /\b(?:writ|sav|stor|export|append)\w*|\badds?\b.*\bto\b.*\bfile/i;
/** The stems of these verbs. A template that writes a file does what each of them asks for. */
const WRITE_STEMS = stemsOf('write save store export append');
/** A word or text of which the request leaves open what it is. */
const ANY_WORD = /\ban?\s+(?:\w+\s+)?(?:word|text|expression)\b/i;
const GLOB = /^[\w./-]*\*[\w./*-]*$/;

/**
 * Flows from templates, with the request's files and address in them: of the template that the request names, else of
 * those whose name it has or whose description has all words of a clause, best first.
 */
export function fromTemplates(
  request: string,
  parts: RequestParts,
  registry: Registry,
  templates: readonly FlowTemplate[],
): readonly Candidate[] {
  // No template writes a text that the user chose.
  if (parts.pattern !== undefined) return [];
  const named = templates.find(({ name }) => request.includes(name) && name.includes('-'));
  const chosen = named ? [named] : fittingTo(request, parts, registry, templates);
  return chosen.map((template) => {
    const { name } = template;
    const withPlaces = withUrls(withPaths(specOf(template), parts.paths, registry), parts.urls);
    const withValues = withWord(withPlaces, parts.quoted, registry);
    return {
      spec: withSource(withValues, parts, registry),
      from: `template ${name}`,
      ...(readsSamples(template) && { template: name }),
      about: aboutTemplate(template),
      input: template.input,
      hasStep: true,
    };
  });
}

/** Whether a template names a sample file of its own, and not only a pattern that the user's files fit too. */
const readsSamples = (template: FlowTemplate): boolean =>
  specOf(template).config.some(({ value }) => typeof value === 'string' && Object.hasOwn(template.files ?? {}, value));

/** Templates that a request describes, by the words that each shares with it. */
function fittingTo(
  request: string,
  parts: RequestParts,
  registry: Registry,
  templates: readonly FlowTemplate[],
): readonly FlowTemplate[] {
  const { clauses, words, paths, targets, urls } = withSchedule(parts);
  const scored = templates.flatMap((template) => {
    const spec = specOf(template);
    const hasContent = hasOwnContent(spec, registry);
    if (!hasContent && !hasWord(spec, request, parts, registry)) return [];
    if (reachesMore(spec, parts, registry)) return [];
    if (groupsByOwn(spec, parts)) return [];
    // Its file would be another one than that of the request.
    if (targets.length > 0 && writesOwnFile(spec, registry)) return [];
    const named = new Set(stemsOf(template.name.replace(/-/g, ' ')));
    const name = shareOf(named, words);
    const own = wordsOfTemplate(template, registry);
    const does = new Set([...own, ...(writesFile(spec, registry) ? WRITE_STEMS : [])]);
    const asked = shareOf(words, does);
    // Clauses without a word of the template are about something else. They are left out, and the reply says so.
    const about = new Set(clauses.flatMap((each) => (each.words.some((word) => own.has(word)) ? each.words : [])));
    const isTelling = [...named].some((word) => words.has(word) && !BROUGHT.has(word));
    // Half of a name is a guess, unless the request brings what the template reads, and has no other words.
    const brings = paths.length + urls.length > 0 && !hasContent;
    const isGuess =
      brings && name >= MIN_SHARE && isTelling && shareOf(words, withComponents(own, spec, registry)) === 1;
    // A name such as "file in file out" says nothing about what to do: all other words are then the template's too.
    const isNamed = name === 1 ? shareOf(about, own) >= (isTelling ? MIN_SHARE : 1) : isGuess;
    // The request does not ask for the file, or brings what the template has of its own.
    const isOther =
      (targets.length === 0 && writesFile(spec, registry) && !WRITES.test(request)) ||
      (hasContent && (words.has('messag') || urls.length > 0));
    const described = shareOf(own, words);
    const covered = new Set(clauses.flatMap((each) => (each.words.every((word) => does.has(word)) ? each.words : [])));
    const isCovered =
      !isOther &&
      covered.size > 1 &&
      covered.size >= words.size * MIN_SHARE &&
      (covered.size > 2 || described >= MIN_SHARE);
    // A request with a file of the user names its steps: another step would do more than it asks for.
    const isOnlyAsked =
      name === 1 || paths.length === 0 || parts.schedule !== undefined || !doesMore(spec, words, registry);
    return isOnlyAsked && (isNamed || isCovered) ? [{ template, asked, own: name + described }] : [];
  });
  scored.sort((one, other) => other.asked - one.asked || other.own - one.own);
  return scored.map(({ template }) => template);
}

/** A time to run as a clause: a template that begins with a schedule fits it better than others. */
function withSchedule(parts: RequestParts): Pick<RequestParts, 'clauses' | 'words' | 'paths' | 'targets' | 'urls'> {
  const { schedule: text } = parts;
  if (text === undefined) return parts;
  const words = stemsOf('schedule');
  return {
    ...parts,
    clauses: [...parts.clauses, { text, masked: text, words }],
    words: new Set([...parts.words, ...words]),
  };
}

/** The share of some words that are among others. */
const shareOf = (some: ReadonlySet<string>, others: ReadonlySet<string>): number =>
  some.size === 0 ? 0 : [...some].filter((word) => others.has(word)).length / some.size;

/** Whether a flow for a file to read and one to write groups rows by a column that the request does not name. */
const groupsByOwn = ({ config }: FlowSpec, { paths, targets, words }: RequestParts): boolean =>
  paths.length > 0 &&
  targets.length > 0 &&
  config.some(
    ({ field, value }) =>
      field === 'group_by' && typeof value === 'string' && !stemsOf(value).some((stem) => words.has(stem)),
  );

const writesFile = ({ nodes }: Pick<FlowSpec, 'nodes'>, registry: Registry): boolean =>
  nodes.some(({ type }) => {
    const descriptor = registry.get(type)?.descriptor;
    // One that runs another flow declares all effects, and writes nothing by itself.
    return descriptor?.control !== 'flow' && descriptor?.effects.includes('workspace-write') === true;
  });

/** Whether a flow writes a file whose name the request cannot give. */
const writesOwnFile = ({ nodes, edges }: FlowSpec, registry: Registry): boolean => {
  const isNamed = (id: string) => edges.every(({ to }) => to.node !== id || to.port !== FILE_NAME);
  return writesFile({ nodes: nodes.filter(({ id, type }) => type !== WRITER || !isNamed(id)) }, registry);
};

/** Whether a flow starts from a text of its own, and not from a message, a file or an address. */
function hasOwnContent(spec: FlowSpec, registry: Registry): boolean {
  const isStart = (id: string) => spec.edges.every(({ to }) => to.node !== id);
  return spec.config.some((entry) => isStart(entry.node) && fieldOf(spec, entry, registry)?.kind === 'multiline');
}

/** The spec with the request's files in place of its own, in order. */
function withPaths(spec: FlowSpec, paths: readonly string[], registry: Registry): FlowSpec {
  const isPath = (entry: FlowSpec['config'][number]) =>
    fieldOf(spec, entry, registry)?.kind === 'file' || (typeof entry.value === 'string' && GLOB.test(entry.value));
  return spec.config.filter(isPath).reduce((found, { value }, at) => withValue(found, value, paths[at]), spec);
}

/** The spec with the request's addresses in place of its own, in order. */
function withUrls(spec: FlowSpec, urls: readonly string[]): FlowSpec {
  const own = spec.config.filter(({ value }) => typeof value === 'string' && /^https?:/.test(value));
  return own.reduce((found, { value }, at) => withValue(found, value, urls[at]), spec);
}

/** The only value of a flow that is a word to look for. */
function searchedIn(spec: FlowSpec, registry: Registry): FlowSpec['config'][number] | undefined {
  const [entry, ...others] = spec.config.filter((each) => {
    const field = fieldOf(spec, each, registry);
    return (
      field?.kind === 'text' && field.required === true && field.accepts?.includes('Message') && isWord(each.value)
    );
  });
  return others.length > 0 ? undefined : entry;
}

/** Whether a value is plain words, which mean the same as text and as a regular expression. */
const isWord = (value: unknown): boolean => typeof value === 'string' && /^[\w ]+$/.test(value);

/** Whether a request says what a flow is to look for, or leaves it open, where the flow looks for a word. */
function hasWord(spec: FlowSpec, request: string, { quoted, words }: RequestParts, registry: Registry): boolean {
  const entry = searchedIn(spec, registry);
  if (entry === undefined || quoted.length === 1 || ANY_WORD.test(request)) return true;
  return stemsOf(JSON.stringify(entry.value)).some((each) => words.has(each));
}

/** The spec with the request's quoted word in place of its own. */
function withWord(spec: FlowSpec, [word, ...others]: readonly string[], registry: Registry): FlowSpec {
  const entry = others.length > 0 || !isWord(word) ? undefined : searchedIn(spec, registry);
  const config = spec.config.map((each) => (each === entry ? { ...each, value: word as string } : each));
  return { ...spec, config };
}

/** The spec with the file or address that it has no place for instead of its chat input. */
function withSource(spec: FlowSpec, parts: RequestParts, registry: Registry): FlowSpec {
  const values = new Set(spec.config.map(({ value }) => value));
  const paths = parts.paths.filter((path) => !values.has(path));
  const source = sourceFor({ paths, urls: parts.urls }, registry, ['Message']);
  const [input, ...others] = spec.nodes.filter(({ type }) => type === 'ChatInput');
  const output = source?.descriptor.outputs.find(({ types }) => types.includes('Message'));
  if (source === undefined || output === undefined || input === undefined || others.length > 0) return spec;
  const { id } = input;
  if (parts.urls[0] !== undefined && paths.length === 0 && readsAddress(spec, id, registry))
    return withAddress(spec, id, parts.urls[0]);
  return {
    ...spec,
    name: `${spec.name ?? 'Flow'}: ${paths[0] ?? parts.urls[0]}`,
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

/** Whether a node of a flow goes to a component that reads from the network: it gives an address, and not a content. */
function readsAddress({ nodes, edges }: FlowSpec, id: string, registry: Registry): boolean {
  const targets = edges.filter(({ from }) => from.node === id).map(({ to }) => to.node);
  const types = nodes.filter((node) => targets.includes(node.id)).map(({ type }) => type);
  return types.every((type) => registry.get(type)?.descriptor.effects.includes('network-read') === true);
}

/** The spec with an address in the fields that a node goes to, in place of the node. */
function withAddress(spec: FlowSpec, id: string, url: string): FlowSpec {
  const replaced = spec.edges.filter(({ from }) => from.node === id);
  return {
    ...spec,
    name: `${spec.name ?? 'Flow'}: ${url}`,
    nodes: spec.nodes.filter((node) => node.id !== id),
    edges: spec.edges.filter(({ from }) => from.node !== id),
    config: [
      ...spec.config.filter(({ node }) => node !== id),
      ...replaced.map(({ to }) => ({ node: to.node, field: to.port, value: url })),
    ],
  };
}
