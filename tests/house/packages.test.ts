import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { publishedManifest } from '../../scripts/pack.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PLACES = [...readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}`), 'apps/server', 'apps/cli'];
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

interface Manifest {
  readonly name: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly files: readonly string[];
  readonly exports?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}
const manifestOf = (place: string) => JSON.parse(read(`${place}/package.json`)) as Manifest;

it.each(PLACES)('%s says what it is, and is published with its licence', (place) => {
  const { description, keywords, files } = manifestOf(place);
  expect(description).toMatch(/^[A-Z].{20,120}\.$/);
  expect(keywords.length).toBeGreaterThan(3);
  expect(files).toContain('LICENSE');
});

it.each(PLACES)('%s exports only files that are published and built', (place) => {
  const { exports = {}, files } = publishedManifest(manifestOf(place), place) as Manifest;
  for (const [entry, conditions] of Object.entries(exports)) {
    expect([entry, Object.keys(conditions)]).toEqual([entry, ['types', 'default']]);
    for (const file of Object.values(conditions)) {
      expect(files.some((listed) => file.startsWith(`./${listed}/`))).toBe(true);
      expect([file, existsSync(join(ROOT, place, file))]).toEqual([file, true]);
    }
  }
});

it('libraries take zod from the program that uses them, so that there is one', () => {
  for (const place of PLACES.filter((each) => each.startsWith('packages/'))) {
    const { dependencies = {}, peerDependencies = {} } = manifestOf(place);
    expect([place, dependencies.zod]).toEqual([place, undefined]);
    if (/from 'zod'/.test(sourcesOf(place))) expect([place, peerDependencies.zod]).toEqual([place, '^4.6.7']);
  }
});

function sourcesOf(place: string): string {
  const names = readdirSync(join(ROOT, place, 'src'), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => read(`${place}/src/${name}`))
    .join('\n');
}

it('the licence of every library in the bundles is published with them, and a bill of materials', () => {
  const notices = read('apps/cli/dist/THIRD-PARTY-NOTICES.txt');
  const sbom = JSON.parse(read('apps/cli/dist/sbom.cdx.json')) as {
    components: { name: string; licenses?: unknown }[];
  };
  const names = sbom.components.map(({ name }) => name);
  for (const name of [
    'zod',
    'commander',
    'undici',
    'yaml',
    'ai',
    '@modelcontextprotocol/server',
    'eventsource-parser',
  ]) {
    expect(names).toContain(name);
    expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'));
  }
  expect(sbom.components.filter(({ licenses }) => licenses === undefined)).toEqual([]);
  expect(notices.match(/Permission is hereby granted/g)?.length).toBeGreaterThan(5);
  const studio = read('apps/studio/dist/THIRD-PARTY-NOTICES.txt');
  // The last two are in workers.
  for (const name of ['react', 'react-dom', '@xyflow/react', 'zustand', '@dagrejs/dagre', 'typescript'])
    expect(studio).toMatch(new RegExp(`^${name} \\d`, 'm'));
});
