import { useEffect, useState, type ReactNode } from 'react';
import { strings } from '../i18n/strings.ts';
import { pushState, startPush, stopPush, type PushState } from './push.ts';

const words = strings.settings.push;

/** Nothing where the operator set up no push notifications. */
export function PushChoice(): ReactNode {
  const [state, setState] = useState<PushState>({ kind: 'none' });
  const [hasFailed, setFailed] = useState(false);
  const become = (next: Promise<PushState>): void => {
    setFailed(false);
    next.then(setState, () => setFailed(true));
  };
  useEffect(() => become(pushState()), []);
  if (state.kind === 'none') return null;
  return (
    <div className="choice">
      <h3>{words.title}</h3>
      <p className="meta">{words.what[state.kind]}</p>
      {hasFailed && (
        <p className="meta" role="alert">
          {words.failed}
        </p>
      )}
      {state.kind === 'off' && (
        <button type="button" className="button" onClick={() => become(startPush())}>
          {words.start}
        </button>
      )}
      {state.kind === 'on' && (
        <button type="button" className="button" onClick={() => become(stopPush(state.id))}>
          {words.stop}
        </button>
      )}
    </div>
  );
}
