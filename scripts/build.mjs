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
import { COMPILE } from './prepare.mjs';
import {
  englishOnly,
  LATE,
  LATE_IN_FLOW,
  lateInGuard,
  lateValidator,
  lateModules,
  guardElsewhere,
  flowsElsewhere,
  requiredLate,
  sharedHttp,
  sharedRe2,
  withoutGateway,
  withoutOtherLanguages,
} from './bundle-plugins.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const cli = join(root, 'apps/cli');

export async function buildAll({ types = true } = {}) {
  if (types) execFileSync(COMPILE[0], COMPILE.slice(1), { cwd: root, stdio: 'inherit' });
  const sources = brotliCompressSync(await componentSources(root));
  writeFileSync(join(root, 'packages/components/dist/editable/component-sources.json.br'), sources);
  await Promise.all([bundle(), buildStudio()]);
  writeFileSync(join(cli, 'dist/component-sources.json.br'), sources);
}

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
  const preamble = 'const croftFileUrl = require("node:url").pathToFileURL(__filename).href;';
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
      plugins: [englishOnly, lateValidator, lateModules(LATE_IN_FLOW), sharedHttp, withoutGateway],
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
