import type { Registry } from '@croft/flow';
import { BEGIN, isApproval } from './approval.ts';
import { vocabularyOf } from './coverage.ts';
import type { RequestClause } from './request-parts.ts';
import { stemsOf } from './words.ts';

/** The inputs of a flow that take the text of its message. */
export const TEXT_INPUTS: ReadonlySet<string> = new Set(['ChatInput', 'TextInput']);
const PERSON = '(?:me|us|you|(?:an?|the|its)\\s+(?:users?|person))';
const TEXT = '(?<text>\\p{L}[\\p{L}\\s-]*?)';
const RECEIVES = new RegExp(
  `${BEGIN}(?:takes?|gets?|receives?|accepts?|expects?|reads?|waits?\\s+for|starts?\\s+with)\\s+${TEXT}(?<giver>\\s+from\\s+${PERSON})?[.!\\s]*$`,
  'iu',
);
const ASKS = new RegExp(`${BEGIN}asks?\\s+(?:${PERSON}\\s+)?for\\s+${TEXT}[.!\\s]*$`, 'iu');
/** One thing that a person gives, such as `a name` or `my order number`. */
const ONE_THING = /^(?:an?|my|your|their)\s+[\p{L}-]+(?:\s+[\p{L}-]+)?$/iu;

/**
 * Whether a clause says only that a text comes in with each run, as in `takes a message` or `asks for a name`. The text has
 * a name of the inputs that take it, or a person gives it and it does not name a file.
 */
export function bringsText(clause: RequestClause, registry: Registry): boolean {
  if (isApproval(clause)) return false;
  const received = RECEIVES.exec(clause.masked)?.groups;
  const asked = ASKS.exec(clause.masked)?.groups;
  const text = received?.['text'] ?? asked?.['text'];
  if (text === undefined) return false;
  const inputs = registry.entries.map(({ descriptor }) => descriptor).filter(({ boundary }) => boundary === 'input');
  const vocabulary = (isText: boolean) =>
    new Set(inputs.filter(({ type }) => TEXT_INPUTS.has(type) === isText).flatMap(vocabularyOf));
  const words = stemsOf(text);
  const own = vocabulary(true);
  if (words.length > 0 && words.every((word) => own.has(word))) return true;
  const isGiven = asked !== undefined || received?.['giver'] !== undefined;
  const others = vocabulary(false);
  return isGiven && ONE_THING.test(text) && !words.some((word) => others.has(word));
}
