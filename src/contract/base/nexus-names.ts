/** What workflows of others call Standfast by, over Temporal's Nexus; it is in the published contracts and never changes. */
export const nexusService = 'standfast';
/** The endpoint that `standfast up` makes in its own server. */
export const ownEndpoint = 'standfast';
