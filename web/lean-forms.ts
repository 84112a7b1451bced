// Leaves out of the form library what our own registry replaces, its widgets, templates, layout grid and Markdown, and what the
// pages never ask of it.
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const registry = '\0holdpoint:form-registry';
const markdown = '\0holdpoint:no-markdown';
const unasked = '\0holdpoint:unasked';
const pointers = '\0holdpoint:pointers';
const light = fileURLToPath(new URL('src/hold/form/registry.ts', import.meta.url));
const equal = fileURLToPath(new URL('src/hold/values/deep-equal.ts', import.meta.url));
const pointer = fileURLToPath(new URL('src/hold/values/pointer.ts', import.meta.url));

/** Of forms that drop what their schema does not name: the pages send all, and the server checks it. */
const unaskedSource = `
const unasked = () => {
  throw new Error('left out by web/lean-forms.ts');
};
export default unasked;
export { unasked as getFieldNames, unasked as getUsedFormData, unasked as isValueEmpty };
`;
/** All widgets of the registry are plain functions. */
const kinds = '\0holdpoint:kinds';
const kindsSource = 'const no = () => false; export default { isForwardRef: no, isMemo: no };';

const pointersSource = `
import { pointerKeys } from ${JSON.stringify(pointer)};
const at = (from, key) => (Object.hasOwn(Object(from), key) ? from[key] : undefined);
export default { get: (from, path) => (/^[^/]/.test(path) ? undefined : pointerKeys(path).reduce(at, from)) };
`;

const replaced: Record<string, string> = {
  'markdown-to-jsx/react': markdown,
  'react-is': kinds,
  'fast-equals': equal,
  jsonpointer: pointers,
};
const sources: Record<string, string> = {
  [registry]: `export { formRegistry as default } from ${JSON.stringify(light)};`,
  // Only a title of a part that our templates never draw.
  [markdown]: 'export const Markdown = () => null;',
  [kinds]: kindsSource,
  [pointers]: pointersSource,
  [unasked]: unaskedSource,
};

export function leanForms(): Plugin {
  return {
    name: 'lean-forms',
    enforce: 'pre',
    resolveId(source, importer) {
      const isOf = (part: string): boolean => importer?.includes(`@rjsf/${part}`) === true;
      if (source.endsWith('/getDefaultRegistry.js') && isOf('core')) return registry;
      if (isOf('utils') && /^\.\/(schema\/)?(omitExtraData|toPathSchema)\.js$/.test(source)) return unasked;
      return replaced[source] ?? null;
    },
    load: (id) => sources[id] ?? null,
  };
}
