// What somebody has chosen for themselves, and who they are here.
import type { ReactNode } from 'react';
import { signOut, useMe } from '../app/me.ts';
import { absoluteWords, reader, useNow } from '../app/time.ts';
import { strings } from '../i18n/strings.ts';
import { PageFrame } from '../ui/page-frame.tsx';
import { KeyGroups, KeySwitch, Looks, Notices } from './choices.tsx';

const words = strings.settings;

export function SettingsPage(): ReactNode {
  return (
    <PageFrame title={strings.app.pages.settings}>
      <section aria-labelledby="settings-you">
        <h2 id="settings-you">{words.you}</h2>
        <You />
      </section>
      <section aria-labelledby="settings-looks">
        <h2 id="settings-looks">{words.looks}</h2>
        <p className="meta">{words.here}</p>
        <div className="choices">
          <Looks />
        </div>
      </section>
      <section aria-labelledby="settings-notices">
        <h2 id="settings-notices">{words.notices}</h2>
        <p className="meta">{words.noticesWhat}</p>
        <Notices />
      </section>
      <section aria-labelledby="settings-keys">
        <h2 id="settings-keys">{words.keys}</h2>
        <KeySwitch />
        <KeyGroups />
      </section>
    </PageFrame>
  );
}

function You(): ReactNode {
  const me = useMe();
  const now = useNow();
  if (me === null) return null;
  const { id, name, roles, via, sessionEndsAt } = me;
  return (
    <>
      <dl className="facts-of-you">
        <div>
          <dt>{words.name}</dt>
          <dd>
            <bdi>{name}</bdi> {name !== id && <span className="meta">{id}</span>}
          </dd>
        </div>
        <div>
          <dt>{words.roles}</dt>
          <dd>{roles.length === 0 ? words.noRoles : roles.join(', ')}</dd>
        </div>
        <div>
          <dt>{words.session}</dt>
          <dd>
            {sessionEndsAt === null
              ? words.vias[via]
              : words.until(absoluteWords(Date.parse(sessionEndsAt), now, reader))}
          </dd>
        </div>
      </dl>
      {via === 'session' && (
        <button type="button" className="button" onClick={() => void signOut()}>
          {strings.app.signOut}
        </button>
      )}
    </>
  );
}
