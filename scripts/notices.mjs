// Licences and bills of materials of what is published: which libraries a bundle contains, and what npm installs beside it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * The libraries whose modules are in a bundle.
 *
 * @param {string} root base of relative paths
 * @param {Iterable<string>} modules paths, as a bundler lists them; modules of this repository are skipped
 * @returns {{name: string, version: string, license: string, text: string}[]} sorted by name
 */
export function librariesIn(root, modules) {
  const dirs = new Set();
  for (const module of modules) {
    const path = resolve(root, module.replace(/^\0/, '').split('?', 1)[0]).replaceAll('\\', '/');
    const dir = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0];
    if (dir !== undefined) dirs.add(dir);
  }
  return sorted([...dirs].map(readLibrary));
}

/** The libraries that npm installs with a package of this repository, from its manifest and node_modules. */
export function installedWith(dir) {
  const found = new Map();
  const visit = (from) => {
    const { dependencies, optionalDependencies, peerDependencies } = readManifest(from);
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const at = findInstalled(from, name);
      // Optional packages of other platforms are not installed here.
      if (at === undefined || found.has(at)) continue;
      found.set(at, readLibrary(at));
      visit(at);
    }
  };
  visit(dir);
  return sorted([...found.values()]);
}

function findInstalled(from, name) {
  for (let dir = from; ; dir = dirname(dir)) {
    const at = join(dir, 'node_modules', name);
    if (existsSync(join(at, 'package.json'))) return at;
    if (dir === dirname(dir)) return undefined;
  }
}

const readManifest = (dir) => JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));

function readLibrary(dir) {
  const { name, version, license, licenses, author } = readManifest(dir);
  const id = typeof license === 'string' ? license : (license?.type ?? licenses?.[0]?.type ?? 'unknown');
  const files = readdirSync(dir).filter(
    (file) => /^(licen[sc]e|copying|notice|third-?party-?notice\w*)([.-]|$)/i.test(file) && !/\.(js|ts)$/.test(file),
  );
  const text = files.sort().map((file) => readFileSync(join(dir, file), 'utf8').trim());
  const by = typeof author === 'string' ? author : author?.name;
  const own = `${id} licence; the package has no licence file.${by ? ` Copyright (c) ${by}` : ''}`;
  return { name, version, license: id, text: text.length > 0 ? text.join('\n\n') : own };
}

const sorted = (libraries) =>
  [...new Map(libraries.map((each) => [`${each.name}@${each.version}`, each])).values()].sort((one, other) =>
    one.name < other.name ? -1 : 1,
  );

/** The text of THIRD-PARTY-NOTICES: each licence once, below the libraries that have it. */
export function noticesText(libraries) {
  const byText = new Map();
  for (const { name, version, license, text } of libraries)
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version} (${license})`]);
  const parts = [...byText].map(([text, names]) => `${names.join('\n')}\n\n${text}`);
  return `This package contains parts of the following libraries.\n\n${parts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/** A bill of materials in CycloneDX 1.6. Without time and serial number, so that equal builds give equal files. */
export function billOfMaterials(name, version, libraries) {
  const components = libraries.map((each) => ({
    type: 'library',
    'bom-ref': purl(each),
    name: each.name,
    version: each.version,
    purl: purl(each),
    ...(each.license !== 'unknown' && {
      licenses: [/[ ()]/.test(each.license) ? { expression: each.license } : { license: { id: each.license } }],
    }),
  }));
  const component = {
    type: 'application',
    'bom-ref': purl({ name, version }),
    name,
    version,
    purl: purl({ name, version }),
  };
  const bom = { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata: { component }, components };
  return `${JSON.stringify(bom, null, 1)}\n`;
}

const purl = ({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`;
