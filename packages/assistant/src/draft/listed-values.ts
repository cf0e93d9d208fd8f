import { NAME, QUOTED, refers, unquoted } from './column-names.ts';
import { DROPS } from './text-step.ts';
import { escaped } from './words.ts';

const KEEPS = 'keep\\w*|take\\w*|select\\w*|filters?|filtering';
/** Before the condition of a clause that chooses rows. */
export const ROWS_WHERE = `^(?:(?:that|which|it)\\s+)?(?:${KEEPS}|${DROPS.source})\\s+(?:(?:only|all|the|those)\\s+)*rows\\s+(?:where|whose|with|that\\s+have|in\\s+which)\\s+(?:(?:the|an?)\\s+)?`;

/** A name in capitals, a number or a quoted text is a value. Other words after `is` may describe it, such as `is empty`. */
const CLEAR = `(?:${QUOTED}|\\d[\\w.-]*|[A-Z][\\w-]*(?:\\s+[A-Z][\\w-]*)*)`;
const ANY = `(?:${QUOTED}|[\\w.-]*[\\w-])`;
const HEAD = new RegExp(
  `${ROWS_WHERE}${NAME}\\s+(equals?(?:\\s+to)?|(?:is|are)(?:\\s+(?:equal\\s+to|either|one\\s+of))?)\\s+`,
  'i',
);

/** The values that a clause names for a column. */
export interface ListedValues {
  readonly column: string;
  readonly values: readonly string[];
}

/**
 * The values of a clause such as `keep the rows where city is Oslo, Rome or Bergen`, which says nothing else. Undefined for other
 * clauses, and for values with a comma, which a list of them cannot hold.
 */
export function listedValues(clause: string): ListedValues | undefined {
  const [head, name, verb] = HEAD.exec(clause) ?? [];
  if (head === undefined || name === undefined || verb === undefined || refers(name)) return undefined;
  const item = /^(?:is|are)$/i.test(verb) ? CLEAR : ANY;
  const between = `(?:\\s*,?\\s+or\\s+|\\s*,\\s*)(?:${escaped(name)}\\s+(?:is|are|equals?)\\s+)?`;
  const list = clause.slice(head.length).replace(/[.!]+$/, '');
  if (!new RegExp(`^${item}(?:${between}${item})*$`).test(list)) return undefined;
  const items = [...list.matchAll(new RegExp(`(?:^|${between})(${item})`, 'g'))].map(([, each = '']) => each);
  const values = items.map(unquoted);
  if (items.some((each) => /^(?:not|never)$/i.test(each))) return undefined;
  if (values.length > 1 && values.some((each) => each.includes(','))) return undefined;
  return values.length === 1 && /one\s+of|either/i.test(verb) ? undefined : { column: unquoted(name), values };
}
