// An api whose mails bring links to decide by, and a workflow that takes every decision.
import type { DecideCommand } from '../../../src/contract/holds/decision.ts';
import { createLinkSigner, linkHash, type LinkClaim } from '../../../src/host/secrets/tokens.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { aDecision, aHold, aQuestion, aTask, fakeTasks, freshThread, keyConfig, type Rig } from '../rig.ts';
import { describeApi, type DescribedApi } from '../describe-api.ts';

/** The rig's. */
export const signer = createLinkSigner('5e'.repeat(32));
export const later = '2099-01-01T00:00:00.000Z';
const channel = { type: 'mail' as const, server: 'smtp://127.0.0.1:1', from: 'a@example.org', decideLinks: true };

export const yesNo = aQuestion({
  kind: 'confirmation',
  title: 'Pay <b>Miller</b>?',
  message: 'It is "due"\nnow \u202e.',
  schema: { type: 'object', properties: { go: { type: 'boolean' } }, required: ['go'] },
});

interface LinkRig {
  rig: DescribedApi;
  /** What the workflow was given. */
  commands: DecideCommand[];
  /** From now on the workflow takes decisions; with `isVote` each is one vote of two, and leaves the question open. */
  decides(isVote?: boolean): void;
  asked(change?: Parameters<typeof aHold>[2]): Promise<HoldRow>;
  /** As it is sent: made with the key, and its row in the database. */
  linkTo(hold: HoldRow, over?: Partial<LinkClaim>, on?: Rig): Promise<string>;
}

export function describeLinks(): LinkRig {
  const users = { anna: { email: 'anna@example.org' }, fin: { away: { delegate: 'user:ben' } } };
  const notifications = { channels: { mail: channel } };
  const rig = describeApi({ withKeys: true, config: { auth: { keys: keyConfig }, users, notifications } });
  const commands: DecideCommand[] = [];
  return {
    rig,
    commands,
    decides(isVote = false) {
      Object.assign(rig.tasks, fakeTasks());
      rig.setNow(null);
      commands.length = 0;
      rig.tasks.decide = async (_task, command) => {
        commands.push(command);
        const { entry, principal } = command;
        const { status, values, reason, hold: holdId } = entry;
        const decision = isVote ? null : aDecision({ by: principal.id, status, values, reason, source: 'link' });
        const votes = { have: 1, need: isVote ? 2 : 1 };
        const taskStatus = isVote ? 'NEEDS_REVIEW' : 'USER_INPUT_RECEIVED';
        return { kind: 'answer', value: { holdId, decision, votes, isRepeat: false, taskStatus } };
      };
    },
    asked: async (change = {}) =>
      aHold(rig.store, await aTask(rig.store, freshThread(), { owner: 'anna' }), {
        audience: ['role:finance'],
        question: yesNo,
        expiresAt: later,
        ...change,
      }),
    async linkTo(hold, over = {}, on: Rig = rig) {
      const claim = { holdId: hold.holdId, digest: hold.digest, user: 'fin', expiresAt: later, ...over };
      const token = signer.tokenOf(claim);
      await on.store.links.issue({ ...claim, hash: linkHash(token) });
      return `/decide/${token}`;
    },
  };
}
