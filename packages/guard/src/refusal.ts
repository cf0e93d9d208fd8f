import type { Decision } from './decision.ts';

const MAX_TEXT = 800;
const MAX_NAME = 64;

/**
 * The tool result for a refused call: what was refused, why, and what the guard would accept. Of the host it contains
 * only what the decision says, which may name the project root and the paths of the call.
 */
export function refusalResult(name: string, decision: Decision): string {
  return `Refused: ${shortName(name)} was not run. ${words(decision)} Nothing was changed.`;
}

/**
 * The text in the reply in place of a refused call, if the model is not asked again. Readers see it as the model's
 * text.
 */
export function refusalNote(name: string, decision: Decision): string {
  return `[Croft guard: the call to ${shortName(name)} was refused and not run. ${words(decision)}]`;
}

/** The tool result for an allowed call in a turn that is asked again. */
export const NOT_EXECUTED = 'Not executed: another call of this turn was refused. Send it again if it is still needed.';

/** A tool name for use in a sentence: no control characters, and short, because the model chose it. */
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
