// Reads a mailbox, for which somebody must first give it access elsewhere: in auth-required, until it goes on alone
// as soon as the access is there. What a person writes meanwhile is a note; a secret is never asked for in the chat.

const pollMs = 200;

/** @param {{ grantUrl: (taskId: string) => string, isGranted: (taskId: string) => boolean }} access @returns {import('../serve-agent.js').Play} */
export function createMailboxPlay(access) {
  return async (turn, ctx) => {
    turn.open();
    turn.status('TASK_STATE_WORKING');
    if (!access.isGranted(ctx.taskId)) {
      turn.status('TASK_STATE_AUTH_REQUIRED', [
        {
          text: 'I need to read your mailbox. Please allow it on the page of your mail provider (scope mailbox.read).',
        },
        { url: access.grantUrl(ctx.taskId) },
      ]);
      // The stream stays open meanwhile: a client that follows the task sees it go on.
      while (!access.isGranted(ctx.taskId)) await turn.pause(pollMs);
    }
    turn.artifact({ artifactId: 'summary', name: 'summary', parts: [{ text: 'Three mails, none of them urgent.' }] });
    turn.status('TASK_STATE_COMPLETED', [{ text: 'I have read the mailbox.' }]);
  };
}
