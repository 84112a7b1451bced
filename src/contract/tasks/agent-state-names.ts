// States of an agent's task, spelled as in A2A 0.3.

/** The agent waits for a person. */
export const pausedStates = ['input-required', 'auth-required'] as const;
export type PausedState = (typeof pausedStates)[number];
export const endStates = ['completed', 'failed', 'rejected', 'canceled'] as const;
export type EndState = (typeof endStates)[number];

export const isPausedState = (state: string): state is PausedState => pausedStates.some((one) => one === state);
export const isEndState = (state: string): state is EndState => endStates.some((one) => one === state);
