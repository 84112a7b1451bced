// Leaves out of two packages what the pages never call, because every reader would load it.
import type { Plugin } from 'vite';

const addresses = '\0holdpoint:addresses';
/** All the form library asks of fast-uri; browsers can do it themselves. */
const addressesSource = `
const resolve = (base, ref) => {
  try {
    return new URL(ref, base).href;
  } catch {
    return ref;
  }
};
export default { resolve, equal: (a, b) => resolve(undefined, a) === resolve(undefined, b) };
`;

/** From here on marked builds its HTML renderer's default instance; the pages read tokens alone. */
const renderer = /\bvar (\w+)=new \w+;function (\w+)\(\w+,\w+\)\{return \1\.parse\(\w+,\w+\)\}\2\.options=/;
const lexer = /\b(\w+) as Lexer\b/;

export function leanPackages(): Plugin {
  return {
    name: 'lean-packages',
    enforce: 'pre',
    resolveId: (source) => (source === 'fast-uri' ? addresses : null),
    load: (id) => (id === addresses ? addressesSource : null),
    transform(code, id) {
      if (!/[\\/]marked[\\/].*\.js$/.test(id)) return null;
      const [from, name] = [renderer.exec(code)?.index, lexer.exec(code)?.[1]];
      if (from === undefined || name === undefined) throw new Error(`${id} is not the marked this was written for`);
      return { code: `${code.slice(0, from)}export const lexer=${name}.lex;`, map: null };
    },
  };
}
