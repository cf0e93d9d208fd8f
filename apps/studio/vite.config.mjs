import { join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { librariesIn, noticesText } from '../../scripts/notices.mjs';

/** Writes the licences of the libraries in the bundle beside it. */
const notices = {
  name: 'notices',
  generateBundle(_, bundle) {
    const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
    const source = noticesText(librariesIn(import.meta.dirname, modules));
    this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-NOTICES.txt', source });
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
  plugins: [react(), tailwindcss(), notices],
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
