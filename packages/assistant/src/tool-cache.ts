/** Results of pure reads during one turn. */
export interface ToolCache {
  /** The kept result, or what `produce` gives. A result with `error` and a failure are not kept. */
  get<Value extends object>(tool: string, args: unknown, produce: () => Promise<Value>): Promise<Value>;
  /** Forgets all results. */
  clear(): void;
}

const MAX_ENTRIES = 100;

/** A cache for one turn; the results that were used longest ago make room. */
export function createToolCache(maxEntries: number = MAX_ENTRIES): ToolCache {
  const kept = new Map<string, object>();
  return {
    async get<Value extends object>(tool: string, args: unknown, produce: () => Promise<Value>) {
      const key = `${tool} ${stableText(args)}`;
      const known = kept.get(key) as Value | undefined;
      const value = known ?? (await produce());
      kept.delete(key);
      if ('error' in value) return value;
      kept.set(key, value);
      const [oldest] = kept.keys();
      if (kept.size > maxEntries && oldest !== undefined) kept.delete(oldest);
      return value;
    },
    clear: () => kept.clear(),
  };
}

/** Arguments with their keys in order. */
function stableText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  if (Array.isArray(value)) return `[${value.map(stableText).join(',')}]`;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${stableText(each)}`).join(',')}}`;
}
