/** Why something failed, in short: an activity's failure tells it in its cause. */
export function messageOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message.slice(0, 500) : String(cause).slice(0, 500);
}
