import { join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { componentTypes } from '../../scripts/component-types.mjs';
import { librariesIn, noticesText } from '../../scripts/notices.mjs';

const modulesOf = (bundle) => Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
/** The modules of workers: Vite bundles each apart, before the pages. */
const inWorkers = [];
const notedWorkers = {
  name: 'noted-workers',
  generateBundle(_, bundle) {
    inWorkers.push(...modulesOf(bundle));
  },
};

/** Writes the licences of the libraries in the bundles beside them. */
const notices = {
  name: 'notices',
  generateBundle(_, bundle) {
    const source = noticesText(librariesIn(import.meta.dirname, [...inWorkers, ...modulesOf(bundle)]));
    this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-NOTICES.txt', source });
  },
};

/** The declarations that the code editor checks components against. */
const TYPES = 'virtual:component-types';
const typesOfComponents = {
  name: 'types-of-components',
  resolveId: (id) => (id === TYPES ? `\0${TYPES}` : undefined),
  async load(id) {
    if (id !== `\0${TYPES}`) return undefined;
    const { language, component } = await componentTypes();
    return `export const language = ${JSON.stringify(language)};\nexport const component = ${JSON.stringify(component)};`;
  },
};

// Relative addresses everywhere: the server says in <base href> below which path the studio lives.
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  // From the sources: tests build the studio without compiling packages.
  resolve: {
    alias: {
      '@croft/flow': join(import.meta.dirname, '../../packages/flow/src/index.ts'),
      '@croft/assistant/events': join(import.meta.dirname, '../../packages/assistant/src/for-browser.ts'),
    },
  },
  plugins: [react(), tailwindcss(), typesOfComponents, notices],
  worker: { plugins: () => [typesOfComponents, notedWorkers] },
  // Only a worker imports it: found there, it would reload the page.
  optimizeDeps: { include: ['typescript'] },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The policy allows no data: addresses and no inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
