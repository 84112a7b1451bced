import type { ActivityDeps } from '../../activities/deps.ts';

/**
 * For tests of crashes alone: HOLDPOINT_TEST_SEAM names a seam at which every activity of this process stands still for ever,
 * so that whoever kills it knows where it was.
 */
export function seamOf(environment: NodeJS.ProcessEnv): ActivityDeps['atSeam'] {
  const held = environment['HOLDPOINT_TEST_SEAM'];
  return (seam) => (held === seam ? new Promise<void>(() => undefined) : Promise.resolve());
}
