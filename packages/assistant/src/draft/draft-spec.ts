import { buildFromSpec, type FlowSpec, parseSpec, printSpec, type Registry } from '@croft/flow';
import type { FlowTemplate } from '../turn.ts';
import { hasCondition } from './approval.ts';
import { withQuestions } from './approval-questions.ts';
import { bringsText, TEXT_INPUTS } from './brings-text.ts';
import { type Candidate, fromComponents } from './from-components.ts';
import { covers, missingIn, vocabularyOf } from './coverage.ts';
import { misfitsIn } from './file-form.ts';
import { fromTemplates } from './from-template.ts';
import { readRequest, type RequestParts } from './request-parts.ts';
import { DROPS } from './text-step.ts';
import { withTargets } from './with-targets.ts';

/** A flow text made by rules, and what it was made from. */
export interface Draft {
  readonly spec: string;
  readonly from: string;
  readonly isFromTemplate: boolean;
  /** The template whose own files it reads: none where the request names files, because those are the user's. */
  readonly template: string | undefined;
  /** The message with which its template can be tried. */
  readonly input: string | undefined;
  /** Parts of the request, as the user wrote them, that the flow does not carry out. */
  readonly missing: readonly string[];
  /** Files that the request reads and writes. The flow does not write them. */
  readonly replaced: readonly string[];
  /** Files of the request whose endings promise another form than the flow can write. The flow does not write them. */
  readonly misfits: readonly string[];
  /** When to run, as the user wrote it. A flow does not hold its schedule. */
  readonly schedule: string | undefined;
  /** Whether it does more than read and show. */
  readonly hasStep: boolean;
  /** Whether a rule read a clause word by word. */
  readonly isRead: boolean;
}

/**
 * The text of a flow for a request in plain words: a template whose words the request names, or a chain of components
 * that its clauses name, with its files and addresses. Chooses the one that leaves out less of the request. Undefined where
 * neither carries out any clause.
 */
export function draftSpec(request: string, registry: Registry, templates: readonly FlowTemplate[]): Draft | undefined {
  const parts = readRequest(request);
  const made = [...fromTemplates(request, parts, registry, templates), fromComponents(parts, registry)];
  const drafts = made.flatMap((each) => (each === undefined ? [] : draftOf(each, parts, registry)));
  // Where both leave out as much, a rule that read a clause word by word is better than shared words.
  drafts.sort((one, other) => one.missing.length - other.missing.length || Number(other.isRead) - Number(one.isRead));
  const [best] = drafts;
  return best === undefined || isEmpty(best.missing, parts, registry) ? undefined : best;
}

/**
 * A flow with the files that the request writes. It does not write a file that the request reads, the file of a clause that
 * it does not carry out, a file in another form than its ending says, or any file where a condition or a choice of rows is left
 * out.
 */
function draftOf(made: Candidate, parts: RequestParts, registry: Registry): readonly Draft[] {
  const { from, hasStep, about, read = [] } = made;
  const isSource = (target: string) => parts.paths.some((path) => path.toLowerCase() === target.toLowerCase());
  const [first] = parts.clauses;
  const takesText = made.spec.nodes.some(({ type }) => TEXT_INPUTS.has(type));
  const brought = first !== undefined && takesText && bringsText(first, registry) ? [first.text] : [];
  const drafted = (targets: readonly string[]) => {
    const text = { adds: parts.appends, isOwnText: parts.pattern !== undefined };
    const withFiles = withQuestions(withTargets(made.spec, targets, registry, text));
    const spec = printSpec(withFiles);
    const missing = missingIn(spec, parts, registry, { about, read: [...read, ...brought] });
    return { spec, missing, misfits: misfitsIn(withFiles, registry, parts) };
  };
  const written = parts.targets.filter((each) => !isSource(each));
  const whole = drafted(written);
  const { misfits } = whole;
  const isLeftOut = (target: string) =>
    misfits.includes(target) ||
    hasCondition(whole.missing) ||
    whole.missing.some((each) => CHOOSES.test(each)) ||
    parts.clauses.some(
      ({ text }, at) => whole.missing.includes(text) && CHOOSES.test(parts.clauses[at - 1]?.text ?? ''),
    ) ||
    parts.clauses.some(({ text }) => whole.missing.includes(text) && text.includes(target));
  const kept = written.filter((each) => !isLeftOut(each));
  const { spec, missing } = kept.length === written.length ? whole : drafted(kept);
  // The path of a clause that both reads and writes a file is a value of the flow.
  const replaced = parts.targets.filter(isSource);
  const sources = parts.clauses.filter(({ text }) => WRITES.test(text) && replaced.some((each) => text.includes(each)));
  const left = [...new Set([...missing, ...sources.map(({ text }) => text)])];
  if ('error' in buildFromSpec(spec, registry)) return [];
  if (hasCondition(left) && actsOutside(parseSpec(spec), registry)) return [];
  const isFromTemplate = about !== undefined;
  const { schedule } = parts;
  const template = parts.paths.length === 0 ? made.template : undefined;
  return [
    {
      spec,
      from,
      isFromTemplate,
      template,
      input: made.input,
      missing: left,
      replaced,
      misfits,
      schedule,
      hasStep,
      isRead: read.length > 0,
    },
  ];
}

/** Chooses what a later step gets: without it, a file would have more than the request asks for. */
const CHOOSES = new RegExp(`${DROPS.source}|\\b(?:keep|kept|filter|only|select|choos)\\w*\\b`, 'i');
const WRITES = /\b(?:sav|writ|stor|put|export|copy|copies|append)\w*\b/i;

/** Whether a flow changes files, databases or other machines. */
const actsOutside = ({ nodes }: Pick<FlowSpec, 'nodes'>, registry: Registry): boolean =>
  nodes.some(({ type }) => registry.get(type)?.descriptor.effects.some((effect) => effect.endsWith('-write')) === true);

/** Whether a flow carries out no clause, or only what every flow does: to take a message and to show a result. */
function isEmpty(missing: readonly string[], { clauses }: RequestParts, registry: Registry): boolean {
  if (clauses.every(({ text }) => missing.includes(text))) return true;
  const ends = ['ChatInput', 'ChatOutput'].flatMap((type) => vocabularyOfType(type, registry));
  return (
    missing.length > 0 &&
    clauses.every((clause) => {
      const { text, words } = clause;
      const isShown = SHOWS.test(text) && covers(new Set(ends), words);
      return missing.includes(text) || isShown || bringsText(clause, registry);
    })
  );
}

const SHOWS = /^(?:shows?|displays?|prints?|gives?)\b/i;

const vocabularyOfType = (type: string, registry: Registry): readonly string[] => {
  const descriptor = registry.get(type)?.descriptor;
  return descriptor === undefined ? [] : vocabularyOf(descriptor);
};
