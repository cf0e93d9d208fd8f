// Checks that every text in docs/contracts/ is still in the source file that its row names.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'docs/contracts';

/**
 * Finds contract texts that their source no longer holds. A row of a table is a text in backticks, with `{name}` for values
 * that change, followed by the path of a source file in backticks.
 *
 * @param {string} root the repository
 * @returns {string[]} one sentence for each text that is missing
 */
export function checkContracts(root) {
  const problems = [];
  for (const page of readdirSync(join(root, FOLDER)).filter((name) => name.endsWith('.md'))) {
    for (const [, text, path] of readFileSync(join(root, FOLDER, page), 'utf8').matchAll(
      /`([^`]+)` \| `([^`]+)` \|$/gm,
    )) {
      if (!existsSync(join(root, path))) problems.push(`${FOLDER}/${page} names ${path}, which does not exist`);
      else if (!holds(readFileSync(join(root, path), 'utf8'), text.replaceAll('\\|', '|')))
        problems.push(`${path} does not hold the contract text "${text}" of ${FOLDER}/${page}`);
    }
  }
  return problems;
}

/** Whether a source holds the parts of a text between its values, each on its own. Joins string literals split by `+`. */
function holds(source, text) {
  const joined = source.replace(/' \+\n\s*'/g, '').replaceAll("\\'", "'");
  return text.split(/\{[a-z]+\}/).every((part) => joined.includes(part));
}
