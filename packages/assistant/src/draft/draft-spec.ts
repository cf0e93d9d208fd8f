import { buildFromSpec, printSpec, type Registry } from '@croft/flow';
import type { FlowTemplate } from '../turn.ts';
import { fromComponents } from './from-components.ts';
import { covers, missingIn, vocabularyOf } from './coverage.ts';
import { fromTemplates } from './from-template.ts';
import { readRequest, type RequestParts } from './request-parts.ts';
import { withTargets } from './with-targets.ts';

/** A flow text made by rules, and what it was made from. */
export interface Draft {
  readonly spec: string;
  readonly from: string;
  readonly isFromTemplate: boolean;
  /** Parts of the request, as the user wrote them, that the flow does not carry out. */
  readonly missing: readonly string[];
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
  const drafts = [...fromTemplates(request, parts, registry, templates), fromComponents(parts, registry)].flatMap(
    (made) => {
      if (made === undefined) return [];
      const spec = printSpec(withTargets(made.spec, parts.targets, registry));
      if ('error' in buildFromSpec(spec, registry)) return [];
      const { from, hasStep, about, read = [] } = made;
      const missing = missingIn(spec, parts, registry, { about, read });
      const isFromTemplate = about !== undefined;
      return [{ spec, from, isFromTemplate, missing, schedule: parts.schedule, hasStep, isRead: read.length > 0 }];
    },
  );
  // Where both leave out as much, a rule that read a clause word by word is better than shared words.
  drafts.sort((one, other) => one.missing.length - other.missing.length || Number(other.isRead) - Number(one.isRead));
  const [best] = drafts;
  return best === undefined || isEmpty(best.missing, parts, registry) ? undefined : best;
}

/** Whether a flow carries out no clause, or only what every flow does: to take a message and to show a result. */
function isEmpty(missing: readonly string[], { clauses }: RequestParts, registry: Registry): boolean {
  if (clauses.every(({ text }) => missing.includes(text))) return true;
  const ends = ['ChatInput', 'ChatOutput'].flatMap((type) => vocabularyOfType(type, registry));
  return (
    missing.length > 0 &&
    clauses.every(({ text, words }) => missing.includes(text) || (SHOWS.test(text) && covers(new Set(ends), words)))
  );
}

const SHOWS = /^(?:shows?|displays?|prints?|gives?)\b/i;

const vocabularyOfType = (type: string, registry: Registry): readonly string[] => {
  const descriptor = registry.get(type)?.descriptor;
  return descriptor === undefined ? [] : vocabularyOf(descriptor);
};
