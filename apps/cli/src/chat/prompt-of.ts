import { printable, printableName } from '../render/printable.ts';

/** A question with its choices, for a terminal. A model may have written all of them. */
export function promptOf(question: string, choices: readonly string[], byDefault: string): string {
  return `${printable(question)} [${choices.map(printableName).join(' / ')}] (${printableName(byDefault)}) `;
}
