import type { Edit, FlowNode, Json, RunOptions } from '@croft/flow';

/** The edit that changes options of a node's run. Undefined values are removed; without any option, all are. */
export function runEdit({ id, run: before = {} }: FlowNode, change: RunOptions): Edit | undefined {
  const next = { ...before, ...change };
  const retry = next.retry && { ...next.retry, attempts: Math.round(next.retry.attempts) };
  const run = { ...next, retry, onError: next.onError === 'stop' ? undefined : next.onError };
  const kept = Object.fromEntries(Object.entries(run).filter(([, value]) => value !== undefined)) as RunOptions;
  if (JSON.stringify(sorted(kept)) === JSON.stringify(sorted(before))) return undefined;
  return { kind: 'set_run_options', id, run: Object.keys(kept).length === 0 ? null : kept };
}

const sorted = (run: RunOptions) => Object.entries(run).toSorted(([a], [b]) => (a < b ? -1 : 1));

/**
 * Whether a value of a run's events is the whole value. Events shorten texts, lists, objects and nested values, and hide
 * secrets; each leaves a mark.
 */
export function isWhole(value: Json): boolean {
  if (typeof value === 'string')
    return !/… \(\d+ characters\)$|^\(\d+ (more )?(items|fields|bytes)\)$|^\(object\)$|\*\*\*/.test(value);
  if (value === null || typeof value !== 'object') return true;
  if (Array.isArray(value)) return value.every(isWhole);
  return Object.entries(value).every(([key, each]) => key !== '…' && isWhole(each));
}
