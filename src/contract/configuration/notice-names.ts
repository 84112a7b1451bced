// What people and channels are notified of: each event, whom it is for and how a message says it. Others read this table.

interface NoticeKind {
  /** It asks people to decide, says how the question ended, or neither. */
  is: 'call' | 'end' | 'news';
  /**
   * `asked`: who may decide and has not agreed; `added`: those of them to whom it was passed on; `step`: those whom a step
   * of the ladder adds; `movers`: who can pass it on; `named`: those of them whom the cause names; `concerned`: who was
   * asked, and who opened the thread.
   */
  to: 'asked' | 'added' | 'step' | 'movers' | 'named' | 'concerned';
  /** What a message says of the question, after its title. */
  words: string;
  /** Several people may cause it, and each one's is sent. */
  isByPerson?: true;
  /** Where messages are brought up to date, it sends none of its own. */
  isUpdate?: true;
}

const kinds = {
  opened: { is: 'call', to: 'asked', words: 'needs an answer' },
  reminder: { is: 'call', to: 'asked', words: 'still waits for an answer' },
  escalation: { is: 'call', to: 'step', words: 'now waits for you' },
  reassigned: { is: 'call', to: 'added', words: 'was passed on and waits for an answer' },
  'reassign-asked': {
    is: 'news',
    to: 'movers',
    words: 'should be passed on: somebody asks for it',
    isByPerson: true,
  },
  undecidable: {
    is: 'news',
    to: 'movers',
    words: 'can be decided by no one who is asked: it should be passed on',
  },
  mentioned: { is: 'news', to: 'named', words: 'was commented on, and you are named' },
  nudged: { is: 'call', to: 'asked', words: 'still waits for an answer: somebody asks for it' },
  extended: { is: 'call', to: 'asked', words: 'has a later deadline', isUpdate: true },
  decided: { is: 'end', to: 'concerned', words: 'was decided' },
  expired: { is: 'end', to: 'concerned', words: 'expired' },
  superseded: { is: 'end', to: 'concerned', words: 'is asked again: a newer question takes its place' },
} as const satisfies Record<string, NoticeKind>;

export type NoticeEvent = keyof typeof kinds;
export const noticeKinds: Record<NoticeEvent, NoticeKind> = kinds;
export const noticeEvents = Object.keys(kinds) as [NoticeEvent, ...NoticeEvent[]];
