import { buildSync } from 'esbuild';
import { root } from '../../scripts/prepare.mjs';

/**
 * Bundles a program that imports sources by their paths from the root of the repository. Run the result as the standard input of
 * `node --input-type=module - ARGUMENTS`, in the root. A loader that compiles each file costs ten times as much in each process.
 */
export function bundleProgram(source: string): string {
  const { outputFiles } = buildSync({
    stdin: { contents: source, resolveDir: root, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['source'],
    // DBOS requires the others only where they are installed.
    external: ['koffi', 'winston', 'winston-transport', '@opentelemetry/*'],
    // Packages in CommonJS require Node's modules.
    banner: {
      js: "import { createRequire as requireIn } from 'node:module'; const require = requireIn(import.meta.url);",
    },
    write: false,
  });
  return outputFiles.map(({ text }) => text).join('');
}
