import type { Descriptor, FlowSpec, Registry } from '@croft/flow';
import { isApproval, isWrite, questionAbout } from './approval.ts';
import { bestStep, scoreOf } from './best-step.ts';
import { bringsText } from './brings-text.ts';
import { chainOf, inputOf, type Link, type Step } from './chain.ts';
import { countSteps } from './counted.ts';
import { findingFiles, listsFiles } from './finding-files.ts';
import { chosenRows, rankedRows, requestFrom } from './chosen-rows.ts';
import { covers, operationOf, vocabularyOf } from './coverage.ts';
import type { RequestClause, RequestParts } from './request-parts.ts';
import { READER, sourceFor } from './source.ts';
import { summaryStep } from './summary.ts';
import { textStepFor } from './text-step.ts';
import { FILE_NAME, WRITER } from './file-form.ts';
import { APPEND } from './with-targets.ts';
import { stemsOf } from './words.ts';

/** Fills the gaps of a text with the values of a record. */
export const PATTERN_TYPE = 'ParserComponent';
const TEXT_STEPS = 'TextOperations';
const FINDER = 'Glob';
/** Waits for a person. */
export const APPROVAL = 'HumanApproval';
const MAX_MIDDLE = 4;
/** The least score with which a component without an input starts a flow. */
const MIN_STARTER_SCORE = 3;

/** A flow that rules made, before it is compared with the request. */
export interface Candidate {
  readonly spec: FlowSpec;
  /** Its components or its template, for a person. */
  readonly from: string;
  /** Its template: its name, and that with the description. */
  readonly template?: string;
  readonly about?: string;
  /** The message with which the template can be tried. */
  readonly input?: string | undefined;
  /** Clauses that a rule carries out word by word. */
  readonly read?: readonly string[];
  /** Whether it does more than read and show. */
  readonly hasStep: boolean;
}

/** A flow of the components that the clauses of a request name, in its order. */
export function fromComponents(parts: RequestParts, registry: Registry): Candidate | undefined {
  const input = registry.get('ChatInput')?.descriptor;
  const output = registry.get('ChatOutput')?.descriptor;
  if (output === undefined || input === undefined) return undefined;
  const found = sourceFor(parts, registry) ?? starterFor(parts, registry);
  const middle = middleOf(parts, registry, [found?.descriptor ?? input, output, registry.get(WRITER)?.descriptor]);
  const first = middle[0] && inputOf(middle[0].descriptor)?.accepts;
  const source: Step | undefined = first === undefined ? found : (sourceFor(parts, registry, first) ?? found);
  // A text file has no columns.
  if (source?.descriptor.type === READER && first?.includes('Message') === false) return undefined;
  const parser = parts.pattern === undefined ? undefined : registry.get(PATTERN_TYPE)?.descriptor;
  if (middle.length === 0 && (source === undefined || parser !== undefined)) return undefined;
  const links: Link[] = [
    source ?? { descriptor: input, config: {} },
    ...middle,
    ...(parser && parts.pattern !== undefined ? [{ descriptor: parser, config: { pattern: parts.pattern } }] : []),
    { descriptor: output, config: {} },
  ];
  const chain = chainOf(links, registry);
  if (chain === undefined) return undefined;
  const labels = links.map(titleOf);
  const value = source && Object.values(source.config)[0];
  // A flow that reads a file or page is named after its first step and the file or page.
  const name =
    typeof value === 'string'
      ? `${middle[0] === undefined ? labels[0] : titleOf(middle[0])}: ${value}`
      : labels.join(', ');
  return {
    spec: { name, ...chain },
    from: labels.join(', '),
    hasStep: middle.length > 0,
    read: readIn([source ?? { descriptor: input, config: {} }, ...middle]),
  };
}

const readIn = (steps: readonly Step[]): readonly string[] => steps.flatMap(({ read }) => read ?? []);

/** The work of a link, for a person: the chosen operation with its texts, where it has several. */
function titleOf({ descriptor, config }: Link): string {
  const field = operationOf(descriptor)?.name;
  if (field === undefined) return descriptor.label;
  const texts = Object.entries(config).filter(([name, each]) => name !== field && typeof each === 'string');
  return [config[field] as string, ...texts.map(([, each]) => `“${each as string}”`)].join(' ');
}

/** The component that starts a flow without a file or address: it reads the workspace, and needs no value. */
function starterFor({ clauses, pattern }: RequestParts, registry: Registry): Step | undefined {
  const words = clauses[0]?.words ?? [];
  if (pattern !== undefined) return undefined;
  const [best] = registry.entries
    .map(({ descriptor }) => ({ descriptor, score: scoreOf(descriptor, words) }))
    .filter(
      ({ descriptor, score }) =>
        descriptor.category === 'files' &&
        descriptor.effects.every((effect) => effect === 'workspace-read') &&
        descriptor.fields.every((field) => field.required !== true || field.default !== undefined) &&
        score >= MIN_STARTER_SCORE &&
        covers(new Set(vocabularyOf(descriptor)), words),
    )
    .sort((one, other) => other.score - one.score);
  if (best?.descriptor.type !== FINDER) return best && { descriptor: best.descriptor, config: {} };
  const text = clauses[0]?.text ?? '';
  const config = findingFiles(text);
  return config && { descriptor: best.descriptor, config, ...(listsFiles(text) && { read: text }) };
}

const NO_COLUMNS: ReadonlySet<string> = new Set();

/**
 * The component that carries out a step of a flow, with its values and the input that the flow's value goes to.
 *
 * @param columns the columns that the flow names
 */
export function stepFor(parts: RequestParts, registry: Registry, columns = NO_COLUMNS) {
  const output = registry.get('ChatOutput')?.descriptor;
  const writer = registry.get(WRITER)?.descriptor;
  const [target] = parts.targets;
  const [found] = middleOf(parts, registry, [output], columns);
  const descriptor = target === undefined ? found?.descriptor : writer;
  const input = descriptor && inputOf(descriptor);
  if (descriptor === undefined || input === undefined) return undefined;
  const isStep = target === undefined && found !== undefined;
  return {
    descriptor,
    input,
    config: isStep ? found.config : { [FILE_NAME]: target ?? '', ...(parts.appends && { [APPEND]: true }) },
    read: isStep ? readIn([found]) : [],
  };
}

/** For each clause that the first and the last component do not carry out, the component that does. */
function middleOf(
  parts: RequestParts,
  registry: Registry,
  ends: readonly (Descriptor | undefined)[],
  columns = NO_COLUMNS,
): readonly Step[] {
  const { clauses, pattern } = parts;
  const known = new Set(ends.flatMap((each) => (each === undefined ? [] : vocabularyOf(each))));
  const candidates = registry.entries.map(({ descriptor }) => descriptor).filter(isMiddle);
  const texts = registry.get(TEXT_STEPS)?.descriptor;
  const approval = registry.get(APPROVAL)?.descriptor;
  const found: Step[] = [];
  const rows = { before: found, clauses, columns };
  const stepsFor = (clause: RequestClause, at: number): readonly Step[] => {
    if (approval && isApproval(clause)) {
      const next = clauses[at + 1];
      const files = parts.targets.filter((target) => isWrite(next) && next?.text.includes(target));
      return [{ descriptor: approval, config: questionAbout(files), read: clause.text, isLast: isWrite(next) }];
    }
    if (at === 0 && bringsText(clause, registry)) return [];
    const summary = summaryStep(clause, registry);
    if (summary !== undefined) return [summary];
    const counted = countSteps(clause, parts, known, { rows, registry });
    if (counted !== undefined) return counted;
    const config = texts && textStepFor(clause, parts, known);
    if (texts && config) return [{ descriptor: texts, config, read: clause.text }];
    const ranked = rankedRows(clause, rows, registry);
    if (ranked !== undefined) return [ranked];
    const chosen = chosenRows(clause, found, registry);
    if (chosen !== undefined) return chosen;
    // The words of a write, as in `saves the count`, name what the steps before it give.
    const given = isWrite(clause) ? found.flatMap(({ descriptor }) => vocabularyOf(descriptor)) : [];
    return covers(new Set([...known, ...given]), clause.words)
      ? []
      : bestStep(candidates, clause, known, { request: requestFrom(clauses, at), rows });
  };
  for (const [at, clause] of clauses.entries()) found.push(...stepsFor(clause, at));
  if (pattern !== undefined && clauses.every(({ words }) => covers(known, words)))
    found.push(
      ...bestStep(candidates, { text: '', words: stemsOf(pattern.replace(/^.*?(?=\{)/, '')) }, known, {
        request: '',
        rows,
      }),
    );
  const isFirst = ({ descriptor, read }: Step, at: number) =>
    read !== undefined || found.findIndex((each) => each.descriptor === descriptor) === at;
  const steps = found.filter(isFirst);
  return [...steps.filter(({ isLast }) => isLast !== true), ...steps.filter(({ isLast }) => isLast)].slice(
    0,
    MAX_MIDDLE,
  );
}

/** Whether a component takes a value in and gives one out. */
export function isMiddle({ boundary, control, effects, outputs, category, legacy }: Descriptor): boolean {
  if (boundary !== undefined || control !== undefined || legacy === true || outputs.length === 0) return false;
  if (category === 'files' || category === 'data') return false;
  // A chain has no collection: its value would be the query, or an entry of a collection that no one reads.
  if (effects.some((effect) => effect.startsWith('database'))) return false;
  return true;
}
