// The esbuild plugins of the `croft` package: parts that its bundles leave out, load late, or take from another file.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** zod brings its messages in fifty languages, a sixth of the program; Croft speaks one. */
export const englishOnly = {
  name: 'english-only',
  setup(build) {
    build.onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, ({ path }) => ({
      contents: "export { default as en } from './en.js';",
      resolveDir: dirname(path),
    }));
  },
};

/** Parts of Node that most starts never use, and what is used of them: each costs milliseconds to load. */
export const LATE = {
  'node:child_process': ['spawn', 'execFile'],
  'node:readline/promises': ['createInterface'],
  'node:worker_threads': ['Worker', 'parentPort', 'workerData'],
};

/**
 * Modules that only writing needs, because the guard reads files and never changes them; and modules that few calls
 * need.
 */
export const lateInGuard = async () => ({
  ...LATE,
  'node:crypto': ['createHash', 'createHmac', 'randomBytes', 'timingSafeEqual'],
  yaml: Object.keys(await import('yaml')),
  unbash: Object.keys(await import('unbash')),
  acorn: Object.keys(await import('acorn')),
});

/** Most flows send no requests and start no thread. Node's modules for both take as long to load as a small flow runs. */
export const LATE_IN_FLOW = {
  ...LATE,
  'node:dns': ['lookup'],
  'node:http': ['request'],
  'node:https': ['request'],
  'node:zlib': ['brotliDecompressSync'],
};

/** The protocol library validates JSON schemas only of answers to questions: loads its validator with the first one. */
export const lateValidator = {
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
export function lateModules(late) {
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
export const guardElsewhere = {
  name: 'guard-elsewhere',
  setup(build) {
    build.onLoad({ filter: /apps[\\/]cli[\\/]src[\\/]commands[\\/]guard-[^\\/]+\.ts$/ }, () => ({
      contents: "throw new Error('croft guard runs from croft-guard.cjs');",
    }));
  },
};

/** Likewise for flows: the main bundle knows the flags of `run`, `chat`, `flow` and `components`, for help. */
export const flowsElsewhere = {
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
export const requiredLate = {
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
export const sharedHttp = {
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
export const sharedRe2 = {
  name: 'shared-re2',
  setup(build) {
    build.onResolve({ filter: /^re2js$/ }, () => ({ path: './croft-re2.cjs', external: true }));
  },
};

/**
 * The AI SDK brings a client of the Vercel gateway for models that are named by a text alone. `@croft/models` never names one
 * so: without the client the package is 0.15 MB smaller.
 */
export const withoutGateway = {
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
export const withoutOtherLanguages = {
  name: 'without-other-languages',
  setup(build) {
    const unused = 'CJSImport|JSX|Flow|ReactDisplayName|ReactHotLoader|JestHoist';
    build.onLoad({ filter: new RegExp(`sucrase/dist/esm/transformers/(${unused})Transformer\\.js$`) }, () => ({
      contents: 'export default class {}; export const startsWithLowerCase = () => false;',
    }));
  },
};
