import { join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

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
  plugins: [react(), tailwindcss()],
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
