import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * The options of a bench: `--rows`, `--quick`, `--json`, and `--bundle` where it `takesBundle`. Prints what is wrong with
 * them, or with this machine, and then returns undefined.
 *
 * @param all the names of its rows
 */
export function readOptions(all, { takesBundle = false } = {}) {
  try {
    const { values } = parseArgs({
      options: {
        rows: { type: 'string' },
        quick: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        ...(takesBundle && { bundle: { type: 'string' } }),
      },
    });
    const rows = values.rows === undefined ? all : values.rows.split(',');
    const unknown = rows.filter((row) => !all.includes(row));
    if (unknown.length > 0) throw new Error(`unknown rows: ${unknown.join(', ')}; there are ${all.join(', ')}`);
    if (process.platform !== 'linux')
      throw new Error('The bench reads CPU time and memory from /proc and runs on Linux only.');
    return { ...values, rows, bundle: values.bundle && resolve(values.bundle) };
  } catch (error) {
    console.error(error.message);
    return undefined;
  }
}
