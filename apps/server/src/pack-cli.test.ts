import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { testDir } from '../../../tests/support/temp-dir.ts';
import { createCliPackage } from './pack-cli.ts';

/** A package with these files. */
function packageOf(manifest: object, files: Readonly<Record<string, string>>): string {
  const dir = testDir();
  mkdirSync(join(dir, 'dist/inner'), { recursive: true });
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ name: 'croft', ...manifest }));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(dir, name), content);
  return dir;
}

/** The entries of an archive: name, mode and content, where their checksums are right. */
function entriesOf(packed: Buffer) {
  const tar = gunzipSync(packed);
  expect(tar.length % 512).toBe(0);
  const entries: [string, string, string][] = [];
  for (let at = 0; tar[at] !== 0; ) {
    const header = tar.subarray(at, at + 512);
    const field = (from: number, to: number) => header.subarray(from, to).toString().replace(/\0.*$/s, '');
    const sum = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0);
    expect(Number.parseInt(field(148, 156), 8)).toBe(sum);
    expect([field(257, 263), field(156, 157)]).toEqual(['ustar', '0']);
    const size = Number.parseInt(field(124, 136), 8);
    entries.push([field(0, 100), field(100, 107), tar.subarray(at + 512, at + 512 + size).toString()]);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return entries;
}

it('packs the files that the manifest lists, below package/', async () => {
  const dir = packageOf(
    {
      files: ['bin.cjs', 'dist', 'missing'],
      scripts: { test: 'x' },
      devDependencies: { a: '1' },
      dependencies: { b: '2' },
    },
    { 'bin.cjs': 'run', 'dist/a.js': 'x'.repeat(512), 'dist/inner/b.js': 'b', 'other.txt': 'not listed' },
  );
  const [manifest, ...rest] = entriesOf(await createCliPackage(dir)());
  expect([manifest?.[0], manifest?.[1]]).toEqual(['package/package.json', '0000644']);
  expect(JSON.parse(manifest?.[2] ?? '')).toEqual({
    name: 'croft',
    files: ['bin.cjs', 'dist', 'missing'],
    dependencies: { b: '2' },
  });
  expect(rest.sort()).toEqual([
    ['package/bin.cjs', '0000755', 'run'],
    ['package/dist/a.js', '0000644', 'x'.repeat(512)],
    ['package/dist/inner/b.js', '0000644', 'b'],
  ]);
});

it('packs once, and again after a failure', async () => {
  const dir = packageOf({}, {});
  const pack = createCliPackage(dir);
  const first = await pack();
  writeFileSync(join(dir, 'package.json'), '{}');
  expect(await pack()).toBe(first);
  const broken = createCliPackage(dir);
  writeFileSync(join(dir, 'package.json'), '{');
  await expect(broken()).rejects.toThrow();
  writeFileSync(join(dir, 'package.json'), '{}');
  expect(entriesOf(await broken())).toHaveLength(1);
});

it('refuses a name that the archive has no room for', async () => {
  const name = `${'n'.repeat(92)}`;
  await expect(createCliPackage(packageOf({ files: [name] }, { [name]: 'x' }))()).rejects.toThrow('too long a name');
});
