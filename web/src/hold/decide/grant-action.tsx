// Next to Approve, where its policy allows it: the yes, and that calls like it are not asked about any more. What exactly that is
// is shown with the armed button, and one more press gives both.
import { lazyPart } from '../../base/live/lazy-part.ts';
import { strings } from '../../i18n/strings.ts';
import type { Dict } from '../values/dict.ts';
import type { Question } from '../pane/pane.ts';
import type { Action } from './decision-bar.tsx';

const words = strings.grants;
const ScopeFacts = lazyPart(async () => (await import('./scope-facts.tsx')).ScopeFacts);

/** None: the policy allows no grant, or who reads it has given it already. */
export function grantActions({ hold, myId }: Pick<Question, 'hold' | 'myId'>, yes: Action, args: Dict): Action[] {
  const { grants } = hold;
  if (grants === undefined || grants.given.some((one) => one === myId)) return [];
  const { ranges, times, sum, until } = grants;
  const grant = { ranges, times, until, ...(sum === null ? {} : { sum: sum.most }) };
  return [
    {
      ...yes,
      id: 'grant',
      label: words.withYes,
      armedLabel: words.confirmWithYes,
      isDirect: false,
      isSend: false,
      lasts: true,
      means: words.means,
      tone: 'quiet',
      make: () => {
        const body = yes.make();
        return body?.status === 'resolved' ? { ...body, grant } : null;
      },
      fields: <ScopeFacts hold={hold} grants={grants} args={args} />,
    },
  ];
}
