// What a person has chosen for themselves, and who they are here.
import type { ReactNode } from 'react';
import { signOut, useMe } from '../base/account/me.ts';
import { absoluteWords, reader, useNow } from '../base/time/time.ts';
import { strings } from '../i18n/strings.ts';
import { Facts } from '../ui/facts.tsx';
import { PageFrame } from '../ui/page-frame.tsx';
import { Deputy } from './deputy.tsx';
import { Messages } from './messages.tsx';
import { usePreferences } from './preferences.ts';
import { Passkeys } from './passkeys.tsx';
import { PushChoice } from './push-choice.tsx';
import { KeyGroups, KeySwitch, MoveOnSwitch, Appearance, Notices } from './choices.tsx';

const words = strings.settings;

export function SettingsPage(): ReactNode {
  const preferences = usePreferences();
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
        <PushChoice />
      </section>
      <section aria-labelledby="settings-messages">
        <h2 id="settings-messages">{words.messages.title}</h2>
        <Messages {...preferences} />
      </section>
      <section aria-labelledby="settings-deputy">
        <h2 id="settings-deputy">{words.deputy.title}</h2>
        <Deputy {...preferences} />
      </section>
      <section aria-labelledby="settings-passkeys">
        <h2 id="settings-passkeys">{words.passkeys.title}</h2>
        <Passkeys />
      </section>
      <section aria-labelledby="settings-keys">
        <h2 id="settings-keys">{words.keys}</h2>
        <MoveOnSwitch />
        <KeySwitch />
        <KeyGroups heading="h3" />
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
