// Copies the sources to a temporary directory, so that a suite can change them without touching the repository.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const REPO = join(dirname(fileURLToPath(import.meta.url)), '..');

const isSource = (path) => !['node_modules', 'dist'].includes(basename(path)) && !path.endsWith('.tsbuildinfo');

/**
 * Copies packages, apps, scripts and these folders of `tests`, with links to the installed packages. Returns the path of the
 * copy; the caller removes it.
 */
export function copyRepo(name, tests) {
  const copy = mkdtempSync(join(tmpdir(), `croft-${name}-`));
  for (const file of readdirSync(REPO)) {
    if (/^(package\.json|SECURITY\.md|tsconfig.*\.json|vitest\.config\..*)$/.test(file))
      cpSync(join(REPO, file), join(copy, file));
  }
  for (const dir of ['packages', 'apps', 'scripts', ...tests.map((folder) => `tests/${folder}`)])
    cpSync(join(REPO, dir), join(copy, dir), { recursive: true, filter: isSource });
  mkdirSync(join(copy, 'node_modules/@croft'), { recursive: true });
  for (const file of readdirSync(join(REPO, 'node_modules'))) {
    if (file !== '@croft' && !file.startsWith('.'))
      symlinkSync(join(REPO, 'node_modules', file), join(copy, 'node_modules', file));
  }
  for (const folder of readdirSync(join(copy, 'packages')))
    symlinkSync(join(copy, 'packages', folder), join(copy, 'node_modules/@croft', folder));
  // Links packages that npm did not install at the top.
  for (const folder of readdirSync(join(copy, 'apps'))) {
    const own = join(REPO, 'apps', folder, 'node_modules');
    if (existsSync(own)) symlinkSync(own, join(copy, 'apps', folder, 'node_modules'));
  }
  return copy;
}
