import type { CodeProblem } from './code-view.ts';

/** `Line 3 of the code: …`, also after the name of its component, `MyComponent, line 3: …`, and `Line 3 is not …`. */
const PLACES = [/^(?:.{1,250}: )?Line (\d+) of the code: /, /^[\w$ -]{1,100}, line (\d+): /, /^Line (\d+) /];

/** Reads the line that a message names; line 0 for a message that names none. */
export function codeProblem(message: string): CodeProblem {
  for (const place of PLACES) {
    const found = place.exec(message);
    if (!found) continue;
    const isSentence = place === PLACES[2];
    return { line: Number(found[1]), message: isSentence ? message : message.slice(found[0].length) };
  }
  return { line: 0, message };
}
