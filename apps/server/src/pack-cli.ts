import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const BLOCK = 512;
/** The format has no room for longer ones; ours are short. */
const MAX_NAME = 99;

/**
 * Packs the `croft` package as `npm pack` does: the files that its package.json lists, below `package/`. Leaves out the
 * fields of package.json that only a checkout needs. Packs on the first call and keeps the result.
 *
 * @param packageDir the directory of its package.json
 */
export function createCliPackage(packageDir: string): () => Promise<Buffer> {
  let packed: Promise<Buffer> | undefined;
  return () => {
    packed ??= pack(packageDir).catch((error: unknown) => {
      packed = undefined;
      throw error;
    });
    return packed;
  };
}

async function pack(packageDir: string): Promise<Buffer> {
  const {
    devDependencies: _,
    scripts: __,
    ...manifest
  } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as Record<string, unknown> & {
    files?: string[];
  };
  const names = (manifest.files ?? []).flatMap((name) => filesAt(packageDir, name));
  const entries: readonly (readonly [string, Buffer])[] = [
    ['package.json', Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)],
    ...names.map((name) => [name, readFileSync(join(packageDir, name))] as const),
  ];
  const tar = Buffer.concat([...entries.flatMap(([name, content]) => toEntry(name, content)), Buffer.alloc(2 * BLOCK)]);
  return promisify(gzip)(tar);
}

/** A listed name that is not built is left out, as npm does. */
function filesAt(dir: string, name: string): string[] {
  const stat = lstatSync(join(dir, name), { throwIfNoEntry: false });
  if (stat?.isFile()) return [name];
  return stat?.isDirectory() ? readdirSync(join(dir, name)).flatMap((child) => filesAt(dir, `${name}/${child}`)) : [];
}

/** One file in the ustar format: a header with its checksum, the content, filled up to whole blocks. */
function toEntry(name: string, content: Buffer): Buffer[] {
  const path = `package/${name}`;
  if (Buffer.byteLength(path) > MAX_NAME) throw new Error(`${path} is too long a name for the package`);
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, length: number) =>
    header.write(value.toString(8).padStart(length - 1, '0'), at, 'latin1');
  header.write(path, 0, 'utf8');
  octal(name.endsWith('.cjs') ? 0o755 : 0o644, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(content.length, 124, 12);
  // The day npm gives every file of a package.
  octal(499_162_500, 136, 12);
  header.write('        0', 148, 'latin1');
  header.write('ustar\x0000', 257, 'latin1');
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  header.write('\0 ', 154, 'latin1');
  return [header, content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)];
}
