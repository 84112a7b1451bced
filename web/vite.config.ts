// The pages as static files under one strict policy: no inline script or style, no data: address, hashed names.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { leanForms } from './lean-forms.ts';
import { leanPackages } from './lean-packages.ts';

/** The stored choice of theme must be known before the first paint; a module would come too late, inline script is refused. */
function themeBeforePaint(): Plugin {
  const source = readFileSync(fileURLToPath(new URL('src/theme-boot.js', import.meta.url)), 'utf8');
  const fileName = `assets/theme-${createHash('sha256').update(source).digest('hex').slice(0, 8)}.js`;
  return {
    name: 'theme-before-paint',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source });
    },
    transformIndexHtml: () => [{ tag: 'script', attrs: { src: `/${fileName}` }, injectTo: 'head-prepend' }],
  };
}

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  publicDir: false,
  plugins: [leanForms(), leanPackages(), themeBeforePaint()],
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    target: 'es2022',
    outDir: '../dist/web',
    emptyOutDir: true,
    manifest: 'manifest.json',
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // What is bundled is handed on: its licences go with it.
    license: { fileName: 'licences.md' },
    rolldownOptions: {
      // Directives of server rendering mean nothing here.
      onLog: (level, log, handler) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handler(level, log);
      },
      output: {
        // Markdown is a budget of its own, and not every question has any.
        codeSplitting: { groups: [{ name: 'marked', test: /node_modules[\\/]marked[\\/]/ }] },
      },
    },
  },
});
