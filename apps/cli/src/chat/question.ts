import { printable, printableName } from '../render/printable.ts';

/** A question with its choices. A model may have written all of them. */
export interface Question {
  readonly text: string;
  /** The first one says yes, the last one no, unless `takesAny`. */
  readonly choices: readonly string[];
  /** The choice of a person who presses Enter, and of a program. */
  readonly byDefault: string;
  /** The choices say neither yes nor no, and another answer counts too. */
  readonly takesAny?: boolean;
}

/** The question in one line for a terminal, with the key of each choice and the choice of Enter. */
export function promptOf({ text, choices, byDefault, takesAny = false }: Question): string {
  const shown = choices.map((choice, at) => `[${keyOf(choices, at, takesAny)}] ${printableName(choice)}`);
  const other = takesAny ? '; or write another answer' : '';
  return `${printable(text)} ${shown.join(' / ')} (Enter: ${printableName(byDefault)}${other}) `;
}

/** The choice that an answer names: by `y` or `n`, by its number, or by its first letters. Undefined where it names none. */
export function choiceOf(answer: string, { choices, byDefault, takesAny = false }: Question): string | undefined {
  const said = answer.trim().toLowerCase();
  if (said === '') return byDefault;
  const exact = choices.find((each) => each.toLowerCase() === said);
  if (exact !== undefined) return exact;
  if (!takesAny && /^y(es)?$/.test(said)) return choices[0];
  if (!takesAny && /^no?$/.test(said)) return choices.at(-1);
  const numbered = /^\d$/.test(said) ? choices[Number(said) - 1] : undefined;
  if (numbered !== undefined) return numbered;
  const begun = choices.filter((each) => each.toLowerCase().startsWith(said));
  if (begun.length === 1) return begun[0];
  return takesAny ? answer.trim() : undefined;
}

function keyOf(choices: readonly string[], at: number, takesAny: boolean): string {
  if (takesAny) return `${at + 1}`;
  if (at === 0) return 'y';
  if (at === choices.length - 1) return 'n';
  const letter = choices[at]?.[0]?.toLowerCase() ?? '';
  const isFree = /^[a-z]$/.test(letter) && choices.filter((each) => each.toLowerCase().startsWith(letter)).length === 1;
  return isFree && letter !== 'y' && letter !== 'n' ? letter : `${at + 1}`;
}
