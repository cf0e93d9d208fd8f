import type { Registry } from '@croft/flow';
import type { Step } from './chain.ts';
import type { RequestClause } from './request-parts.ts';
import { limitIn, sortsRows } from './row-values.ts';

const PLACES: Readonly<Record<string, number>> = { first: 1, second: 2, third: 3, last: -1 };
const PLACE = /\b(first|second|third|last)\s+(?:row|record|item|element|entry)\b/i;

/**
 * The steps for a clause that chooses rows by their place, such as `take the first two`. A step that sorts keeps several rows
 * by its limit, so they need no other step. No component keeps several rows that were not sorted.
 *
 * @param found the steps of the clauses before. The clause is noted at the step that sorts
 * @returns `undefined` for other clauses
 */
export function chosenRows({ text }: RequestClause, found: Step[], registry: Registry): readonly Step[] | undefined {
  const limit = limitIn(text);
  if (limit !== undefined && !sortsRows(text)) {
    const at = found.findIndex(({ descriptor }) => descriptor.type === 'SortRows');
    const sort = found[at];
    if (sort?.config['limit'] === limit) found[at] = { ...sort, read: text };
    return [];
  }
  const place = PLACES[PLACE.exec(text)?.[1]?.toLowerCase() ?? ''];
  const item = registry.get('ListItem')?.descriptor;
  return place === undefined || item === undefined
    ? undefined
    : [{ descriptor: item, config: { index: place }, read: text }];
}

/** The request for the values of the clause at `at`. The first rows of an earlier clause are not the first ones in its order. */
export const requestFrom = (clauses: readonly RequestClause[], at: number): string =>
  clauses
    .filter(({ text }, index) => index >= at || !/\bfirst\b/i.test(text))
    .map(({ text }) => text)
    .join(' ');
