// Leaves out of the form library what our own registry replaces: its widgets, templates, layout grid and Markdown.
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const registry = '\0holdpoint:form-registry';
const markdown = '\0holdpoint:no-markdown';
const light = fileURLToPath(new URL('src/hold/form/registry.ts', import.meta.url));

export function leanForms(): Plugin {
  return {
    name: 'lean-forms',
    enforce: 'pre',
    resolveId(source, importer) {
      if (source.endsWith('/getDefaultRegistry.js') && importer?.includes('@rjsf/core') === true) return registry;
      return source === 'markdown-to-jsx/react' ? markdown : null;
    },
    load(id) {
      if (id === registry) return `export { formRegistry as default } from ${JSON.stringify(light)};`;
      // Only a title of a part that our templates never draw.
      return id === markdown ? 'export const Markdown = () => null;' : null;
    },
  };
}
