/** Whether JSON keeps the value. Iterative: depth does not matter. */
export function isPlain(value: unknown): boolean {
  const open: unknown[] = [value];
  const seen = new Set<unknown>();
  while (open.length > 0) {
    const each = open.pop();
    if (typeof each === 'function' || typeof each === 'symbol' || typeof each === 'bigint') return false;
    if (typeof each !== 'object' || each === null) continue;
    if (seen.has(each)) continue;
    seen.add(each);
    const prototype: unknown = Object.getPrototypeOf(each);
    if (prototype !== Object.prototype && prototype !== null && !Array.isArray(each)) return false;
    for (const inner of Object.values(each)) open.push(inner);
  }
  return true;
}
