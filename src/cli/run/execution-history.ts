// An execution's history, decoded: what `rebuild` reads where the database is lost.
import type { Client, WorkflowHandle } from '@temporalio/client';
import type { LoadedDataConverter, Payload, PayloadCodec, SerializationContext } from '@temporalio/common';
import { decode as openPayloads, decodeArrayFromPayloads } from '@temporalio/common/lib/internal-non-workflow/index.js';
import type { ExecutionHistory } from '../../activities/deps.ts';
import type { WorkflowId } from '../../contract/base/id-types.ts';
import { MissingKeyError } from '../../host/secrets/codec-keys.ts';
import { keyIdOf } from '../../host/temporal/payload-codec.ts';

type Event = NonNullable<Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']>[number];
type Payloads = { payloads?: Payload[] | null } | null | undefined;
/** Of the workflow, or of this activity of it. */
type Decode = (payloads: Payloads, activityId?: string | null) => Promise<unknown>;

export async function readHistory(client: Client, workflowId: WorkflowId, runId: string): Promise<ExecutionHistory> {
  const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
  const { namespace, loadedDataConverter } = client.options;
  const decode = firstOf(loadedDataConverter, { namespace, workflowId });
  const [first] = events ?? [];
  const started = first?.workflowExecutionStartedEventAttributes;
  if (first === undefined || !started) throw new Error('its history has no beginning');
  return {
    firstExecutionRunId: started.firstExecutionRunId ?? '',
    startedAt: isoOf(first),
    start: await decode(started.input),
    activities: await activitiesOf(events ?? [], decode),
    closed: await closedBy(events?.at(-1), decode),
  };
}

/** The id of the key that an execution is encrypted with, where this client lacks it. */
export async function lackedKey(client: Client, workflowId: string, runId: string): Promise<string | null> {
  const { namespace, loadedDataConverter } = client.options;
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace,
    execution: { workflowId, runId },
    maximumPageSize: 1,
  });
  const [payload] = history?.events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  return payload === undefined ? null : lackedKeyOf(loadedDataConverter.payloadCodecs, payload);
}

/** The id of the key that a payload is encrypted with where these codecs lack it. */
async function lackedKeyOf(codecs: readonly PayloadCodec[], payload: Payload): Promise<string | null> {
  try {
    const [opened = payload] = await openPayloads([...codecs], [payload]);
    return keyIdOf(opened);
  } catch (error) {
    return error instanceof MissingKeyError ? keyIdOf(payload) : null;
  }
}

/** Decodes the first of several values: all that is sent here has one. */
const firstOf =
  (converter: LoadedDataConverter, of: { namespace: string; workflowId: string }): Decode =>
  async (given, activityId) => {
    if (!given?.payloads?.length) return undefined;
    const context: SerializationContext =
      activityId == null ? { type: 'workflow', ...of } : { type: 'activity', ...of, activityId, isLocal: false };
    return (await decodeArrayFromPayloads(converter, given.payloads.slice(0, 1), context))[0];
  };

const isoOf = ({ eventTime }: Event): string => new Date(Number(eventTime?.seconds ?? 0) * 1000).toISOString();

async function activitiesOf(events: Event[], decode: Decode): Promise<ExecutionHistory['activities']> {
  const results = new Map<string, Payloads>();
  for (const { activityTaskCompletedEventAttributes: done } of events)
    if (done) results.set(String(done.scheduledEventId), done.result);
  const scheduled = events.filter(({ activityTaskScheduledEventAttributes: given }) => given);
  return Promise.all(
    scheduled.map(async ({ eventId, activityTaskScheduledEventAttributes: given }) => ({
      name: given?.activityType?.name ?? '',
      input: await decode(given?.input, given?.activityId ?? ''),
      result: await decode(results.get(String(eventId)), given?.activityId ?? ''),
    })),
  );
}

async function closedBy(last: Event | undefined, decode: Decode): Promise<ExecutionHistory['closed']> {
  const completed = last?.workflowExecutionCompletedEventAttributes;
  if (completed) return { kind: 'completed', result: await decode(completed.result) };
  if (last?.workflowExecutionContinuedAsNewEventAttributes) return { kind: 'continued' };
  if (last?.workflowExecutionFailedEventAttributes) return { kind: 'failed' };
  if (last?.workflowExecutionCanceledEventAttributes) return { kind: 'canceled' };
  if (last?.workflowExecutionTerminatedEventAttributes) return { kind: 'terminated' };
  if (last?.workflowExecutionTimedOutEventAttributes) return { kind: 'timed-out' };
  return null;
}
