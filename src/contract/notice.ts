import type { NoticeEvent } from './config.ts';

/** Input of the activity `deliverNotice` and of the workflow `notice`: one event of one hold. */
export interface NoticeInput {
  holdId: string;
  event: NoticeEvent;
  /** Which reminder or escalation of the hold it is, from 0. Of a move: which change of its task; of a reassignment request: after how many moves. */
  k: number;
  /** Who passed it on, to whom as well, or who requested that somebody did, and with which note. */
  cause?: NoticeCause;
}

export interface NoticeCause {
  by: string;
  to: string[];
  note: string | null;
}
