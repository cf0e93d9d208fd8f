import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PUBLISHED, serverInstallHint } from './published.ts';

const root = join(import.meta.dirname, '../../../..');
const SKIPPED = new Set(['node_modules', 'dist', 'results', 'migrations', 'transcripts']);
/** Matches a command that installs or runs a package by Croft's names, not by a file or an address. */
const BY_NAME =
  /\b(?:npx|npm exec|npm (?:i|install|add)|pnpm (?:add|dlx)|yarn add|bunx)(?: -[\w-]+)*(?: --)? ["'`]?(?:croft(?![\w.:/-]*[:/])|@croft\/|\$\{name\})/;

function* texts(dir: string): Generator<string> {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory() && !SKIPPED.has(entry.name) && !entry.name.startsWith('.')) yield* texts(path);
    else if (entry.isFile() && /\.(?:md|tsx?|mjs|cjs|ya?ml|html)$/.test(entry.name)) yield path;
  }
}

describe.skipIf(PUBLISHED)('while the names are not published', () => {
  it('no text asks readers to install or run a package by these names', () => {
    const files = ['apps', 'packages', 'docs', 'scripts', 'examples'].flatMap((dir) => [...texts(join(root, dir))]);
    files.push(...['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md'].map((name) => join(root, name)));
    expect(files.length).toBeGreaterThan(300);
    const naming = files
      .filter((file) => !/published(?:\.test)?\.ts$|own-command(?:\.test)?\.ts$|tests?\.ts$/.test(file))
      .flatMap((file) =>
        readFileSync(file, 'utf8')
          .split('\n')
          .filter((line) => BY_NAME.test(line))
          .map((line) => `${relative(root, file)}: ${line.trim()}`),
      );
    expect(naming).toEqual([]);
  });

  it.each(['npx croft', 'npx -y croft@1.2.3 mcp', 'npm i -g croft', 'npm install @croft/server', 'npm exec -- croft'])(
    'finds "%s"',
    (text) => expect(BY_NAME.test(`run ${text} now`)).toBe(true),
  );

  it.each(['npx -y https://x/dl/croft.tgz', 'npm link -w croft', 'npm install ./croft-0.1.0.tgz', 'npx vite apps'])(
    'passes "%s"',
    (text) => expect(BY_NAME.test(`run ${text} now`)).toBe(false),
  );
});

describe('how to get the server', () => {
  it('names a checkout until the package is published, then the command for this kind of installation', () => {
    expect(serverInstallHint('/x/croft.cjs', false)).toContain('from a checkout');
    expect(serverInstallHint('/x/croft.cjs', true)).toContain('npm install @croft/server');
    expect(serverInstallHint('/usr/lib/node_modules/croft/dist/croft.cjs', true)).toContain('npm install --global');
  });
});
