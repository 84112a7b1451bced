// Which of an agent's errors mean that it cannot be called this way, and which are its own answer.
import type { A2aErrorInfo } from '../../contract/tasks/agent-error.ts';

const noSuchWay: readonly (number | undefined)[] = [404, 405, 406, 501];

/** The agent, or a proxy before it, does not support this kind of call; another kind may work. */
export function lacksWay(known: A2aErrorInfo): boolean {
  return known.what === 'unsupported' || lacksRoute(known);
}

/** There is no such method or address, so nothing of the agent's ran. -32004 is excluded: agents also return it afterwards. */
export function lacksRoute({ what, status }: A2aErrorInfo): boolean {
  return what === 'no-method' || (what === 'http' && noSuchWay.includes(status));
}

/**
 * The agent does not know the method, its address or the version of A2A: nothing was taken, and the card by which it was
 * called may be that of a version before.
 */
export function isOfOtherCard({ what, status, wasTaken }: A2aErrorInfo): boolean {
  return wasTaken === false && (what === 'no-method' || what === 'no-version' || (what === 'http' && status === 404));
}

/** The agent itself reported an error: its reply to the message may be lost. */
export function isAgentsAnswer({ what }: A2aErrorInfo): boolean {
  return ['unsupported', 'no-method', 'no-version', 'no-push', 'refused', 'agent-error'].includes(what);
}
