/**
 * One line of the table. Compares `value` with `bar` by `op`; without a bar the value is only shown. `gate` decides
 * whether a quick run on a shared machine may fail: times and memory may not.
 *
 * @typedef {object} Result
 * @property {string} row
 * @property {string} measure
 * @property {number} value
 * @property {string} unit 'x' for a ratio
 * @property {'<=' | '>=' | '<' | '='} [op]
 * @property {number} [bar]
 * @property {'ratio' | 'count' | 'absolute'} [gate]
 * @property {string} [note] medians the value comes from, or what was compared
 * @property {Record<string, number[]>} [samples] every round's values
 */

/** Tolerance of a ratio in a quick run, which has few rounds and other work on the machine. */
const QUICK_SLACK = 1.25;

const COMPARE = {
  '<=': (value, bar) => value <= bar,
  '<': (value, bar) => value < bar,
  '>=': (value, bar) => value >= bar,
  '=': (value, bar) => value === bar,
};

/** 'pass', 'MISS', 'shown' (not judged in this run) or '' (no bar). */
export function verdict(result, quick) {
  if (result.bar === undefined) return '';
  if (!quick) return COMPARE[result.op](result.value, result.bar) ? 'pass' : 'MISS';
  if (result.gate === 'absolute') return 'shown';
  const slack = result.gate === 'ratio' ? (result.op === '>=' ? 1 / QUICK_SLACK : QUICK_SLACK) : 1;
  return COMPARE[result.op](result.value, result.bar * slack) ? 'pass' : 'MISS';
}

/** A number in a short form: no decimals from 100 on, one from 10 on, else two. */
export function short(value) {
  if (Number.isInteger(value)) return String(value);
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toFixed(digits);
}

/** Medians in one line: `croft 1.2, bare 1.1 ms`. */
export function tell(values, unit) {
  return `${Object.entries(values)
    .map(([name, value]) => `${name} ${short(value)}`)
    .join(', ')} ${unit}`;
}
