// Whoever watches the task's long run sees there what a person said into it by a short one. Another hand than the turn's
// writes it, whole and under an id of its own, so the turn goes on undisturbed; whatever closes the run reads its log anew.
import type { AguiEvent } from '../../contract/event.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { RunRow, Store } from '../../store/store.ts';
import { injectedEvents } from '../../wire/agui/project/injected.ts';
import { messageId } from '../../wire/agui/model/projection.ts';
import { readProjection } from '../run-log/run-writer.ts';

const markerName = 'holdpoint.injected';

/** Shows these messages in the open run of the task, once: the short run's own log remembers it. */
export async function showInjected(
  store: Store,
  own: { run: RunRow; fence: number },
  messages: readonly JsonObject[],
): Promise<void> {
  const history = await store.log.read(own.run.logId, 0);
  if (history.some(({ event }) => event.type === 'CUSTOM' && event['name'] === markerName)) return;
  const long = (await store.runs.openOf(own.run.taskId)).findLast(({ isControl }) => !isControl);
  const events = long === undefined ? [] : injectedEvents(await readProjection(store, long), messages);
  await store.tx(async (tables) => {
    // Its turn may have ended in this moment: then its last word has been said.
    const isShown = long !== undefined && (await tables.log.appendAlongside(long.logId, events));
    const value: JsonObject = { runId: isShown ? long.runId : null, messageIds: messages.map(messageId) };
    const marker: AguiEvent = { type: 'CUSTOM', name: markerName, value };
    await tables.log.append(own.run.logId, own.fence, [marker]);
  });
}
