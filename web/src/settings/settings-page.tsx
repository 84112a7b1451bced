// What a person has chosen for themselves, and who they are here.
import type { ReactNode } from 'react';
import { signOut, useMe } from '../base/account/me.ts';
import { clockWords, reader, useNow } from '../base/time/time.ts';
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
      <Part id="settings-you" title={words.you}>
        <You />
      </Part>
      <Part id="settings-looks" title={words.appearance} what={words.here}>
        <Appearance />
      </Part>
      <Part id="settings-notices" title={words.notices} what={words.noticesWhat}>
        <Notices />
        <PushChoice />
      </Part>
      <Part id="settings-messages" title={words.messages.title} what={words.messages.what}>
        <Messages {...preferences} />
      </Part>
      <Part id="settings-deputy" title={words.deputy.title} what={words.deputy.what}>
        <Deputy {...preferences} />
      </Part>
      <Part id="settings-passkeys" title={words.passkeys.title}>
        <Passkeys />
      </Part>
      <Part id="settings-keys" title={words.keys}>
        <MoveOnSwitch />
        <KeySwitch />
        <KeyGroups heading="h3" />
      </Part>
    </PageFrame>
  );
}

interface PartProps {
  id: string;
  title: string;
  what?: string;
  children: ReactNode;
}

/** What it is about, and next to it what can be chosen. */
function Part({ id, title, what, children }: PartProps): ReactNode {
  return (
    <section className="settings-part" aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        {what !== undefined && <p className="meta">{what}</p>}
      </div>
      <div className="settings-choices">{children}</div>
    </section>
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
            sessionEndsAt === null ? words.vias[via] : words.until(clockWords(Date.parse(sessionEndsAt), now, reader)),
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
