import { type Descriptor, type FlowSpec, type Json, parseSpec, type Registry } from '@croft/flow';
import { summaryWords } from './column-names.ts';
import { type Covered, missingDetails } from './details.ts';
import { findingFiles } from './finding-files.ts';
import type { RequestParts } from './request-parts.ts';
import { ORDER_WORDS } from './row-values.ts';
import { onceFor } from './once-for.ts';
import { escaped, NUMBERS, stemsOf } from './words.ts';

/**
 * The stems of what a component says about itself. One with several operations carries out the chosen one, and not all that its
 * description lists.
 */
export const vocabularyOf = onceFor((descriptor: Descriptor): readonly string[] => {
  const { label, type, description, keywords = [] } = descriptor;
  return (operationOf(descriptor) ? [label, type] : [label, type, description, ...keywords]).flatMap(stemsOf);
});

/** The field that says which of several operations a component carries out. */
export const operationOf = ({ fields }: Descriptor) =>
  fields.find((field) => field.kind === 'select' && field.required === true && field.default === undefined);

/** Whether most of the words of a clause are in a vocabulary. A clause without words of its own has only values. */
export function covers(vocabulary: ReadonlySet<string>, words: readonly string[]): boolean {
  const known = words.filter((word) => vocabulary.has(word)).length;
  return words.length === 0 || known > words.length - known;
}

/**
 * The parts of a request that a flow does not carry out: clauses whose words no component of it has, and files,
 * addresses and quoted texts that no field has. `about` is what a template says about itself, `read` are clauses that a rule
 * carries out word by word.
 */
export function missingIn(
  text: string,
  parts: RequestParts,
  registry: Registry,
  { about = '', read = [] }: { readonly about?: string | undefined; readonly read?: readonly string[] },
): readonly string[] {
  const spec = parseSpec(text);
  const known = new Set([...vocabularyIn(spec, registry), ...chosenIn(spec, registry), ...stemsOf(about)]);
  const takesMessage = spec.nodes.some(({ type }) => registry.get(type)?.descriptor.boundary === 'input');
  const covered = { words: known, values: spec.config.map(({ value }) => value), takesMessage };
  return uncovered(parts, covered, read);
}

/** The parts of a request that neither these words nor these values cover. */
export function uncovered(parts: RequestParts, covered: Covered, read: readonly string[]): readonly string[] {
  const shown = covered.values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join('\n');
  const unread = parts.clauses.filter(({ text }) => !read.includes(text));
  const clauses = unread.flatMap(({ text, masked, words }) =>
    covers(covered.words, words) && !deletesFiles(masked) && !findsUnknownFiles(text)
      ? missingDetails(masked, covered).map((each) => parts.unmask(each).trim())
      : [text],
  );
  const quoted = parts.quoted.filter((each) => !read.some((clause) => clause.includes(each)));
  const files = [...parts.paths, ...parts.targets].filter((each) => !hasFile(shown, each));
  const others = [...parts.urls, ...parts.places, ...quoted].filter((each) => !shown.includes(each));
  const unused = [...files, ...others].filter((each) => !clauses.some((clause) => clause.includes(each)));
  return [...clauses, ...unused];
}

/** Whether a text names a file: `a.md` is not the end of `data.md`, and `a` not the start of `a.md`. */
const hasFile = (text: string, file: string): boolean =>
  new RegExp(`(?<![\\p{L}\\p{N}_.-])${escaped(file)}(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])`, 'u').test(text);

/** Whether a clause asks for a kind of files that no pattern finds, such as old ones. */
const findsUnknownFiles = (text: string): boolean => /\blists?\b/i.test(text) && findingFiles(text) === undefined;

/** Whether a clause asks to delete files, which no component does. */
const deletesFiles = (masked: string): boolean =>
  /\b(?:delet|eras|destroy|purg|wip)(?:e|es|s|ing)?\b/i.test(masked) && /\uE000|\bfiles?\b/i.test(masked);

/** The stems of the short values of a flow: columns, conditions, words to look for. Long texts have words of any kind. */
export const chosenIn = (spec: FlowSpec, registry: Registry): readonly string[] =>
  spec.config.flatMap((entry) => {
    const { value } = entry;
    const kind = fieldOf(spec, entry, registry)?.kind;
    if (typeof value === 'number') return numberWords(value);
    if (typeof value === 'boolean') return switchWords(entry.field, value);
    if (typeof value === 'string') return kind === 'text' || kind === 'select' ? stemsOf(value) : [];
    return kind === 'table' ? [...stemsOf(JSON.stringify(value)), ...summaryWords(value).flatMap(stemsOf)] : [];
  });

/** The stems of the values of one component. */
export const wordsOfValues = (config: Readonly<Record<string, Json>>): readonly string[] =>
  Object.entries(config).flatMap(([field, value]) => {
    if (typeof value === 'number') return numberWords(value);
    if (typeof value === 'boolean') return switchWords(field, value);
    return stemsOf(typeof value === 'string' ? value : JSON.stringify(value));
  });

function switchWords(field: string, value: boolean): readonly string[] {
  if (field === 'ascending') return stemsOf(ORDER_WORDS[`${value}`]);
  return field === 'append_mode' && value ? stemsOf('append end') : [];
}

/** The words for a number of a flow: `three` where it keeps 3 rows. */
const numberWords = (value: number): readonly string[] =>
  Object.keys(NUMBERS)
    .filter((word) => NUMBERS[word] === value)
    .flatMap(stemsOf);

/** The field that an entry of a flow's `config` sets. */
export function fieldOf({ nodes }: FlowSpec, { node, field }: FlowSpec['config'][number], registry: Registry) {
  const type = nodes.find(({ id }) => id === node)?.type ?? '';
  return registry.get(type)?.descriptor.fields.find(({ name }) => name === field);
}

const vocabularyIn = ({ nodes }: FlowSpec, registry: Registry): readonly string[] =>
  nodes.flatMap(({ type }) => {
    const descriptor = registry.get(type)?.descriptor;
    return descriptor === undefined ? [] : vocabularyOf(descriptor);
  });
