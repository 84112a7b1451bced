// What of a question is too long to be carried with it: read whole before it is shown, and nothing is approved without it.
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { missingOf, wholeHold } from '../../../../src/core/consent/whole-view.ts';
import { strings } from '../../i18n/strings.ts';
import { ReadBlock } from './read-block.tsx';

const words = strings.seen;

/** As long as it is not here, the question has beginnings and ends alone. */
type State = 'here' | 'coming' | 'failed' | 'gone';

export interface Whole {
  hold: HoldView;
  state: State;
  again: () => void;
}

/** The question with all of its long contents, once they have come. */
export function useWhole(hold: HoldView): Whole {
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(new Map());
  const [failed, setFailed] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  const parts = missingOf(hold);
  const isRead = hold.status === 'open' && hold.mayDecide;
  const key = isRead ? parts.map(({ url, digest }) => (url === null ? '' : `${url} ${digest}`)).join('\n') : '';
  useEffect(() => {
    if (key === '') return undefined;
    const stop = new AbortController();
    const read = async (line: string): Promise<[string, string]> => {
      const [url = '', digest = ''] = line.split(' ');
      const response = await fetch(url, { signal: stop.signal });
      if (!response.ok) throw new Error(String(response.status));
      const text = await response.text();
      // What is no JSON is not what was kept.
      if (response.headers.get('content-type')?.includes('json') === true) JSON.parse(text);
      return [digest, text];
    };
    Promise.all(
      key
        .split('\n')
        .filter((line) => line !== '')
        .map(read),
    ).then(
      (all) => setTexts(new Map(all)),
      () => {
        if (!stop.signal.aborted) setFailed(key);
      },
    );
    return () => stop.abort();
  }, [key, round]);
  const isGone = parts.some(({ url }) => url === null);
  const restored = useMemo(() => wholeHold(hold, (digest) => texts.get(digest)), [hold, texts]);
  const again = (): void => {
    setFailed(null);
    setRound((before) => before + 1);
  };
  if (!isRead || parts.length === 0) return { hold, state: 'here', again };
  if (missingOf(restored).length === 0) return { hold: restored, state: 'here', again };
  return { hold, state: isGone ? 'gone' : failed === key ? 'failed' : 'coming', again };
}

/** Why it is not shown whole; the button waits for it. */
export function WholeNotice({ state, again }: Whole): ReactNode {
  if (state === 'here') return null;
  if (state === 'coming')
    return (
      <ReadBlock kind="text" isCut className="meta">
        {words.wholeComes}
      </ReadBlock>
    );
  const why = state === 'gone' ? words.wholeIsGone : words.wholeFailed;
  return (
    <ReadBlock kind="text" why={why} className="notice warn" role="alert">
      <span>{why}</span>
      {state === 'failed' && (
        <button type="button" className="button" onClick={again}>
          {strings.app.tryNow}
        </button>
      )}
    </ReadBlock>
  );
}
