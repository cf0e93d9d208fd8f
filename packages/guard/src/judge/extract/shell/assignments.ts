import type { Assignment } from 'unbash';
import { checkAssignment } from './environment.ts';
import { checkSubscript, evaluateValue, evaluateWord, type Expander } from './evaluate-word.ts';
import { ANY, type Field } from './marks.ts';
import type { Value } from './state.ts';

const MAX_VALUES = 8;

/** `[k]=v` among the words of an array; the bracket may be marked as a wildcard. */
const SUBSCRIPT = /^\uE002?\[[^\]]*\]\+?=/;

/**
 * Reads an assignment. `isLasting`: it holds for later commands too.
 *
 * @returns the name and its possible values.
 */
export function readAssignment(item: Assignment, isLasting: boolean, expander: Expander): [string, Value] {
  const { state } = expander;
  const value = valueOf(item, expander);
  const reason = checkAssignment(item.name, 'items' in value ? value.items.map((one) => one.value) : value);
  if (reason !== undefined) expander.undecidable(reason);
  if (isLasting) state.assign(item.name, value);
  return [item.name, value];
}

function valueOf(item: Assignment, expander: Expander): Value {
  if (item.index !== undefined) checkSubscript(item.index, expander);
  const before = item.append === true || item.index !== undefined ? expander.state.variables.get(item.name) : undefined;
  if (item.value.type === 'ArrayValue') {
    for (const { text } of item.value.elements) {
      const index = /^\[([^\]]*)\]=/.exec(text)?.[1];
      if (index !== undefined) checkSubscript(index, expander);
    }
    const items = item.value.elements.flatMap((word) => evaluateWord(word, expander).flat());
    return looseItems(
      before,
      items.map(withoutSubscript),
      items.some((one) => SUBSCRIPT.test(one.value)),
    );
  }
  const values = evaluateValue(item.value, expander);
  if (item.index !== undefined) {
    const items = values.map((value) => ({ value, written: item.text }));
    return looseItems(before, items, true);
  }
  if (item.append !== true) return values;
  if (before === undefined || 'items' in before) return [ANY];
  return before.flatMap((start) => values.map((value) => start + value)).slice(0, MAX_VALUES);
}

function withoutSubscript(item: Field): Field {
  return SUBSCRIPT.test(item.value) ? { ...item, value: item.value.replace(SUBSCRIPT, '') } : item;
}

/** Appends items to an array. */
function looseItems(before: Value | undefined, items: readonly Field[], isLoose: boolean): Value {
  if (before === undefined) return { items, isLoose };
  if ('items' in before) return { items: [...before.items, ...items], isLoose: isLoose || before.isLoose === true };
  // A plain variable is the first item.
  return { items: [...before.map((value) => ({ value, written: value })), ...items], isLoose: true };
}
