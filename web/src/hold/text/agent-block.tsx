// All the agent wrote, in one bordered block with its name on it: nothing in it can look like the page.
import { createElement, type ReactNode, Suspense, useEffect, useId, useMemo, useState } from 'react';
import { lazyPart, whenIdle } from '../../base/live/lazy-part.ts';
import { Icon } from '../../ui/icons.tsx';
import { strings } from '../../i18n/strings.ts';
import type { MarkElement, MarkNode, readMarkdown } from './markdown.ts';
import { useMustSee } from '../diff/must-see.tsx';
import { firstLines, visible } from '../../base/text/visible.ts';
import { webAddress } from './web-address.ts';

const DiffView = lazyPart(async () => (await import('../diff/diff-view.tsx')).DiffView);

type Reader = { readMarkdown: typeof readMarkdown };

let loaded: Reader | null = null;

const load = async (): Promise<Reader> => (loaded ??= await import('./markdown.ts'));

/** The Markdown reader, once the page has nothing better to do, and then its first text, which takes it longer than others. */
export const prefetchMarkdown = (): void =>
  whenIdle(
    () =>
      void load().then(
        // Not in the task in which its code is run: together they were the longest of a cold load.
        ({ readMarkdown: read }) => whenIdle(() => read('- *one*')),
        () => undefined,
      ),
  );

/** The Markdown reader is loaded apart, and late; until then the text is shown as it is. */
function useReader(): Reader | null {
  const [reader, setReader] = useState(loaded);
  // It may have come for another text since this one was drawn.
  useEffect(() => void load().then(setReader, () => undefined), []);
  return reader;
}

export function Markdown({ text }: { text: string }): ReactNode {
  const reader = useReader();
  const tree = useMemo(() => reader?.readMarkdown(text) ?? null, [reader, text]);
  return (
    <div className="md stack" dir="auto">
      {tree === null ? <p className="asis">{visible(text)}</p> : tree.map(draw)}
    </div>
  );
}

function draw(node: MarkNode, key: number): ReactNode {
  return typeof node === 'string' ? node : drawElement(node, key);
}

function drawElement({ tag, href, start, className, children }: MarkElement, key: number): ReactNode {
  const link = tag === 'a' ? { href, target: '_blank', rel: 'noopener noreferrer nofollow' } : {};
  const inner = children.map(draw);
  const props = { key, className, ...(start === undefined ? {} : { start }), ...link };
  if (tag === 'hr' || tag === 'br') return createElement(tag, props);
  if (tag === 'table')
    return (
      <div key={key} className="md-scroll" tabIndex={0} role="group" aria-label={strings.hold.table}>
        {createElement(tag, {}, ...inner)}
      </div>
    );
  if (tag === 'pre' && className === 'diff') {
    const diff = children.join('');
    return (
      <Suspense key={key} fallback={<pre tabIndex={0}>{diff}</pre>}>
        <DiffView diff={diff} />
      </Suspense>
    );
  }
  if (tag === 'pre') return createElement(tag, { ...props, tabIndex: 0 }, ...inner);
  return createElement(tag, props, ...inner);
}

const hasDiff = (text: string): boolean => /^\s{0,3}(?:```|~~~)\s*(?:diff|patch|udiff)\b/mu.test(text);

interface Props {
  agent: string;
  text: string;
  children?: ReactNode;
}

export function AgentBlock({ agent, text, children }: Props): ReactNode {
  const label = useId();
  const [isWhole, setWhole] = useState(false);
  // A diff collapses its own files.
  const { head, isAll } = useMemo(() => (hasDiff(text) ? { head: text, isAll: true } : firstLines(text)), [text]);
  useMustSee(`text ${label}`, isAll || isWhole ? null : strings.seen.restOfText, () => setWhole(true));
  return (
    <section className="says stack" aria-labelledby={label}>
      <p className="meta says-who" id={label}>
        {strings.hold.says(agent)}
      </p>
      <Markdown text={isWhole ? text : head} />
      {!isAll && (
        <button type="button" className="button quiet" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? strings.hold.showLess : strings.hold.showAll}
        </button>
      )}
      {children}
    </section>
  );
}

/** Web addresses the agent named: shown with their host, opened apart, never fetched. */
export function AgentLinks({ links }: { links: readonly { url: string; title: string }[] }): ReactNode {
  const shown = links.filter(({ url }) => webAddress(url) !== null);
  if (shown.length === 0) return null;
  return (
    <ul className="says-links cluster" aria-label={strings.hold.links}>
      {shown.map(({ url, title }) => (
        <li key={url}>
          <a href={url} target="_blank" rel="noopener noreferrer nofollow" dir="auto">
            {visible(title)} <Icon name="outside" />
          </a>
        </li>
      ))}
    </ul>
  );
}
