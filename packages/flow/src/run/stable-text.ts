/** JSON with sorted keys: equal values give equal text. Functions are left out; a handle of a model counts by its data. */
export function stableText(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each;
    return Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
