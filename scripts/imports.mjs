// The import rules of `npm run house`: which package and app may import which. Type imports count.
import { cruise } from 'dependency-cruiser';

/** For each package, the other packages that it may import. All other imports between packages are errors. */
export const MAY_IMPORT = {
  workspace: [],
  flow: [],
  'event-log': [],
  shell: [],
  jail: [],
  tools: ['workspace'],
  models: ['flow'],
  mcp: ['tools'],
  // The hub answers with the limits, globs and errors of a workspace; the daemon opens one.
  gateway: ['tools', 'event-log', 'workspace'],
  guard: ['workspace', 'shell'],
  components: ['workspace', 'flow', 'tools', 'models'],
  runs: ['flow', 'event-log'],
  assistant: ['workspace', 'flow', 'tools', 'models'],
};

/** Imports of which only the types are allowed: `import type`. */
const TYPES_ONLY = new Set(['packages/assistant > packages/workspace', 'apps/studio > apps/server']);

/** Packages that run in a browser: they import nothing of Node, in any form. */
const WITHOUT_NODE = new Set(['packages/flow']);

/** Apps put packages together. The studio's bundle takes what runs in a browser. */
const APPS = {
  cli: { apps: ['server'], packages: Object.keys(MAY_IMPORT) },
  server: { apps: [], packages: Object.keys(MAY_IMPORT) },
  studio: { apps: ['server'], packages: ['flow', 'assistant'] },
};

/** @param own `packages/NAME` or `apps/NAME`; undefined where no rule names it */
function allowedFor(own) {
  const [kind, name] = own.split('/');
  if (kind === 'packages') return MAY_IMPORT[name]?.map((each) => `packages/${each}`);
  const app = APPS[name];
  return app && [...app.packages.map((each) => `packages/${each}`), ...app.apps.map((each) => `apps/${each}`)];
}

const ownerOf = (path) => /^(packages|apps)\/[^/]+/.exec(path)?.[0];

/** The modules of packages and apps below a repository, without tests, with what each imports. */
export async function readModules(root) {
  const { output } = await cruise(['packages', 'apps'], {
    baseDir: root,
    exclude: { path: '(node_modules|/dist/|/\\.dist-|\\.test\\.ts$)' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { conditionNames: ['source', 'import', 'types', 'default'], extensions: ['.ts', '.js'] },
  });
  return output.modules.filter(({ source }) => ownerOf(source) !== undefined && !source.includes('/dist/'));
}

/**
 * Checks modules as dependency-cruiser reads them.
 * @param modules `{source, dependencies: [{resolved, module, dependencyTypes, circular}]}`, paths below the repository
 * @returns one sentence for each import that breaks a rule
 */
export function importProblems(modules) {
  const problems = [];
  for (const { source, dependencies } of modules) {
    const own = ownerOf(source);
    const allowed = allowedFor(own);
    if (allowed === undefined) {
      problems.push(`${own} has no entry in scripts/imports.mjs`);
      continue;
    }
    for (const { resolved, module, dependencyTypes, circular } of dependencies) {
      const to = resolved.replace(/\\/g, '/');
      const target = ownerOf(to);
      if (circular) problems.push(`${source} is in an import circle with ${to}`);
      if (WITHOUT_NODE.has(own) && dependencyTypes.includes('core'))
        problems.push(`${source} imports ${module}: ${own} runs in a browser and imports nothing of Node`);
      if (target === undefined || target === own) continue;
      if (!allowed.includes(target)) problems.push(`${source} imports ${to}: ${own} may not import ${target}`);
      else if (TYPES_ONLY.has(`${own} > ${target}`) && !dependencyTypes.includes('type-only'))
        problems.push(`${source} imports code of ${target}: use \`import type\``);
    }
  }
  return problems;
}
