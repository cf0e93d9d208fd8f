import type { FlowDocument, Registry } from '@croft/flow';
import { vocabularyOf } from './coverage.ts';
import { missingDetails } from './details.ts';
import { readRequest } from './request-parts.ts';
import { stemsOf } from './words.ts';

const TELLS = /\b(?:explain|describ)\w*\b|^\s*document\b/i;

/**
 * Details of a request to explain a flow or a result, such as `in French`. The tools that explain write one text, whatever the
 * request says about it.
 */
export function explainedInPart(message: string, { nodes }: FlowDocument, registry: Registry): readonly string[] {
  const parts = readRequest(message);
  const types = nodes.flatMap(({ type }) => registry.get(type)?.descriptor ?? []);
  const words = new Set([...types.flatMap(vocabularyOf), ...stemsOf('explain describe document file detail Markdown')]);
  const clauses = parts.clauses.filter(({ text }) => TELLS.test(text));
  return clauses
    .flatMap(({ masked }) => missingDetails(masked, { words, values: [], takesMessage: true }))
    .map((each) => parts.unmask(each).trim());
}

/** The sentence about such details; empty where there are none. */
export const inOneForm = (missing: readonly string[]): string =>
  missing.length === 0
    ? ''
    : `Not done: ${missing.map((each) => `“${each}”`).join(', ')}. croft/offline explains in one form only, in English.`;
