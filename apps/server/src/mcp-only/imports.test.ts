import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

it('loads no database, no accounts and no log library', async () => {
  const { metafile } = await build({
    entryPoints: [join(import.meta.dirname, 'index.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['source'],
    external: ['koffi'],
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  const loaded = new Set(
    Object.keys(metafile.inputs).map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]),
  );
  expect(loaded).toContain('hono');
  for (const name of ['pg', 'drizzle-orm', 'better-auth', 'pino']) expect(loaded, name).not.toContain(name);
});
