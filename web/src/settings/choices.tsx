// What can be chosen for this browser: appearance, notifications, keys. The same in the help and on the settings' own page.
import { useId, useState, type ReactNode } from 'react';
import { switchKeys, useKeysOn } from '../base/page/keys.ts';
import { switchMoveOn, useMovesOn } from '../hold/grace/move-on.ts';
import { askForNotices, canNotify } from './notices.ts';
import { strings } from '../i18n/strings.ts';
import {
  chooseDensity,
  chooseNotices,
  chooseTheme,
  useDensity,
  useTheme,
  useWantsNotices,
  type Density,
  type Theme,
} from './settings.ts';
import { Facts } from '../ui/facts.tsx';
import './settings.css';

const text = strings.help;

interface ChoiceProps<T extends string> {
  legend: string;
  options: Record<T, string>;
  value: T;
  onChoose: (value: T) => void;
}

export function Choice<T extends string>({ legend, options, value, onChoose }: ChoiceProps<T>): ReactNode {
  const name = useId();
  const keys = Object.keys(options) as T[];
  return (
    <fieldset className="choice">
      <legend>{legend}</legend>
      <div className="choice-options">
        {keys.map((key) => (
          <label key={key} className="check">
            <input type="radio" name={name} checked={value === key} onChange={() => onChoose(key)} />
            {options[key]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

export function Notices(): ReactNode {
  const isOn = useWantsNotices();
  const [isBlocked, setIsBlocked] = useState(canNotify() && Notification.permission === 'denied');
  if (!canNotify()) return null;
  return (
    <div className="choice">
      <h3>{text.notify}</h3>
      {isBlocked && <p className="meta">{text.notifyBlocked}</p>}
      {isOn && !isBlocked ? (
        <>
          <p className="meta">{text.notifyOn}</p>
          <button type="button" className="button" onClick={() => chooseNotices(false)}>
            {text.notifyStop}
          </button>
        </>
      ) : (
        <button
          type="button"
          className="button"
          onClick={() =>
            void askForNotices().then((isAllowed) => setIsBlocked(!isAllowed && Notification.permission === 'denied'))
          }
        >
          {isBlocked ? text.notifyAgain : text.notifyOff}
        </button>
      )}
    </div>
  );
}

export function Appearance(): ReactNode {
  const theme: Theme = useTheme();
  const density: Density = useDensity();
  return (
    <>
      <Choice legend={text.theme} options={text.themes} value={theme} onChoose={chooseTheme} />
      <Choice legend={text.density} options={text.densities} value={density} onChoose={chooseDensity} />
    </>
  );
}

export function KeySwitch(): ReactNode {
  const areOn = useKeysOn();
  return (
    <>
      <label className="check">
        <input type="checkbox" checked={areOn} onChange={(event) => switchKeys(event.target.checked)} />
        {text.keysSwitch}
      </label>
      <p className="meta">{text.keysWhy}</p>
    </>
  );
}

export function MoveOnSwitch(): ReactNode {
  const isOn = useMovesOn();
  return (
    <>
      <label className="check">
        <input type="checkbox" checked={isOn} onChange={(event) => switchMoveOn(event.target.checked)} />
        {text.moveOn}
      </label>
      <p className="meta">{text.moveOnWhy}</p>
    </>
  );
}

/** `Heading`: one level below the one above it. */
export function KeyGroups({ heading: Heading }: { heading: 'h3' | 'h4' }): ReactNode {
  return (
    <div className="key-groups">
      {text.groups.map(({ title, keys }) => (
        <section key={title}>
          <Heading>{title}</Heading>
          <Facts className="plain" facts={keys.map(([key, what]) => [<kbd key={key}>{key}</kbd>, what])} />
        </section>
      ))}
    </div>
  );
}
