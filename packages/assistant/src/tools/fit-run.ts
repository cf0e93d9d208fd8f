/** Characters of JSON that a model gets of the entries of a run. */
const MAX_ENTRIES = 50_000;
/** Characters of JSON that a model gets of the outputs of a run, which its entries repeat. */
const MAX_OUTPUTS = 20_000;

type Entry = Readonly<Record<string, unknown>>;

/**
 * A run of `FlowRuns.read` as it fits into a request to a model. Of a longer timeline or list of events, the entries of
 * failures stay before all others.
 */
export function fitRun(run: unknown): unknown {
  if (Array.isArray(run)) return fitEntries(run);
  if (!isEntry(run)) return run;
  const { timeline, outputs } = run;
  const chars = charsOf(outputs);
  return {
    ...run,
    ...(chars > MAX_OUTPUTS && { outputs: `(${chars} characters)` }),
    ...(isEntry(timeline) &&
      Array.isArray(timeline['entries']) && { timeline: { ...timeline, entries: fitEntries(timeline['entries']) } }),
  };
}

function fitEntries(entries: readonly unknown[]): readonly unknown[] {
  let room = MAX_ENTRIES;
  const kept = new Map<number, unknown>();
  const keep = (isWanted: (entry: unknown) => boolean) => {
    for (const [at, entry] of entries.entries()) {
      if (!isWanted(entry)) continue;
      const fitting = [entry, withoutValues(entry)].find((each) => charsOf(each) <= room);
      if (fitting === undefined) continue;
      room -= charsOf(fitting);
      kept.set(at, fitting);
    }
  };
  keep(isFailure);
  keep((entry) => !isFailure(entry));
  const shown = entries.flatMap((_, at) => (kept.has(at) ? [kept.get(at)] : []));
  const more = entries.length - shown.length;
  return more === 0 ? shown : [...shown, more === 1 ? '1 more entry' : `${more} more entries`];
}

function withoutValues(entry: unknown): unknown {
  if (!isEntry(entry)) return entry;
  const { inputs: _, outputs: __, log: ___, ...rest } = entry;
  return { ...rest, left_out: 'inputs, outputs and log' };
}

const isEntry = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isFailure = (entry: unknown): boolean => isEntry(entry) && entry['failure'] !== undefined;

const charsOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;
