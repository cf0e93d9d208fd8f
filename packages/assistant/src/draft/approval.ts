import type { RequestClause } from './request-parts.ts';

/** Words before what a flow does. */
export const BEGIN =
  '^(?:(?:please|build|create|make|set up|add|insert|put|a|an|new|another|me|i|want|need|flow|workflow|step|component|that|which|it|to|in|and|also|then|first|only)\\s+)*';
const CONSENT = '(?:approval|permission|confirmation|consent|go-ahead|okay|ok)';
const PERSON = '(?:me|us|a\\s+person)';
const APPROVAL = new RegExp(
  `${BEGIN}(?:(?:asks?|checks?\\s+with|consults?)\\s+${PERSON}(?:\\s+for\\s+(?:(?:my|an?|our)\\s+)?${CONSENT})?|(?:asks?|waits?)\\s+for\\s+(?:(?:my|our|an?|human)\\s+)?${CONSENT}|(?:gets?|needs?|requires?)\\s+(?:my|our|an?|human)\\s+${CONSENT}|lets?\\s+${PERSON}\\s+(?:approve|confirm|check|review)(?:\\s+(?:it|this|that))?|I\\s+(?:have\\s+)?(?:approved?|confirm(?:ed)?|agreed?|accept(?:ed)?|allow(?:ed)?|permit(?:ted)?)(?:\\s+(?:it|this|that))?)(?:\\s+first)?[.!\\s]*$`,
  'i',
);
const WRITES =
  /^(?:(?:it|you|they|the\s+flow)\s+)?(?:writ|sav|stor|export|overwrit|replac|append|creat|send|post)\w*\b/i;
const CONDITION =
  /\b(?:unless|until|if|whenever|when|once|before|after|only|except|not|never|without|asks?|asking|confirm\w*|approv\w*|permission|consent)\b|n['’]t\b/i;

/** Whether a clause says only that a person decides, as in `asks me` before a step. */
export const isApproval = ({ text }: Pick<RequestClause, 'text'>): boolean => APPROVAL.test(text);

/** Whether a clause is a write: the decision before it is about what is written. */
export const isWrite = (clause: Pick<RequestClause, 'text'> | undefined): boolean =>
  clause !== undefined && WRITES.test(clause.text);

/** The values of an approval before these files are written: its question names them. */
export const questionAbout = (files: readonly string[]): Readonly<Record<string, string>> =>
  files.length === 0 ? {} : { question: `Write this to ${files.join(' and ')}?` };

/**
 * Whether one of these parts of a request is a condition. Where a flow does not carry it out, a write would happen without
 * the condition.
 */
export const hasCondition = (missing: readonly string[]): boolean => missing.some((each) => CONDITION.test(each));
