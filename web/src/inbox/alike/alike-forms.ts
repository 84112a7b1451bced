// Forms of one sort answered together: what is the same in all of them, what differs, and why one cannot join; pure.
import type { DecisionBody } from '../../../../src/contract/holds/decision.ts';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import {
  type Apart as ApartAlone,
  mostFormColumns,
  whyApart as whyApartAlone,
} from '../../../../src/core/answers/apart.ts';
import { approvedForm, type AskedForm, rejectedForm, withoutVerdict } from '../../hold/answer/verdict.ts';
import { type Dict, dictOf, isSame } from '../../hold/values/dict.ts';
import { shapeOf } from '../../hold/values/schema-walk.ts';

export type AlikeForm = HoldView & AskedForm;

/** Why a form is answered alone: for what it is, or because of the others. */
export type Apart = ApartAlone | 'fields' | 'own';

export interface JoinedForms {
  joined: AlikeForm[];
  apart: { hold: HoldView; why: Apart }[];
  /** Fields whose values are not the same in all: a column each. */
  columns: string[];
  /** Values that all have. */
  same: Dict;
  /** Fields that a yes still asks for, once for all of them. */
  asks: string[];
}

const isForm = (hold: HoldView): hold is AlikeForm => hold.decides !== null && hold.kind === 'form';

function whyApart(hold: HoldView, first: AlikeForm): Apart | null {
  const why = whyApartAlone(hold);
  if (why !== null) return why;
  if (!isForm(hold)) return 'verdict';
  const isOne = isSame(hold.schema, first.schema) && isSame(hold.decides, first.decides);
  return isOne && hold.onReject === first.onReject && shapeOf(hold.schema).style === 'form' ? null : 'fields';
}

const valuesOf = (hold: AlikeForm): Dict => withoutVerdict(hold, hold.defaults);

function lacksOf(hold: AlikeForm): string[] {
  const answer = approvedForm(hold, valuesOf(hold));
  return 'lacks' in answer ? answer.lacks : [];
}

/** The first form that can be answered with others decides which the others are. */
export function joinForms(holds: readonly HoldView[]): JoinedForms {
  const first = holds.filter(isForm).find((hold) => whyApart(hold, hold) === null);
  const apart: JoinedForms['apart'] = [];
  const fitting: AlikeForm[] = [];
  for (const hold of holds) {
    const why = first === undefined ? (whyApart(hold, hold as AlikeForm) ?? 'verdict') : whyApart(hold, first);
    if (why === null && isForm(hold)) fitting.push(hold);
    else apart.push({ hold, why: why ?? 'verdict' });
  }
  const [model] = fitting;
  const names = model === undefined ? [] : Object.keys(withoutVerdict(model, dictOf(model.schema['properties'])));
  const differs = (name: string): boolean =>
    fitting.some((hold) => !isSame(hold.defaults[name], model?.defaults[name]));
  const columns = names.filter(differs);
  // What one of them lacks and others have is for that one alone.
  const lacksOwn = (hold: AlikeForm): boolean => lacksOf(hold).some((name) => columns.includes(name));
  const joined = columns.length > mostFormColumns ? [] : fitting.filter((hold) => !lacksOwn(hold));
  for (const hold of fitting) if (!joined.includes(hold)) apart.push({ hold, why: 'own' });
  const asks = [...new Set(joined.flatMap(lacksOf))];
  const same = Object.fromEntries(
    names
      .filter((name) => !columns.includes(name) && !asks.includes(name) && model?.defaults[name] !== undefined)
      .map((name) => [name, model?.defaults[name]]),
  );
  return { joined, apart, columns, same, asks };
}

/** What each of them is sent; null where it cannot be sent as it is. `shared`: what was filled in once for all. */
export function formBody(
  hold: AlikeForm,
  what: 'approve' | 'reject',
  shared: Dict,
  reason: string,
): DecisionBody | null {
  const values = { ...valuesOf(hold), ...shared };
  const answer = what === 'approve' ? approvedForm(hold, values) : rejectedForm(hold, values, reason);
  return 'body' in answer ? answer.body : null;
}
