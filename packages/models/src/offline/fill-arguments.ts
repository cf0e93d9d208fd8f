import type { Clause } from './clause.ts';
import { wordsOf } from './words.ts';

/** The description of a parameter that takes a request as the user wrote it. */
export const OWN_WORDS = /\bin (?:the user's |their )?own words\b/i;

/** A parameter of a tool, as its JSON Schema describes it. */
export interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly options: readonly string[];
  readonly isRequired: boolean;
}

/** Arguments for a tool from one clause. */
export interface Filled {
  readonly values: Readonly<Record<string, unknown>>;
  readonly missing: readonly string[];
  /** How much the values in the clause speak for this tool. */
  readonly evidence: number;
}

/** The parameters of a tool's schema. Anything that is not an object schema has none. */
export function parametersOf(schema: unknown): readonly Parameter[] {
  const { properties, required } = (schema ?? {}) as { properties?: unknown; required?: unknown };
  if (typeof properties !== 'object' || properties === null) return [];
  const names = Array.isArray(required) ? required : [];
  return Object.entries(properties as Record<string, Record<string, unknown>>).map(([name, each]) => ({
    name,
    type: typeof each['type'] === 'string' ? each['type'] : 'string',
    description: typeof each['description'] === 'string' ? each['description'] : '',
    options: Array.isArray(each['enum']) ? each['enum'].map(String) : [],
    isRequired: names.includes(name),
  }));
}

/** Fills what the clause says. `last` is the text of the last result, for words such as "it". */
export function fillArguments(
  toolName: string,
  parameters: readonly Parameter[],
  clause: Clause,
  last: string | undefined,
): Filled {
  const values: Record<string, unknown> = {};
  let evidence = 0;
  const used = new Set<string>();
  const give = (parameter: Parameter, value: unknown, weight: number) => {
    values[parameter.name] = value;
    if (typeof value === 'string') used.add(value);
    evidence += weight;
  };
  const names = parameters.map(({ name }) => name);
  for (const parameter of parameters) {
    const named = namedValue(parameter, clause.text, names);
    if (named !== undefined) give(parameter, named, 2);
  }
  for (const parameter of parameters) {
    if (Object.hasOwn(values, parameter.name)) continue;
    const found = byForm(toolName, parameter, parameters, clause, used);
    if (found !== undefined) give(parameter, found.value, found.weight);
  }
  fillTexts(parameters, clause, last, values, used, give);
  const missing = parameters.filter(({ name, isRequired }) => isRequired && !Object.hasOwn(values, name));
  return { values, missing: missing.map(({ name }) => name), evidence };
}

/** `name: value`, `name=value`, `name "value"`. */
function namedValue({ name, type, options }: Parameter, text: string, all: readonly string[]): unknown {
  const spelled = name.replace(/_/g, '[_ ]');
  const quoted = new RegExp(`\\b${spelled}\\b\\s*(?:(?:[:=]|is|of|as)\\s*)?(?:"([^"]*)"|'([^']*)')`, 'i').exec(text);
  const others = all.filter((each) => each !== name).map((each) => each.replace(/_/g, '[_ ]'));
  const end = others.length > 0 ? `(?=,?\\s+(?:and\\s+)?(?:${others.join('|')})\\s*[:=]|$)` : '$';
  const bare =
    new RegExp(`\\b${spelled}=([^\\s,"']+)`, 'i').exec(text) ??
    new RegExp(`\\b${spelled}:\\s*([^"'\\s].*?)${end}`, 'i').exec(text);
  const value = quoted?.[1] ?? quoted?.[2] ?? bare?.[1]?.trim();
  if (value === undefined || (options.length > 0 && !options.includes(value))) return undefined;
  return typed(type, value);
}

function typed(type: string, value: string): unknown {
  if (type === 'boolean') return /^(true|yes|on)$/i.test(value);
  if (type !== 'integer' && type !== 'number') return value;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

interface Found {
  readonly value: unknown;
  readonly weight: number;
}

/** The value whose form fits the parameter's name and description. */
function byForm(
  toolName: string,
  parameter: Parameter,
  all: readonly Parameter[],
  clause: Clause,
  used: ReadonlySet<string>,
): Found | undefined {
  const { name, type, options, description } = parameter;
  const free = (values: readonly string[]) => values.find((each) => !used.has(each));
  const found = (value: unknown, weight: number): Found | undefined =>
    value === undefined ? undefined : { value, weight };
  if (options.length > 0)
    return found(
      options.find((each) => new RegExp(`\\b${each}\\b`, 'i').test(clause.words)),
      2,
    );
  if (type === 'integer' || type === 'number') return found(numberFor(parameter, clause), 1);
  if (type !== 'string') return undefined;
  const about = new Set([...wordsOf(name), ...wordsOf(description)]);
  const has = (...words: string[]) => words.some((word) => about.has(word));
  const isNamed = (...words: string[]) => words.some((word) => wordsOf(name).includes(word));
  if (clause.link !== undefined && isNamed('source', 'target')) {
    const [from, output, to, input] = clause.link;
    const isSource = isNamed('source');
    return found(isNamed('id', 'node') ? (isSource ? from : to) : isSource ? output : input, 2);
  }
  if (clause.replacement !== undefined && isNamed('old', 'new', 'replacement'))
    return found(clause.replacement[isNamed('old') ? 0 : 1], 2);
  if (clause.assignment !== undefined && isNamed('field', 'property', 'key', 'setting'))
    return found(clause.assignment.field, 1);
  if (
    clause.assignment !== undefined &&
    isNamed('value') &&
    all.some((each) => /field|property|key|setting/.test(each.name))
  )
    return found(clause.assignment.value, 1);
  if (OWN_WORDS.test(description)) return found(clause.text, 1);
  if (isNamed('message') && clause.quoted.length === 0)
    return found(/\bwith (?:the |a |this )?message:?\s+(\S.*?)[.!]*$/i.exec(clause.text)?.[1], 1);
  if (isNamed('url', 'uri', 'link') || /address of (?:the|a) page/i.test(description))
    return found(free(clause.urls), 4);
  if (isNamed('to', 'email', 'recipient') && has('address', 'recipient', 'email')) return found(free(clause.emails), 3);
  if (isNamed('expression', 'formula')) return found(clause.expression, 4);
  if (isNamed('pattern', 'glob')) return found(patternFor(parameter, clause, used), 3);
  if (has('zone', 'timezone') || isNamed('timezone')) return found(/\b[A-Z]\w+\/[A-Z]\w+\b/.exec(clause.text)?.[0], 2);
  if (has('currency') || isNamed('currency')) return found(clause.codes[isNamed('to', 'target') ? 1 : 0], 2);
  if (isNamed('id')) return found(free(clause.ids), 2);
  if (isNamed('type', 'kind', 'class')) return found(free(clause.types), 2);
  if (isNamed('path', 'file', 'filename', 'directory', 'dir', 'folder'))
    return found(pathFor(parameter, clause, used), 2);
  if (isNamed('city', 'place', 'location', 'country', 'town')) return found(placeIn(clause.text), 2);
  if (isNamed('query', 'question', 'q', 'keywords', 'search') || /what to search|words to search/i.test(description))
    return found(queryIn(clause, toolName), 0);
  if (isNamed('title', 'name', 'subject') && /\b(?:titled|called|named|entitled)\b/i.test(clause.words))
    return found(free(clause.quoted), 2);
  return undefined;
}

/** The number whose following word the parameter is about; the only number for an only number parameter. */
function numberFor({ name, description, isRequired }: Parameter, { numbers }: Clause): number | undefined {
  const about = wordsOf(`${name} ${description}`);
  const counts = /number of|how many|maximum|limit/i.test(description) || /limit|count|max/.test(name);
  const near = numbers.find(
    ({ next }) => next !== '' && counts && about.some((word) => word === next || `${word}s` === next),
  );
  return near?.value ?? (isRequired ? numbers[0]?.value : undefined);
}

/** A glob for a parameter that wants globs, else a quoted text to search for. */
function patternFor({ name, description }: Parameter, clause: Clause, used: ReadonlySet<string>): string | undefined {
  if (/glob/i.test(name + description)) return clause.globs.find((each) => !used.has(each));
  return clause.quoted.find((each) => !used.has(each) && each !== '');
}

function pathFor(
  { isRequired, description }: Parameter,
  clause: Clause,
  used: ReadonlySet<string>,
): string | undefined {
  const path = clause.paths.find((each) => !used.has(each) && !clause.globs.includes(each));
  const wantsFile = /file/i.test(description) && !/director|folder/i.test(description);
  return wantsFile && path !== undefined && !/[./]/.test(path) && !isRequired ? undefined : path;
}

const placeIn = (text: string): string | undefined =>
  /\b(?:in|for|of|at)\s+(\p{Lu}[\p{L}-]*(?:\s+\p{Lu}[\p{L}-]*)*)/u.exec(text)?.[1];

/** The object of a search: what follows "about", "that" or "for", else what follows the verb. */
function queryIn({ text, quoted }: Clause, toolName: string): string | undefined {
  if (quoted[0] !== undefined) return quoted[0];
  const bare = text.replace(/[?.!]+$/, '').replace(/\s+on the (?:web|internet)(?=\s|$)/i, '');
  const found =
    /\b(?:about|that|which)\s+(.+)$/i.exec(bare) ??
    /\bfor\s+(.+)$/i.exec(bare) ??
    /\b(?:look(?:ing)? up|search|google|find)\s+(.+)$/i.exec(bare);
  const query = found?.[1]?.trim();
  // In "components for splitting text" a tool that searches components gets "splitting text".
  const [, subject = '', rest] = /^(\p{L}+)\s+(?:for|about)\s+(.+)$/u.exec(query ?? '') ?? [];
  return rest !== undefined && wordsOf(toolName).includes(subject.toLowerCase()) ? rest : query;
}

/** Texts that have no form of their own: quoted ones in order, then the last result for words such as "it". */
function fillTexts(
  parameters: readonly Parameter[],
  clause: Clause,
  last: string | undefined,
  values: Readonly<Record<string, unknown>>,
  used: ReadonlySet<string>,
  give: (parameter: Parameter, value: unknown, weight: number) => void,
): void {
  const isText = ({ name, type, options, isRequired }: Parameter) =>
    type === 'string' && options.length === 0 && !Object.hasOwn(values, name) && (isRequired || TEXT_NAMES.test(name));
  const open = parameters.filter(isText).filter(({ name }) => !FORMED_NAMES.test(name));
  const rest = clause.quoted.filter((each) => !used.has(each));
  for (const [at, parameter] of open.entries()) {
    const quoted = rest[at];
    if (quoted !== undefined) give(parameter, quoted, 1);
    else if (last !== undefined && clause.refersBack && parameter.isRequired && TEXT_NAMES.test(parameter.name))
      give(parameter, last, 1);
  }
}

const TEXT_NAMES = /content|text|body|message|input|value|title|subject|description|prompt|note/;
/** A quoted text is not a value of these. */
const FORMED_NAMES = /path|(^|_)id$|url|expression|pattern|(^|_)to$|(^|_)from$|type$|zone/;
