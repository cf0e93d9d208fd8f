// Builds what is older than its sources: the TypeScript projects, then the one-file program of the `croft` package and the studio.
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { componentSources } from './build-components.mjs';
import { buildStudio } from './build-studio.mjs';
import { billOfMaterials, librariesIn, noticesText } from './notices.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const cli = join(root, 'apps/cli');

export async function buildAll({ types = true } = {}) {
  if (types)
    execFileSync(process.execPath, [join(root, 'node_modules/@typescript/native/bin/tsc'), '-b'], {
      cwd: root,
      stdio: 'inherit',
    });
  const sources = brotliCompressSync(await componentSources(root));
  writeFileSync(join(root, 'packages/components/dist/editable/component-sources.json.br'), sources);
  await Promise.all([bundle(), buildStudio()]);
  writeFileSync(join(cli, 'dist/component-sources.json.br'), sources);
}

/** zod brings its messages in fifty languages, a sixth of the program; Croft speaks one. */
const englishOnly = {
  name: 'english-only',
  setup(build) {
    build.onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, ({ path }) => ({
      contents: "export { default as en } from './en.js';",
      resolveDir: dirname(path),
    }));
  },
};

/** Parts of Node that most starts never use, and what is used of them: each costs milliseconds to load. */
const LATE = {
  'node:child_process': ['spawn', 'execFile'],
  'node:readline/promises': ['createInterface'],
  'node:worker_threads': ['Worker', 'parentPort', 'workerData'],
};

/**
 * Modules that only writing needs, because the guard reads files and never changes them; and modules that few calls
 * need.
 */
const lateInGuard = async () => ({
  ...LATE,
  'node:crypto': ['createHash', 'createHmac', 'randomBytes', 'timingSafeEqual'],
  yaml: Object.keys(await import('yaml')),
  unbash: Object.keys(await import('unbash')),
});

/** The protocol library validates JSON schemas only of answers to questions: loads its validator with the first one. */
const lateValidator = {
  name: 'late-validator',
  setup(build) {
    build.onLoad({ filter: /@modelcontextprotocol[\\/]server[\\/]dist[\\/]shimsNode\.mjs$/ }, ({ path }) => {
      const imported = /import \{ (\w+) as AjvJsonSchemaValidator \} from ("[^"]+");/.exec(readFileSync(path, 'utf8'));
      if (!imported) throw new Error(`${path} has another form: see lateValidator`);
      const [, name, file] = imported;
      return {
        resolveDir: dirname(path),
        contents: `import process from 'node:process';
          export { process };
          export class DefaultJsonSchemaValidator {
            getValidator(schema) {
              this.validator ??= new (require(${file}).${name})();
              return this.validator.getValidator(schema);
            }
          }`,
      };
    });
  },
};

/** Loads those parts when something of them is first used. */
function lateModules(late) {
  return {
    name: 'late-modules',
    setup(build) {
      const names = Object.keys(late).join('|');
      build.onResolve({ filter: new RegExp(`^(${names})$`) }, ({ path, namespace }) => {
        if (namespace !== 'late') return { path, namespace: 'late' };
        return path.startsWith('node:') ? { path, external: true } : undefined;
      });
      build.onLoad({ filter: /.*/, namespace: 'late' }, ({ path }) => ({
        resolveDir: root,
        contents: `module.exports = {${late[path].map((name) => `get ${name}() { return require('${path}').${name}; }`).join(', ')}};`,
      }));
    },
  };
}

/**
 * Leaves the guard out of the main bundle: it has a bundle of its own, and the main one only needs its flags, for help.
 */
const guardElsewhere = {
  name: 'guard-elsewhere',
  setup(build) {
    build.onLoad({ filter: /apps[\\/]cli[\\/]src[\\/]commands[\\/]guard-[^\\/]+\.ts$/ }, () => ({
      contents: "throw new Error('croft guard runs from croft-guard.cjs');",
    }));
  },
};

/** Likewise for flows: the main bundle knows the flags of `run`, `chat`, `flow` and `components`, for help. */
const flowsElsewhere = {
  name: 'flows-elsewhere',
  setup(build) {
    build.onLoad(
      {
        filter:
          /apps[\\/]cli[\\/]src[\\/]commands[\\/](run-flow-file|chat-session|flow-file|flow-templates|list-components)\.ts$/,
      },
      () => ({
        contents: "throw new Error('flows run from croft-flow.cjs');",
      }),
    );
  },
};

/**
 * What `import()` loads from outside the bundle becomes a `require`: a script from V8's cache has no `import()`. The HTTP
 * library that goes through proxies is a file of its own, read only where a proxy is set.
 */
const requiredLate = {
  name: 'required-late',
  setup(build) {
    build.onResolve({ filter: /[\\/]proxied-fetch\.ts$|^node:https$/ }, ({ path, kind }) =>
      kind === 'dynamic-import'
        ? { path: path.startsWith('node:') ? path : './croft-proxy.cjs', namespace: 'required' }
        : undefined,
    );
    build.onResolve({ filter: /.*/, namespace: 'required' }, ({ path }) => ({ path, external: true }));
    build.onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
    }));
  },
};

/** Flows take the HTTP library from the file that has it already. A second copy would add 0.7 MB to the package. */
const sharedHttp = {
  name: 'shared-http',
  setup(build) {
    // `require`, because a script from V8's cache has no `import()`.
    build.onResolve({ filter: /^undici$/ }, () => ({ path: 'undici', namespace: 'shared-http' }));
    build.onLoad({ filter: /.*/, namespace: 'shared-http' }, () => ({
      contents: "module.exports = require('./croft-proxy.cjs');",
    }));
    build.onResolve({ filter: /.*/, namespace: 'shared-http' }, ({ path }) => ({ path, external: true }));
  },
};

/** The threads of searches and of users' components take RE2 from one file. */
const sharedRe2 = {
  name: 'shared-re2',
  setup(build) {
    build.onResolve({ filter: /^re2js$/ }, () => ({ path: './croft-re2.cjs', external: true }));
  },
};

/**
 * The AI SDK brings a client of the Vercel gateway for models that are named by a text alone. `@croft/models` never names one
 * so: without the client the package is 0.15 MB smaller.
 */
const withoutGateway = {
  name: 'without-gateway',
  setup(build) {
    build.onLoad({ filter: /@ai-sdk[\\/]gateway[\\/]dist[\\/]index\.m?js$/ }, () => ({
      contents: `export const gateway = undefined;
        export const createGateway = () => { throw new Error('Croft has no client of the Vercel gateway.'); };
        export class GatewayError { static isInstance() { return false; } }
        export class GatewayAuthenticationError extends GatewayError {}`,
    }));
  },
};

/** Users' components are TypeScript: the parts of sucrase for other languages and bundlers stay out. */
const withoutOtherLanguages = {
  name: 'without-other-languages',
  setup(build) {
    const unused = 'CJSImport|JSX|Flow|ReactDisplayName|ReactHotLoader|JestHoist';
    build.onLoad({ filter: new RegExp(`sucrase/dist/esm/transformers/(${unused})Transformer\\.js$`) }, () => ({
      contents: 'export default class {}; export const startsWithLowerCase = () => false;',
    }));
  },
};

/** One CommonJS file, because that is what V8's code cache and an early second wall need. koffi stays outside. */
async function bundle() {
  const esbuild = await import('esbuild');
  const { version } = JSON.parse(readFileSync(join(cli, 'package.json'), 'utf8'));
  const shared = {
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    charset: 'ascii',
    conditions: ['source'],
    external: ['koffi'],
    // Its main entry loads its parts through a `require` no bundler can see.
    // The entry of turndown for Node brings a parser for texts; flows give it nodes.
    alias: {
      'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
      turndown: join(root, 'node_modules/turndown/lib/turndown.browser.es.js'),
    },
    // Names stay as written: for stack traces, and because keeping them beside shortened ones costs a call per closure.
    minifyWhitespace: true,
    minifySyntax: true,
    // THIRD-PARTY-NOTICES has the licences in full.
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    absWorkingDir: root,
    define: { 'import.meta.url': 'croftFileUrl', CROFT_VERSION: JSON.stringify(version) },
    plugins: [englishOnly, lateValidator, lateModules(LATE)],
  };
  const preamble = 'const croftFileUrl=require("node:url").pathToFileURL(__filename).href;';
  // The launcher compiles the main file as exactly this function: wrapping it there would cost a copy.
  const wrapped = {
    banner: { js: `(function(exports,require,module,__filename,__dirname){${preamble}` },
    footer: { js: '})' },
  };
  mkdirSync(join(cli, 'dist'), { recursive: true });
  const built = await Promise.all([
    esbuild.build({
      ...shared,
      ...wrapped,
      plugins: [englishOnly, lateValidator, lateModules(LATE), guardElsewhere, flowsElsewhere, requiredLate],
      entryPoints: [join(cli, 'src/main.ts')],
      outfile: join(cli, 'dist/croft-main.cjs'),
    }),
    esbuild.build({
      ...shared,
      ...wrapped,
      plugins: [englishOnly, lateModules(await lateInGuard())],
      entryPoints: [join(cli, 'src/guard-main.ts')],
      outfile: join(cli, 'dist/croft-guard.cjs'),
    }),
    // Short names save a third: the package has a limit of 12 MB.
    esbuild.build({
      ...shared,
      ...wrapped,
      minify: true,
      plugins: [...shared.plugins, sharedHttp, withoutGateway],
      entryPoints: [join(cli, 'src/flow-main.ts')],
      outfile: join(cli, 'dist/croft-flow.cjs'),
    }),
    esbuild.build({
      ...shared,
      banner: { js: preamble },
      plugins: [...shared.plugins, sharedRe2],
      entryPoints: [join(root, 'packages/workspace/src/search/worker.ts')],
      outfile: join(cli, 'dist/search-worker.cjs'),
    }),
    // Short names save a third of the HTTP library.
    esbuild.build({
      ...shared,
      minify: true,
      banner: { js: preamble },
      stdin: {
        contents: "export * from './proxied-fetch.ts'; export { Agent, buildConnector, fetch } from 'undici';",
        resolveDir: join(root, 'packages/gateway/src/daemon'),
      },
      outfile: join(cli, 'dist/croft-proxy.cjs'),
    }),
    esbuild.build({
      ...shared,
      minify: true,
      entryPoints: [join(root, 'node_modules/re2js/build/index.js')],
      outfile: join(cli, 'dist/croft-re2.cjs'),
    }),
    // Its names are shortened: the messages of its errors come from the code that it runs, not from its own functions.
    esbuild.build({
      ...shared,
      minify: true,
      banner: { js: preamble },
      alias: { sucrase: 'sucrase/dist/esm/index.js' },
      plugins: [...shared.plugins, withoutOtherLanguages, sharedRe2],
      entryPoints: [join(root, 'packages/components/src/user/sandbox/worker.ts')],
      outfile: join(cli, 'dist/sandbox-worker.cjs'),
    }),
  ]);
  const quickJs = join(root, 'node_modules/@jitl/quickjs-wasmfile-release-sync/dist/emscripten-module.wasm');
  writeNotices(version, [...built.flatMap(({ metafile }) => modulesOf(metafile)), quickJs]);
  writeFileSync(join(cli, 'dist/quickjs.wasm.br'), brotliCompressSync(readFileSync(quickJs)));
  const hashOf = (name) =>
    createHash('sha256')
      .update(readFileSync(join(cli, 'dist', name)))
      .digest('hex')
      .slice(0, 16);
  const launcher = readFileSync(join(cli, 'launcher.cjs'), 'utf8')
    .replace('__BUNDLE_HASH__', hashOf('croft-main.cjs'))
    .replace('__GUARD_HASH__', hashOf('croft-guard.cjs'))
    .replace('__FLOW_HASH__', hashOf('croft-flow.cjs'));
  writeFileSync(join(cli, 'dist/croft.cjs'), launcher);
  chmodSync(join(cli, 'dist/croft.cjs'), 0o755);
}

/** The modules of which something is in a bundle. */
function modulesOf({ outputs }) {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
}

function writeNotices(version, modules) {
  const libraries = librariesIn(root, modules);
  writeFileSync(join(cli, 'dist/THIRD-PARTY-NOTICES.txt'), noticesText(libraries));
  writeFileSync(join(cli, 'dist/sbom.cdx.json'), billOfMaterials('croft', version, libraries));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!existsSync(join(root, 'node_modules'))) throw new Error('run npm install first');
  await buildAll();
}
