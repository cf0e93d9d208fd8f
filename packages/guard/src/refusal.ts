import type { Decision } from './decision.ts';

const MAX_TEXT = 800;
const MAX_NAME = 64;

/**
 * What the model reads in a tool result when its call was refused: what, why, and what would be accepted. The decision's own
 * words may name the project root and what the call wrote; nothing else of the host is added.
 */
export function refusalResult(name: string, decision: Decision): string {
  return `Refused: ${shortName(name)} was not run. ${words(decision)} Nothing was changed.`;
}

/** What stands in the reply in place of a refused call when the model is not asked again. It reads as the model's text. */
export function refusalNote(name: string, decision: Decision): string {
  return `[Croft guard: the call to ${shortName(name)} was refused and not run. ${words(decision)}]`;
}

/** For an allowed call of a turn that is asked again. */
export const NOT_EXECUTED = 'Not executed: another call of this turn was refused. Send it again if it is still needed.';

/** A tool's name fit for a sentence: the model chose it, so no control characters, and short. */
export function shortName(name: string): string {
  const plain = name.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
  if (plain === '') return 'a tool without a name';
  return plain.length > MAX_NAME ? `${plain.slice(0, MAX_NAME)}…` : plain;
}

function words(decision: Decision): string {
  return [decision.reason, decision.accepted]
    .map((text) => sentence(text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text))
    .filter((text) => text !== '')
    .join(' ');
}

function sentence(text: string): string {
  const trimmed = text.trim();
  return trimmed === '' || /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
