// One change of all open questions of a policy or an agent, by an operator: first how many there are, then their number typed.
import { type ReactNode, useId, useState } from 'react';
import type { ManyAct } from '../../../src/contract/acts/act-names.ts';
import type { AmendManyReply } from '../../../src/contract/acts/acts.ts';
import { announce } from '../base/page/announce.tsx';
import { send } from '../base/live/api.ts';
import { useSending } from '../base/live/use-sending.ts';
import { holdPath } from '../base/router/routes.ts';
import { Link } from '../base/router/router.ts';
import { visible } from '../base/text/visible.ts';
import { whyOf } from './why-words.ts';
import { strings } from '../i18n/strings.ts';
import { ErrorText, TextField } from '../ui/controls.tsx';
import { LabelledListbox, type Option } from '../ui/listbox.tsx';

const words = strings.operate.many;
/** What a reader chooses of each act on many: an answer is a yes or a no. */
const choices = {
  reapply: ['reapply'],
  extend: ['extend'],
  reassign: ['reassign'],
  cancel: ['cancel'],
  answer: ['approve', 'reject'],
} as const satisfies Record<ManyAct, readonly string[]>;
const acts = Object.values(choices).flat();
type Act = (typeof acts)[number];
const lengths = ['1h', '4h', '1d', '7d'] as const;
type Length = (typeof lengths)[number];

/** What the server finds: the filters of the list of questions. */
type Filter = { policy: string } | { agent: string };

interface Wanted {
  act: Act;
  by: Length;
  to: string;
}

const bodyOf = ({ act, by, to }: Wanted): object => {
  if (act === 'extend') return { do: act, by };
  if (act === 'reassign') return { do: act, to: to.split(/[\s,]+/u).filter((word) => word !== '') };
  if (act === 'approve') return { do: 'answer', verdict: 'yes' };
  if (act === 'reject') return { do: 'answer', verdict: 'no' };
  return { do: act };
};

/** Asks what matches, then for the change of exactly those, whose number was typed. */
function useChange(filter: Filter) {
  const [found, setFound] = useState<AmendManyReply | null>(null);
  const sending = useSending(whyOf);
  const post = (body: object): Promise<AmendManyReply> =>
    send<AmendManyReply>('POST', `/api/holds/amend?${new URLSearchParams(filter).toString()}`, body);
  return {
    ...sending,
    found,
    forget: () => setFound(null),
    count: (wanted: Wanted) => sending.run(async () => setFound(await post(bodyOf(wanted)))),
    change: (wanted: Wanted, { set }: AmendManyReply) =>
      sending.run(async () => {
        const reply = await post({ ...bodyOf(wanted), set });
        setFound(reply);
        announce(words.done(reply.results.filter(({ ok }) => ok).length, reply.results.length));
      }),
  };
}

export function ChangeMany({ filter }: { filter: Filter }): ReactNode {
  const id = useId();
  const [wanted, setWanted] = useState<Wanted>({ act: 'reapply', by: '1d', to: '' });
  const [typed, setTyped] = useState('');
  const { found, why, isSending, forget, count, change } = useChange(filter);
  const want = (part: Partial<Wanted>): void => {
    setWanted({ ...wanted, ...part });
    setTyped('');
    forget();
  };
  return (
    <details>
      <summary>{words.open}</summary>
      <div className="stack">
        <div className="cluster">
          <LabelledListbox
            label={words.what}
            value={wanted.act}
            options={acts.map((act): Option<Act> => [act, words.acts[act]])}
            onChoose={(act) => want({ act })}
          />
          {wanted.act === 'extend' && (
            <LabelledListbox
              label={words.by}
              value={wanted.by}
              options={lengths.map((by): Option<Length> => [by, words.lengths[by]])}
              onChoose={(by) => want({ by })}
            />
          )}
        </div>
        {wanted.act === 'reassign' && (
          <TextField id={`${id}-to`} label={words.to} value={wanted.to} onChange={(to) => want({ to })} />
        )}
        <p className="meta">{words.means[wanted.act]}</p>
        {found?.applied !== true && (
          <div className="cluster">
            <button type="button" className="button" disabled={isSending} onClick={() => void count(wanted)}>
              {words.count}
            </button>
            {found !== null && <span role="status">{words.found(found.count)}</span>}
          </div>
        )}
        {found !== null && <Results reply={found} />}
        {found !== null && !found.applied && found.count > 0 && (
          <div className="cluster">
            <TextField id={`${id}-n`} label={words.confirm(found.count)} value={typed} onChange={setTyped} />
            <button
              type="button"
              className="button danger"
              disabled={isSending || typed.trim() !== String(found.count)}
              onClick={() => void change(wanted, found)}
            >
              {words.doIt[wanted.act](found.count)}
            </button>
          </div>
        )}
        <ErrorText why={why} />
      </div>
    </details>
  );
}

/** Before a reapplied policy what would become of each; afterwards how many changed, and why the others did not. */
function Results({ reply: { applied, results } }: { reply: AmendManyReply }): ReactNode {
  const shown = applied ? results.filter(({ ok }) => !ok) : results;
  return (
    <>
      {applied && <p role="status">{words.done(results.length - shown.length, results.length)}</p>}
      {shown.length > 0 && (
        <ul className="stack" aria-label={applied ? words.stayed : words.wouldBe}>
          {shown.map(({ id, ok, detail, code }) => (
            <li key={id}>
              <Link to={holdPath(id)}>{id.slice(0, 8)}</Link> {!ok && `${words.stays} `}
              <bdi>{visible(detail ?? code ?? '')}</bdi>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
