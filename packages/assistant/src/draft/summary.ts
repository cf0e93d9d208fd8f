import type { Registry } from '@croft/flow';
import { BEGIN } from './approval.ts';
import type { Step } from './chain.ts';
import type { RequestClause } from './request-parts.ts';
import { NUMBERS } from './words.ts';

const COUNT = `(?:\\d{1,4}|${Object.keys(NUMBERS).join('|')}|a\\s+few|a\\s+couple\\s+of)`;
const FORM = `(?:(?:at\\s+most|up\\s+to|about|no\\s+more\\s+than)\\s+)?(?:${COUNT}\\s+)?(?:short\\s+)?(?:bullets?|(?:bullet\\s+)?points?|sentences?|paragraphs?|lines?|words?)`;
const OBJECT =
  '(?:(?:it|them|this|that|the|its|my|a|of|text|file|document|report|page|article|message|contents?|\uE000\\d+\uE001)\\s+)*';
const SUMMARY = new RegExp(`${BEGIN}summari[sz](?:es?|ing)\\s+${OBJECT}(?:in|into|as|to)\\s+(${FORM})[.!\\s]*$`, 'i');

/** The step for a clause that says the form of a summary, such as `summarises it in three bullet points`. */
export function summaryStep({ masked, text }: RequestClause, registry: Registry): Step | undefined {
  const descriptor = registry.get('Summarise')?.descriptor;
  const form = SUMMARY.exec(masked)?.[1];
  if (descriptor === undefined || form === undefined) return undefined;
  const instructions = `Summarise the text in ${form}. Keep names, numbers and decisions. Write in the language of the text.`;
  return { descriptor, config: { instructions }, read: text };
}
