// One decision of a pane: how far it is, and what a person can do about it; decide/use-decision.ts sends it.
import type { DecisionBody } from '../../../../src/contract/holds/decision.ts';
import type { FieldError } from '../../base/live/api-error.ts';
import type { Sending } from './sending.ts';

export interface Decision {
  sending: Sending;
  /** What the server found wrong in the answer. */
  problems: readonly FieldError[];
  submit: (body: DecisionBody) => void;
  tryNow: () => void;
  /** Forgets a refusal: the person goes on. */
  dismiss: () => void;
}
