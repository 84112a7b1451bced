export const firstJourneys: readonly string[];
