import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { listCells } from './cells.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));

const CAP_MS = 280_000;

interface CellResult {
  readonly name: string;
  readonly problems: readonly string[];
}

/** Runs the quick attack in a separate process, because it must not share its event loop with a test runner. */
function runQuickAttack(): Promise<readonly CellResult[]> {
  const dir = mkdtempSync(join(tmpdir(), 'croft-attack-results-'));
  const file = join(dir, 'results.json');
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [join(HERE, 'run.mjs'), '--quick', '--json', file],
      { maxBuffer: 1 << 24, timeout: CAP_MS },
      (error, stdout, stderr) => {
        // Exit code 1 means that a cell failed; the cells have the details. Without results the run itself failed.
        try {
          resolve((JSON.parse(readFileSync(file, 'utf8')) as { cells: CellResult[] }).cells);
        } catch {
          reject(
            new Error(`the attack did not finish: ${error?.message}\n${stdout.slice(-2_000)}\n${stderr.slice(-2_000)}`),
          );
        } finally {
          rmSync(dir, { recursive: true, force: true });
        }
      },
    );
  });
}

// openat2, renameat2 and /proc are Linux; SECURITY.md says what holds elsewhere.
describe.skipIf(process.platform !== 'linux')('under attack, while the tree is swapped with the outside', () => {
  const results = new Map<string, CellResult>();

  beforeAll(async () => {
    for (const result of await runQuickAttack()) results.set(result.name, result);
  }, CAP_MS + 10_000);

  it.each(listCells().map((cell) => cell.name))('%s', (name) => {
    expect(results.get(name)?.problems).toEqual([]);
  });
});
