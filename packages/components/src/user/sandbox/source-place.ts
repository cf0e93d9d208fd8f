import type { CodeProblem } from './messages.ts';

/**
 * The same problem with its column in the source instead of the text without types, which has the same lines. The column
 * is 0 where types were removed on both sides of it.
 */
export function inSource(problem: CodeProblem, source: string, js: string): CodeProblem {
  const [own = '', stripped = ''] = [source, js].map((text) => text.split('\n')[problem.line - 1]);
  return { ...problem, column: columnIn(own, stripped, problem.column) };
}

function columnIn(own: string, stripped: string, column: number): number {
  const same = (at: number) => own[at] === stripped[at];
  let start = 0;
  while (start < stripped.length && same(start)) start++;
  if (column === 0 || column <= start || own === stripped) return column;
  const added = own.length - stripped.length;
  let end = stripped.length;
  while (end > start && own[end - 1 + added] === stripped[end - 1]) end--;
  return column > end ? column + added : 0;
}
