import { ANY, GLOB, SPLIT } from './marks.ts';
import type { ShellState } from './state.ts';
import { listedName } from './tools/names.ts';

/** A word during its expansion: the fields that are complete, and the one that the next part continues. */
export interface Draft {
  readonly done: readonly string[];
  readonly current: string | undefined;
}

/** @returns the fields of a word whose parts are all expanded. */
export function finish(draft: Draft): readonly string[] {
  return draft.current === undefined ? draft.done : [...draft.done, draft.current];
}

/** @returns each draft with each option appended, as quoted text. */
export function append(drafts: readonly Draft[], options: readonly string[]): readonly Draft[] {
  return drafts.flatMap((draft) =>
    options.map((option) => ({ done: draft.done, current: (draft.current ?? '') + option })),
  );
}

/** Ends the current field, so that the next part starts another. */
export function closed(draft: Draft): Draft {
  return { done: finish(draft), current: undefined };
}

/** The characters at which the shell splits text (`IFS`), for each value that it may have. */
function separatorsOf(state: ShellState): readonly string[] {
  const set = state.variables.get('IFS');
  if (set === undefined) return [' \t\n'];
  return 'items' in set ? [set.items[0]?.value ?? ''] : set;
}

/** @returns the words of `$*` as one text: the shell puts the first character of `IFS` between them. */
export function joinWords(words: readonly string[], state: ShellState): readonly string[] {
  return separatorsOf(state).map((set) => (set.startsWith(ANY) ? ANY : words.join(set.slice(0, 1))));
}

/** Appends text that the shell splits at its separators (`IFS`). */
export function splitInto(draft: Draft, text: string, state: ShellState): Draft {
  const separators = separatorsOf(state).join('');
  const done = [...draft.done];
  let { current } = draft;
  // Any number of names: each becomes a separate word.
  const name = listedName(text);
  if (name !== undefined && current === undefined && separators.includes('\n'))
    return { done: [...done, name], current: undefined };
  let piece = '';
  const flush = (): void => {
    if (piece !== '') current = (current ?? '') + piece;
    piece = '';
  };
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (char === GLOB) {
      piece += char + (text[at + 1] ?? '');
      at += 1;
    } else if (separators.includes(char) || separators.includes(ANY)) {
      flush();
      if (current !== undefined) done.push(current);
      current = undefined;
    } else if (char === ANY) piece += ANY + SPLIT;
    else piece += char === '*' || char === '?' || char === '[' ? GLOB + char : char;
  }
  flush();
  return { done, current };
}
