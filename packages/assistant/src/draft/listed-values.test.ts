import { expect, it } from 'vitest';
import { listedValues } from './listed-values.ts';

const KEEP = 'keep the rows where city';

it.each([
  [`${KEEP} is Oslo`, ['Oslo']],
  [`${KEEP} is Oslo or New York.`, ['Oslo', 'New York']],
  [`${KEEP} is 5, 10 or 15`, ['5', '10', '15']],
  [`${KEEP} is "oslo", or 'rome'`, ['oslo', 'rome']],
  [`${KEEP} equals oslo or rome`, ['oslo', 'rome']],
  [`${KEEP} is equal to oslo`, ['oslo']],
  [`${KEEP} is one of oslo, rome`, ['oslo', 'rome']],
  [`${KEEP} is Oslo or city is Rome`, ['Oslo', 'Rome']],
  ['filter out rows whose city is Oslo or Rome', ['Oslo', 'Rome']],
  ['take only rows with the city equals "a,b"', ['a,b']],
])('reads the values of “%s”', (clause, values) => {
  expect(listedValues(clause)).toEqual({ column: 'city', values });
});

it.each([
  `${KEEP} is empty`,
  `${KEEP} is open or closed`,
  `${KEEP} is not Oslo or Rome`,
  `${KEEP} equals not`,
  `${KEEP} is one of Oslo`,
  `${KEEP} is Oslo or country is Norway`,
  `${KEEP} is Oslo or Rome in French`,
  `${KEEP} is "a,b" or "c"`,
  `${KEEP} is over 5`,
  'keep the rows where those are Oslo',
  'city is Oslo',
  'count the rows where city is Oslo',
])('reads nothing else: %s', (clause) => {
  expect(listedValues(clause)).toBeUndefined();
});
