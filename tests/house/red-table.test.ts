import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

interface RedRule {
  readonly rule: string;
  readonly edits: readonly { readonly file: string; readonly find: string }[];
}

const ROOT = join(fileURLToPath(import.meta.url), '../../..');
const TABLES = ['boundary', 'gateway', 'server', 'flow', 'assistant'];
const source = (file: string) => readFileSync(join(ROOT, file), 'utf8');

// `npm run red` takes half an hour; a change that moves a rule is noticed here.
it.each(TABLES)('each %s rule of `npm run red` is at one place of the file that the table names', async (table) => {
  const rules = Object.values(await import(join(ROOT, `tests/red/${table}-rules.mjs`))).flat() as RedRule[];
  expect(rules.length).toBeGreaterThan(5);
  const misplaced = rules.flatMap(({ rule, edits }) =>
    edits
      .filter(({ file, find }) => source(file).split(find).length !== 2)
      .map(({ file, find }) => `${rule}: ${file}: ${find}`),
  );
  expect(misplaced).toEqual([]);
});
