// What somebody has chosen for themselves, and who they are here.
import type { ReactNode } from 'react';
import { signOut, useMe } from '../app/account/me.ts';
import { absoluteWords, reader, useNow } from '../app/time/time.ts';
import { strings } from '../i18n/strings.ts';
import { Facts } from '../ui/facts.tsx';
import { PageFrame } from '../ui/page-frame.tsx';
import { KeyGroups, KeySwitch, Appearance, Notices } from './choices.tsx';

const words = strings.settings;

export function SettingsPage(): ReactNode {
  return (
    <PageFrame title={strings.app.pages.settings}>
      <section aria-labelledby="settings-you">
        <h2 id="settings-you">{words.you}</h2>
        <You />
      </section>
      <section aria-labelledby="settings-looks">
        <h2 id="settings-looks">{words.appearance}</h2>
        <p className="meta">{words.here}</p>
        <div className="choices">
          <Appearance />
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
      <Facts
        className="plain"
        facts={[
          [
            words.name,
            <>
              <bdi>{name}</bdi> {name !== id && <span className="meta">{id}</span>}
            </>,
          ],
          [words.roles, roles.length === 0 ? words.noRoles : roles.join(', ')],
          [
            words.session,
            sessionEndsAt === null
              ? words.vias[via]
              : words.until(absoluteWords(Date.parse(sessionEndsAt), now, reader)),
          ],
        ]}
      />
      {via === 'session' && (
        <button type="button" className="button" onClick={() => void signOut()}>
          {strings.app.signOut}
        </button>
      )}
    </>
  );
}
