// After an approval, where its policy lets people say so: calls like it are not asked about any more.
import { type ReactNode, useState } from 'react';
import type { GrantView } from '../../../../src/contract/base/grant.ts';
import { send } from '../../base/live/api.ts';
import { useSending } from '../../base/live/use-sending.ts';
import { Link } from '../../base/router/router.ts';
import { pagePath } from '../../base/router/routes.ts';
import { strings } from '../../i18n/strings.ts';
import { ErrorText } from '../../ui/controls.tsx';
import { usePane } from '../pane/pane.ts';
import { endOf } from '../words/ends.ts';
import { whyOf } from '../answer/failure-words.ts';

const words = strings.grants;

export function GrantOffer(): ReactNode {
  const { newest: hold } = usePane();
  const { isSending, why, run } = useSending((error) => whyOf(error, hold));
  const [given, setGiven] = useState<GrantView | null>(null);
  const { grants } = hold;
  if (grants === undefined || endOf(hold) !== 'approved' || hold.decision?.granted !== undefined) return null;
  const give = async (): Promise<void> => {
    await run(async () => {
      setGiven(await send<GrantView>('POST', '/api/grants', { hold: hold.id }));
    });
  };
  return (
    <div className="notice">
      <span>
        {given === null
          ? words.offer(grants.within.join(', '), grants.times, grants.for)
          : words.gave(words.states[given.state])}
      </span>
      {given === null ? (
        <button type="button" className="button" disabled={isSending} onClick={() => void give()}>
          {words.doNotAsk}
        </button>
      ) : (
        <Link to={pagePath('grants')}>{strings.app.pages.grants}</Link>
      )}
      <ErrorText why={why} />
    </div>
  );
}
