const PREFIX = 'croft_assistant_';
const BUCKETS = [0.01, 0.1, 0.5, 1, 5, 20, 60, 300];

type Labels = Readonly<Record<string, string>>;

interface Distribution {
  readonly buckets: number[];
  count: number;
  sum: number;
}

/** Named counters and distributions. Labels are names of this program, so their number is bounded. */
export function createCounters() {
  const counts = new Map<string, Map<string, number>>();
  const distributions = new Map<string, Map<string, Distribution>>();
  const seriesOf = <Value>(all: Map<string, Map<string, Value>>, name: string): Map<string, Value> => {
    const found = all.get(name) ?? new Map<string, Value>();
    all.set(name, found);
    return found;
  };
  return {
    count(name: string, labels: Labels, more = 1): void {
      const series = seriesOf(counts, name);
      const key = textOf(labels);
      series.set(key, (series.get(key) ?? 0) + more);
    },
    measure(name: string, labels: Labels, value: number): void {
      const series = seriesOf(distributions, name);
      const key = textOf(labels);
      const found = series.get(key) ?? { buckets: BUCKETS.map(() => 0), count: 0, sum: 0 };
      series.set(key, found);
      for (const [index, bound] of BUCKETS.entries())
        if (value <= bound) found.buckets[index] = (found.buckets[index] ?? 0) + 1;
      found.count++;
      found.sum += value;
    },
    /** The text format of Prometheus. */
    text(): string {
      const lines: string[] = [];
      for (const [name, series] of counts) {
        lines.push(`# TYPE ${PREFIX}${name} counter`);
        for (const [labels, value] of series) lines.push(`${PREFIX}${name}${braced(labels)} ${value}`);
      }
      for (const [name, series] of distributions) {
        lines.push(`# TYPE ${PREFIX}${name} histogram`);
        for (const [labels, { buckets, count, sum }] of series) {
          const all = [...BUCKETS.map(String), '+Inf'];
          for (const [index, bound] of all.entries())
            lines.push(`${PREFIX}${name}_bucket${braced(joined(labels, `le="${bound}"`))} ${buckets[index] ?? count}`);
          lines.push(
            `${PREFIX}${name}_sum${braced(labels)} ${sum}`,
            `${PREFIX}${name}_count${braced(labels)} ${count}`,
          );
        }
      }
      return `${lines.join('\n')}\n`;
    },
  };
}

const textOf = (labels: Labels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(',');
const joined = (...parts: readonly string[]): string => parts.filter((each) => each !== '').join(',');
const braced = (labels: string): string => (labels === '' ? '' : `{${labels}}`);
