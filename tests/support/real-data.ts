import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/**
 * A directory of real documents that may not be copied into the repository: beside the checkout, or below
 * CROFT_TEST_DATA. Undefined where it is absent; tests that need it are skipped then.
 */
export function realData(name: string): string | undefined {
  const places = [process.env['CROFT_TEST_DATA'], join(root, '../shared/data'), join(root, '../../shared/data')];
  return places.flatMap((place) => (place ? [join(place, name)] : [])).find((path) => existsSync(path));
}
