// What people do about a question, an act a row: read by routes, commands, pages, documents and tests. Bodies are in
// `acts.ts`; who may is decided in `acts/may.ts` of core.

/** Who may do an act: how a refusal and a document call them, and the code by which all others are refused. */
export const whoMay = {
  seers: { words: 'everyone who sees the question', code: 'not_found' },
  people: { words: 'people who see the question', code: 'not_allowed_to_decide' },
  deciders: { words: 'those who may decide the question', code: 'not_allowed_to_decide' },
  discussers: { words: 'those who may decide the question, and operators', code: 'forbidden' },
  movers: {
    words: 'those who may decide the question, operators, and the last to pass it on',
    code: 'not_allowed_to_decide',
  },
  bystanders: { words: 'people who see the question and may not pass it on themselves', code: 'forbidden' },
  waiting: { words: 'people who see the question and may not decide it', code: 'forbidden' },
  extenders: {
    words: 'operators, and under `extend: asked` those who may decide the question',
    code: 'not_allowed_to_decide',
  },
  undoers: {
    words: 'the author of the decision, operators, and those the question escalates to',
    code: 'not_allowed_to_decide',
  },
  owners: { words: 'the requester, and operators', code: 'forbidden' },
  operators: { words: 'operators', code: 'not_allowed_to_decide' },
} as const;
export type WhoMay = keyof typeof whoMay;

/** An argument of a command, or an option (`--by <duration>`), and what it means. */
export type Taken = readonly [flags: string, words: string];

interface Command {
  words: string;
  takes?: readonly Taken[];
  examples?: readonly string[];
}

/** Questions that an act on many takes at most. */
export const maxAmended = 1_000;

interface Act {
  who: WhoMay;
  /** After "may". */
  verb: string;
  /** On one question: its route. Null: on many alone. */
  one: {
    method: 'DELETE' | 'POST' | 'PUT';
    path: string;
    summary: string;
    description?: string;
  } | null;
  /** `standfast <name>`; missing: another command does it, or none. */
  command?: Command;
  /** On many, by operators: `standfast holds <name>`, and what is done to them. */
  many: (Command & { verb: string }) | null;
  /** The act that takes it back. */
  undoneBy: string | null;
}

const note: Taken = ['--note <text>', 'why'];
const assignees: Taken = ['<to...>', 'who is asked instead: role:finance, user:anna'];
const later: readonly Taken[] = [
  ['--by <duration>', 'how long after the present deadline: 4h, 2d'],
  ['--until <time>', 'the new deadline: 2027-06-30T18:00:00Z'],
  note,
];

export const acts = {
  claim: {
    who: 'deciders',
    verb: 'claim it',
    one: {
      method: 'POST',
      path: '/api/holds/:id/claim',
      summary: 'Say that one works on a question',
      description: 'Somebody else’s claim stays, unless `takeOver` is true; the answer says who has it.',
    },
    command: { words: 'says that you work on a question (others may still decide it)' },
    many: null,
    undoneBy: 'release',
  },
  release: {
    who: 'seers',
    verb: 'release it',
    one: {
      method: 'POST',
      path: '/api/holds/:id/release',
      summary: 'Release a question: one’s own claim, or as an operator any',
    },
    command: { words: 'says that you do not work on it any more' },
    many: null,
    undoneBy: 'claim',
  },
  answer: {
    who: 'deciders',
    verb: 'answer it',
    one: {
      method: 'POST',
      path: '/api/holds/:id/decision',
      summary: 'Decide a question; 200 once its workflow has it',
      description:
        'The same decision again gets the same answer, so any request may be repeated; an Idempotency-Key is accepted and not needed. Where several must agree the hold stays open, with its votes, until enough have.',
    },
    many: {
      words: 'answers all yes/no questions that match, under your name; those that you may not decide are left',
      verb: 'answer',
      takes: [
        ['--approve', 'say yes'],
        ['--reject', 'say no'],
        ['--reason <text>', 'why they are rejected'],
      ],
      examples: ['holds --policy small answer --approve', "holds --q 'miller' answer --reject --reason 'withdrawn'"],
    },
    undoneBy: 'undo',
  },
  withdraw: {
    who: 'seers',
    verb: 'withdraw their vote',
    one: {
      method: 'DELETE',
      path: '/api/holds/:id/vote',
      summary: 'Take back one’s own vote, as long as others are missing',
    },
    command: { words: 'takes your own vote back while others are still needed' },
    many: null,
    undoneBy: 'answer',
  },
  undo: {
    who: 'undoers',
    verb: 'take the decision back',
    one: {
      method: 'POST',
      path: '/api/holds/:id/undo',
      summary: 'Take back a decision, as long as it has not been sent',
      description:
        'Where the policy of the question has a `grace`. The question is open again as it was, and the next decision of that person is sent at once. Once it has been sent: `hold_closed`. The same again changes nothing.',
    },
    command: { words: 'takes your own decision back that has not been sent (policies with a grace)' },
    many: null,
    undoneBy: 'answer',
  },
  reassign: {
    who: 'movers',
    verb: 'pass it on',
    one: {
      method: 'POST',
      path: '/api/holds/:id/reassign',
      summary: 'Ask others instead',
      description:
        'The note is shown with the question and in the timeline of its task. To an agent only where the policy of the question asks it: handing over is no way around a policy. Who passed a question on takes it back by naming those who were asked before (`from` of its move), as long as it has not been claimed, agreed to, decided or passed on since.',
    },
    command: {
      words: 'asks others instead',
      takes: [assignees, note],
      examples: ["reassign 91b70a07 role:finance-lead --note 'above my limit'"],
    },
    many: {
      words: 'asks others instead, for all that match (operators)',
      verb: 'reassign',
      takes: [assignees, note],
      examples: ['holds --agent refunds reassign role:finance-lead'],
    },
    undoneBy: 'reassign',
  },
  'ask-reassign': {
    who: 'bystanders',
    verb: 'ask for it to be passed on',
    one: {
      method: 'POST',
      path: '/api/holds/:id/reassign-ask',
      summary: 'Ask for others to be asked',
      description:
        'Shown with the question to those asked and to operators, until one of them passes it on, and sent to them by their channels (`reassign-asked`). Once each: the same again changes nothing.',
    },
    command: { words: 'asks those who are asked to pass a question on', takes: [note] },
    many: null,
    undoneBy: null,
  },
  extend: {
    who: 'extenders',
    verb: 'extend its deadline',
    one: {
      method: 'POST',
      path: '/api/holds/:id/extend',
      summary: 'Move the deadline of a question to a later time',
      description:
        'The same `until` again changes nothing; `by` counts from the present deadline, so it adds up when it is repeated.',
    },
    command: {
      words: 'moves the deadline of a question to a later time',
      takes: later,
      examples: ["extend 91b70a07 --by 4h --note 'the auditor is on a plane'"],
    },
    many: {
      words: 'moves the deadlines of all that match (operators)',
      verb: 'extend',
      takes: later,
      examples: [
        'holds --policy finance extend --by 4h',
        "holds --policy finance extend --by 4h --note 'audit week' --confirm 37-5d1c2b7e90af",
      ],
    },
    undoneBy: null,
  },
  nudge: {
    who: 'waiting',
    verb: 'nudge',
    one: {
      method: 'POST',
      path: '/api/holds/:id/nudge',
      summary: 'Have the notice of a question sent again',
      description:
        'To those who may decide it now, by the channels of the question and their own (`nudged`). Once an hour for each question; sooner it is `rate_limited`, with the seconds in `retry-after`. It is in the timeline of the task.',
    },
    command: { words: 'has the notice of a question sent again to those who may decide it' },
    many: null,
    undoneBy: null,
  },
  snooze: {
    who: 'people',
    verb: 'snooze it',
    one: {
      method: 'PUT',
      path: '/api/holds/:id/snooze',
      summary: 'Be reminded of a question later: it leaves one’s own “For me” until then',
      description: 'One’s own alone: its deadline, its ladder and everybody else’s view stay as they are.',
    },
    command: {
      words: 'hides a question from your own list for a while',
      takes: [['<until>', 'when it is back: 2027-06-30T18:00:00Z']],
    },
    many: null,
    undoneBy: 'unsnooze',
  },
  unsnooze: {
    who: 'people',
    verb: 'unsnooze it',
    one: { method: 'DELETE', path: '/api/holds/:id/snooze', summary: 'See a question again at once' },
    command: { words: 'shows a snoozed question again at once' },
    many: null,
    undoneBy: 'snooze',
  },
  comment: {
    who: 'discussers',
    verb: 'discuss it',
    one: {
      method: 'POST',
      path: '/api/holds/:id/comments',
      summary: 'Say something to the others who may decide it',
      description:
        'Kept with the question, also when the agent asks it again, and never sent to the agent. `@name` tells that person by their channels (`mentioned`), if they may decide it or are an operator.',
    },
    command: {
      words: 'says something to the others who may decide a question; the agent never gets it',
      takes: [['<text>', 'what to say; @name notifies that person']],
    },
    many: null,
    undoneBy: null,
  },
  cancel: {
    who: 'owners',
    verb: 'cancel its task',
    one: {
      method: 'POST',
      path: '/api/tasks/:id/cancel',
      summary: 'Cancel a task, at the agent too; 202 when the agent has not answered yet',
    },
    many: {
      words: 'cancels the tasks of all that match, at their agents too (operators)',
      verb: 'cancel the tasks of',
      examples: ['holds --agent refunds cancel'],
    },
    undoneBy: null,
  },
  reapply: {
    who: 'operators',
    verb: 'reapply its policy',
    one: null,
    many: {
      words: 'plans all that match again, under their policy as it is configured now (operators)',
      verb: 'reapply the policy to',
      takes: [['--dry-run', 'say what would become of each, and change nothing']],
      examples: [
        'holds --policy finance reapply --dry-run',
        'holds --policy finance reapply --confirm 37-5d1c2b7e90af',
      ],
    },
    undoneBy: null,
  },
} as const satisfies Record<string, Act>;

export type ActName = keyof typeof acts;
export type ManyAct = { [N in ActName]: (typeof acts)[N]['many'] extends null ? never : N }[ActName];

/** The same as a list, whose members all have the same shape. */
export const actList = Object.entries<Act>(acts).map(([name, act]) => ({ ...act, name: name as ActName }));
/** What stands in a description, a document and a refusal. */
export const whoWords = (act: ActName): string => whoMay[acts[act].who].words;
