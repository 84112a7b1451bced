/** A request that we refuse to make; `wasSent` when the agent may have taken what it answered with a redirect. */
export class PolicyError extends Error {
  override name = 'PolicyError';
  readonly wasSent: boolean;
  constructor(message: string, wasSent = false) {
    super(message);
    this.wasSent = wasSent;
  }
}
