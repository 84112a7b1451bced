/** States of an agent's circuit that is not closed (src/core/turn/circuit.ts). */
export const circuitStates = ['open', 'half-open', 'closing'] as const;
