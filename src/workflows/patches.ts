/** Ids of `patched()`: what changed, and since when. One may go when no history without its marker is open or kept. */
export const patches = {
  /** Since 0.1.0: short work runs as regular activities. Before, as local ones. */
  nothingLocal: 'nothing-local',
  /**
   * Since 0.1.0: the agent is told to stop also where the turn that was to tell it is lost. Before, such a task
   * ended CANCELED at once, and its agent went on.
   */
  lostWhileStopping: 'lost-while-stopping',
} as const;
