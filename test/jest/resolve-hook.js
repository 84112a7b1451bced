// Where Node finds what a test imports, in the two cases where it would find something else than is meant.
const globals = new URL('./globals.js', import.meta.url).href;
const ofFrontEnds = /\/node_modules\/(@ag-ui\/|ag-ui-client-)/;

export function resolve(specifier, context, next) {
  // The real package is a stub: jest's own runtime puts the functions of the test file in its place.
  if (specifier === '@jest/globals') return { url: globals, shortCircuit: true };
  // AG-UI's client is made for bundlers, which take a package's `module`; the CommonJS that Node takes gives it no names.
  if (specifier === 'fast-json-patch' && ofFrontEnds.test(context.parentURL ?? ''))
    return next('fast-json-patch/index.mjs', context);
  return next(specifier, context);
}
