// A person's words where there is no room for a block of their own: in quotation marks, with who wrote them; pure.
import type { Quotation } from '../../../../src/contract/base/quotation.ts';
import type { TaskView } from '../../../../src/contract/tasks/task.ts';
import { oneLine } from '../../base/text/visible.ts';
import { strings } from '../../i18n/strings.ts';

/** `bob: “Refund Miller Ltd”`; the name alone where they wrote nothing. */
export const quotedWords = (who: string, quotation: Quotation | null, max: number): string =>
  quotation === null ? who : `${who}: ${strings.inbox.quoted(oneLine(quotation.words, max))}`;

/** What a task is called: in quotation marks, where that is what its requester wrote. */
export const taskTitle = ({ title, quotation }: Pick<TaskView, 'title' | 'quotation'>, max: number): string =>
  quotation === null ? oneLine(title, max) : strings.inbox.quoted(oneLine(quotation.words, max));
