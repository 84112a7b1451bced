// What the requester wrote to begin the task of a question: theirs, and no part of what is asked.
import type { ReactNode } from 'react';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { shortName } from '../../base/account/names.ts';
import { Monogram } from '../../ui/monogram.tsx';
import { quotedWords } from '../words/quoted.ts';

/** With their face, their name and quotation marks. */
export const Request = ({ hold: { quotation } }: { hold: Pick<HoldView, 'quotation'> }): ReactNode =>
  quotation !== null && (
    <p className="hold-request cluster meta">
      <Monogram id={quotation.by} name={shortName(quotation.by)} isPerson />
      <bdi dir="auto">{quotedWords(shortName(quotation.by), quotation, 200)}</bdi>
    </p>
  );
