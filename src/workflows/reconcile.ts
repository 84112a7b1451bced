import type { ReconcileReport } from '../contract/activity.ts';
import { reconcile } from './activity-options.ts';

/** Started by a schedule every few minutes: nothing stays in an inbox for ever. */
export async function reconcileTasks(): Promise<ReconcileReport> {
  return reconcile();
}
