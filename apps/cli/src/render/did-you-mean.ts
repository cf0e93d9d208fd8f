const MAX_LENGTH = 64;

/**
 * `; did you mean NAME?` for the nearest of the names, empty where none is near. Upper and lower case are the same.
 *
 * @param prefix is shown before the name and not compared
 */
export function didYouMean(word: string, names: readonly string[], prefix = ''): string {
  if (word.length > MAX_LENGTH) return '';
  const ranked = names.map((name) => ({ name, far: distance(word.toLowerCase(), name.toLowerCase()) }));
  const nearest = ranked.reduce((best, each) => (each.far < best.far ? each : best), { name: '', far: Infinity });
  return nearest.far <= Math.max(2, Math.ceil(word.length / 3)) ? `; did you mean ${prefix}${nearest.name}?` : '';
}

/** The Levenshtein distance of two words. A word that begins with the other one is one step away. */
function distance(from: string, to: string): number {
  if (from.length > 2 && to.startsWith(from)) return 1;
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...from].entries()) {
    const next = [at + 1];
    for (let column = 1; column <= to.length; column++) {
      const [left, above, corner] = [next[column - 1], row[column], row[column - 1]] as [number, number, number];
      next.push(Math.min(left + 1, above + 1, corner + (letter === to[column - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[to.length] as number;
}
