// The house check: which package may import which, how large files may grow, which names no folder may have.
// Fails when it reads nothing, because a check that sees no modules passes everything.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkContracts } from './contracts.mjs';
import { importProblems, readModules } from './imports.mjs';
import { checkEnvironment } from './environment.mjs';
import { checkWording, oddCommitTitles } from './language.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const FORBIDDEN_NAMES = new Set(['core', 'common', 'shared', 'types', 'utils', 'helpers']);
const MAX_LINES = 250;
/** Data, one entry after the other: a cut would not make it easier to read. */
const DATA_FILES = new Set([
  'tests/red/boundary-rules.mjs',
  'tests/red/gateway-rules.mjs',
  'tests/red/server-rules.mjs',
]);
/** Folders beside packages and apps whose files have the same limit. */
const FURTHER_CODE = ['scripts', 'bench', 'examples', 'tests'];
const MIN_MODULES = 60;
const MIN_COMPONENT_NAMES = 20;

const problems = [];
const packages = readdirSync(join(root, 'packages'));

async function checkImports() {
  const modules = await readModules(root);
  if (modules.length < MIN_MODULES)
    problems.push(`the import check read only ${modules.length} modules (at least ${MIN_MODULES} expected)`);
  problems.push(...importProblems(modules));
  checkOfflineModel(modules);
  return modules.length;
}

/** The offline model sees what a provider sees: it imports only itself and its SDK's types, and knows no component. */
function checkOfflineModel(modules) {
  const folder = 'packages/models/src/offline/';
  const own = modules.filter(({ source }) => source.startsWith(folder));
  if (own.length === 0) problems.push(`${folder} has no modules to check`);
  const names = componentNames();
  if (names.length < MIN_COMPONENT_NAMES) problems.push(`the offline check found only ${names.length} component names`);
  for (const { source, dependencies } of own) {
    for (const { resolved, module } of dependencies)
      if (!resolved.startsWith(folder) && module !== '@ai-sdk/provider')
        problems.push(
          `${source} imports ${module}: the offline model imports only its own folder and @ai-sdk/provider`,
        );
    const text = readFileSync(join(root, source), 'utf8');
    for (const name of names)
      if (new RegExp(`\\b${name}\\b`).test(text))
        problems.push(`${source} names the component ${name}: the offline model knows no component`);
  }
}

/** Types and aliases of the built-in components, as their descriptors have them. */
function componentNames() {
  const found = new Set();
  for (const path of sourceFiles(join(root, 'packages/components/src'))) {
    const text = readFileSync(path, 'utf8');
    for (const [, name] of text.matchAll(/^ {4}type: '([A-Z]\w*)',$/gm)) found.add(name);
    for (const [, list] of text.matchAll(/^ {4}aliases: \[([^\]]*)\]/gm))
      for (const [, name] of list.matchAll(/'([^']+)'/g)) found.add(name);
  }
  return [...found];
}

function* sourceFiles(dir) {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    if (entry.name === 'node_modules' || entry.name === 'dist' || entry.name.startsWith('.dist-')) continue;
    const path = join(dir, entry.name);
    if (entry.isDirectory()) {
      if (FORBIDDEN_NAMES.has(entry.name))
        problems.push(`${relative(root, path)}: no folder is called ${entry.name}; name it after what it holds`);
      yield* sourceFiles(path);
    } else if (/\.(ts|tsx)$/.test(entry.name)) yield path;
  }
}

/** Tests have no limit: their cases follow one another. */
function checkLength(name, text) {
  const lines = text.replace(/\n$/, '').split('\n').length;
  if (lines > MAX_LINES && !DATA_FILES.has(name))
    problems.push(`${name}: ${lines} lines; split it by concept (limit ${MAX_LINES})`);
}

function checkFurtherCode() {
  const listed = execFileSync('git', ['ls-files', '-z', '--', ...FURTHER_CODE], { cwd: root, encoding: 'utf8' });
  for (const name of listed.split('\0')) {
    if (!/\.(ts|tsx|mjs)$/.test(name) || /\.test\.tsx?$/.test(name)) continue;
    const path = join(root, name);
    if (existsSync(path)) checkLength(name, readFileSync(path, 'utf8'));
  }
}

function checkFiles() {
  let count = 0;
  for (const path of [...sourceFiles(join(root, 'packages')), ...sourceFiles(join(root, 'apps'))]) {
    count++;
    const name = relative(root, path);
    const base = name
      .split('/')
      .at(-1)
      .replace(/(\.(test|config))?\.tsx?$/, '');
    if (FORBIDDEN_NAMES.has(base)) problems.push(`${name}: no file is called ${base}`);
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(base)) problems.push(`${name}: file names are kebab-case`);
    if (/\.test\.tsx?$/.test(name)) continue;
    const text = readFileSync(path, 'utf8');
    checkLength(name, text);
    problems.push(...checkEnvironment(name, text));
    if (/^export \*/m.test(text)) problems.push(`${name}: export * hides what is public; name the exports`);
  }
  return count;
}

for (const name of packages) {
  const readme = join(root, 'packages', name, 'README.md');
  if (!statSync(readme, { throwIfNoEntry: false })) problems.push(`packages/${name} has no README.md`);
  else if (readFileSync(readme, 'utf8').split('\n').length > 81)
    problems.push(`packages/${name}/README.md is longer than 80 lines`);
}
problems.push(...checkWording(root), ...checkContracts(root));
const [oddTitle, ...moreTitles] = oddCommitTitles(root);
if (oddTitle !== undefined)
  console.log(`house: ${moreTitles.length + 1} commit titles are not "area: what changed", such as: ${oddTitle}`);
const files = checkFiles();
checkFurtherCode();
const modules = await checkImports();
if (problems.length > 0) {
  for (const problem of new Set(problems)) console.error(`house: ${problem}`);
  process.exit(1);
}
console.log(`house: ${files} files and ${modules} modules keep the rules`);
