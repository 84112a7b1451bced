/** What workflows of others call Holdpoint by, over Temporal's Nexus; it is in the published contracts and never changes. */
export const nexusService = 'holdpoint';
/** The endpoint that `holdpoint up` makes in its own server. */
export const ownEndpoint = 'holdpoint';
