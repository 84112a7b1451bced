// All the agent wrote, in one bordered block with its name on it: nothing in it can look like the page.
import { createElement, type ReactNode, Suspense, useEffect, useId, useMemo, useState } from 'react';
import { lazyPart, whenIdle } from '../../base/live/lazy-part.ts';
import { Icon } from '../../ui/icons.tsx';
import { strings } from '../../i18n/strings.ts';
import type { MarkElement, MarkNode, readMarkdown } from './markdown.ts';
import { LongText } from '../reading/long-text.tsx';
import { firstPiece } from '../reading/pieces.ts';
import { ReadBlock } from '../reading/read-block.tsx';
import { firstLines, visible } from '../../base/text/visible.ts';
import { webAddress } from './web-address.ts';

const DiffView = lazyPart(async () => (await import('../diff/diff-view.tsx')).DiffView);

type Reader = { readMarkdown: typeof readMarkdown };

let loaded: Reader | null = null;

const load = async (): Promise<Reader> => (loaded ??= await import('./markdown.ts'));

/** The Markdown reader, once the page has nothing better to do; resolves once it is there, or is not to be had. */
export const prefetchMarkdown = (): Promise<unknown> => new Promise<void>(whenIdle).then(load).catch(() => null);

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
      <ReadBlock key={key} kind="table" className="md-scroll" tabIndex={0} role="group" aria-label={strings.hold.table}>
        {createElement(tag, {}, ...inner)}
      </ReadBlock>
    );
  if (tag === 'pre' && className === 'diff') {
    const diff = children.join('');
    return (
      <Suspense
        key={key}
        fallback={
          <ReadBlock as="pre" kind="diff" tabIndex={0}>
            {diff}
          </ReadBlock>
        }
      >
        <DiffView diff={diff} />
      </Suspense>
    );
  }
  if (tag === 'pre')
    return (
      <ReadBlock key={key} as="pre" kind="text" className={className} tabIndex={0}>
        {inner}
      </ReadBlock>
    );
  return createElement(tag, props, ...inner);
}

const hasDiff = (text: string): boolean => /^\s{0,3}(?:```|~~~)\s*(?:diff|patch|udiff)\b/mu.test(text);

/** What is longer is text as it is from there on: reading Markdown takes its time. */
const mostMarkdown = 50_000;

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
  const isCut = !isAll && !isWhole;
  const shown = isCut ? head : text;
  const first = useMemo(() => firstPiece(shown, 0, mostMarkdown), [shown]);
  return (
    <section className="says stack" aria-labelledby={label}>
      <p className="meta says-who" id={label}>
        {strings.hold.says(agent)}
      </p>
      <ReadBlock kind="text" shows={isCut ? 'head' : 'whole'} isCut={isCut} unfold={() => setWhole(true)}>
        <Markdown text={first} />
      </ReadBlock>
      {first.length < shown.length && <LongText kind="text" text={shown.slice(first.length)} />}
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
    <ReadBlock as="ul" kind="text" className="says-links cluster" aria-label={strings.hold.links}>
      {shown.map(({ url, title }) => (
        <li key={url}>
          <a href={url} target="_blank" rel="noopener noreferrer nofollow" dir="auto">
            {visible(title)} <Icon name="outside" />
          </a>
        </li>
      ))}
    </ReadBlock>
  );
}
