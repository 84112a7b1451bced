// The pages as static files under one strict policy: no inline script or style, no data: address, hashed names.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { leanPackages } from './lean-packages.ts';

/** The stored choice of theme must be known before the first paint; a module would come too late, inline script is refused. */
function themeBeforePaint(): Plugin {
  const source = readFileSync(fileURLToPath(new URL('src/app/theme-boot.js', import.meta.url)), 'utf8');
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

/** What a browser installs, under names that stay: src/api/routes/site/pages.ts serves them. */
function installable(): Plugin {
  const names = ['service-worker.js', 'app.webmanifest', 'icon-192.png', 'icon-512.png'];
  return {
    name: 'installable',
    apply: 'build',
    generateBundle() {
      for (const fileName of names) {
        const source = readFileSync(fileURLToPath(new URL(`src/app/${fileName}`, import.meta.url)));
        this.emitFile({ type: 'asset', fileName, source });
      }
    },
    transformIndexHtml: () => [
      { tag: 'link', attrs: { rel: 'manifest', href: '/app.webmanifest' }, injectTo: 'head' },
      { tag: 'link', attrs: { rel: 'apple-touch-icon', href: '/icon-192.png' }, injectTo: 'head' },
    ],
  };
}

/** What this costs a shorter file in bytes is more than what it saves it. */
const leastCompiledChars = 15_000;

/** Functions are compiled while their file comes, next to the page's thread: else each is at its first call, on that thread. */
function compiledAsItComes(): Plugin {
  return {
    name: 'compiled-as-it-comes',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle))
          if (file.type === 'chunk' && file.code.length >= leastCompiledChars)
            file.code = `//# allFunctionsCalledOnLoad\n${file.code}`;
      },
    },
  };
}

/** The font is handed on as it came, with its licence. */
function fontLicence(): Plugin {
  return {
    name: 'font-licence',
    apply: 'build',
    generateBundle() {
      const source = readFileSync(
        fileURLToPath(new URL('../node_modules/@fontsource-variable/inter/LICENSE', import.meta.url)),
      );
      this.emitFile({ type: 'asset', fileName: 'inter-licence.txt', source });
    },
  };
}

/** Parts of the first page; words of later pages are in the same list as its own, and come with those pages. */
const firstPage = [
  /\/web\/src\/app\/(?!main|shell\/palette|account)/,
  /\/web\/src\/base\/(?!account\/passkeys|page\/(?:font\.css|after-paint)|router\/openable)/,
  /\/web\/src\/ui\/(?!facts|find-choice|filter-choices|line|page-(?!total)|segments|date)/,
  /\/web\/src\/i18n\/(en\/(app|grace|inbox|palette|time)|[a-z]+)\.ts$/,
  /\/web\/src\/inbox\/(?!bulk|alike\/(?:alike-forms|form-)|away\/(?!away)|day\/(?:day-below|day-facts|own-))/,
  /\/web\/src\/first\/(?:first-minute|trick-time)/,
  /\/web\/src\/settings\/(settings|notices)\.ts$/,
  /\/web\/src\/(hold(?!\/(?:diff|context|ladder|own|record\/brief|values\/attached))|task(?!\/lanes))\/.*\.css$/,
  /\/web\/src\/hold\/(row\/[a-z-]+|values\/(dict|humanise)|acts\/act-keys|grace\/(?:move-on|done-words)|words\/(?:ends|quoted|state-tones))\.ts$/,
  /\/node_modules\/(react|react-dom|scheduler|eventsource-parser)\//,
  /\/src\/(core\/(?!agui|base\/json|answers\/apart|consent|policy\/(?:expiry|tool-changes)|questions)|contract\/(?!configuration|holds\/nudge))/,
  /vite\/preload-helper|rolldown[/\\]runtime/,
];

/** Parts of a question that other pages share, and of the pages with lists: each of them alone would be a request. */
const sharedParts = [
  /\/web\/src\/ui\/(facts|date\/date\.css)/,
  /\/web\/src\/i18n\/en\/(task|errors|expiry|hold|hold-form|precedents|seen)\.ts$/,
  /\/web\/src\/hold\/(ladder|reading|words\/(?:rule-words|people|code-words|step-words)|acts\/(?:acts|use-offered))/,
  /\/web\/src\/hold\/(text\/(?:copy-button|web-address|agent-block)|answer\/(?:answers|failure-words)|diff\/read-diff)/,
  /\/web\/src\/hold\/values\/(attached\.css|choices|tables|value-list|value-diff|plain-words)/,
  /\/web\/src\/hold\/(waiting\/nudge|record\/(?:outcome|chat-end|question-card|conversation)|pane\/(?:pane\.ts|arming|use-arm))/,
  /\/web\/src\/hold\/(head\/(?:request|stage-line|head-chips)|grace\/(?:take-back|undo-button))/,
  /\/web\/src\/hold\/decide\/(secret-field|use-held|arm-button|use-task-message)/,
  /\/src\/core\/(?:policy\/expiry|consent\/(?:whole-view|money-fields)|questions\/compare-arguments|base\/json)/,
  /\/src\/contract\/holds\/nudge/,
];
/** What forms share with the page of a question and with reviews. */
const sharedFields = [
  /\/web\/src\/(ui\/date\/|i18n\/en\/dates|hold\/form\/(?:field-message|error-summary|form-handle|validator|asked-fields|verdict-form))/,
  /\/node_modules\/@rjsf\/utils\/lib\/(?:replaceStringParameters|englishStringTranslator|enums)\.js$/,
];
const sharedLists = [/\/web\/src\/(ui\/(page-frame|line)|operate\/task-query|hold\/words\/task-status)\./];

const isOf =
  (parts: RegExp[]) =>
  (id: string): boolean =>
    parts.some((part) => part.test(id.replaceAll('\\', '/')));

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  publicDir: false,
  plugins: [leanPackages(), themeBeforePaint(), installable(), fontLicence(), compiledAsItComes()],
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    target: 'es2022',
    outDir: '../dist/web',
    emptyOutDir: true,
    manifest: 'manifest.json',
    assetsInlineLimit: 0,
    // What the first page and a question look like comes with the first page; other pages bring their own.
    cssCodeSplit: true,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // What is bundled is handed on: its licences go with it.
    license: { fileName: 'licences.md' },
    rolldownOptions: {
      // Directives of server rendering mean nothing here.
      onLog: (level, log, handler) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handler(level, log);
      },
      // Words do nothing by being there: those that a part does not say stay out of it.
      treeshake: { moduleSideEffects: [{ test: /i18n[\\/]en[\\/]/, sideEffects: false }] },
      output: {
        codeSplitting: {
          groups: [
            // Markdown is a budget of its own, and not every question has any.
            {
              name: 'marked',
              test: /node_modules[\\/]marked[\\/]|hold[\\/]text[\\/]markdown\.ts$/,
              includeDependenciesRecursively: false,
              priority: 2,
            },
            // What the first page needs, in one request: the bundler alone makes seven of it.
            { name: 'app', test: isOf(firstPage), includeDependenciesRecursively: false },
            // Each of them alone would be a request, and weigh half as much again.
            { name: 'parts', test: isOf(sharedParts), includeDependenciesRecursively: false },
            { name: 'fields', test: isOf(sharedFields), includeDependenciesRecursively: false },
            { name: 'lists', test: isOf(sharedLists), includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
});
