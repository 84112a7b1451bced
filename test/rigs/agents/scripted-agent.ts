// An agent in this process, without HTTP: it sends what a test scripts, when the test says so.
import type { A2aTransport, OutgoingMessage } from '../../../src/activities/a2a/a2a-transport.ts';
import { classifyA2aError } from '../../../src/activities/a2a/a2a-errors.ts';
import type { TaskSnapshot } from '../../../src/activities/a2a/a2a-find.ts';
import type { A2aState, AgentMessage, NeutralArtifact, TurnEvent } from '../../../src/contract/tasks/turn.ts';
import { waitFor } from '../wait-for.ts';

export interface ScriptedAgent {
  transport: A2aTransport;
  /** Messages it got, in order. */
  sent: OutgoingMessage[];
  cancelled: string[];
  /** Readers of its stream now. */
  readers(): number;
  /** Waits until there is one. */
  untilRead(): Promise<boolean>;
  /** Readers that its stream has had until now. */
  everRead(): number;
  token(text: string): void;
  state(state: A2aState, words?: string): void;
  /** What getTask says. */
  task(): TaskSnapshot;
}

const contextId = 'context-1';

export function createScriptedAgent(a2aTaskId: string): ScriptedAgent {
  const sent: OutgoingMessage[] = [];
  const cancelled: string[] = [];
  const queues = new Set<(event: TurnEvent) => void>();
  let state: A2aState = 'submitted';
  let message: AgentMessage | null = null;
  let text = '';
  let count = 0;
  let readersUntilNow = 0;

  const artifactOf = (part: string): NeutralArtifact => ({
    artifactId: 'reply',
    name: 'reply',
    description: '',
    parts: [{ kind: 'text', text: part, metadata: {} }],
    metadata: {},
  });
  const history = (): AgentMessage[] =>
    sent.map(({ messageId, parts, metadata }) => ({
      messageId,
      role: 'user',
      parts: [...parts],
      metadata,
      extensions: [],
    }));
  const task = (): TaskSnapshot => ({
    type: 'task',
    a2aTaskId,
    contextId,
    state,
    message,
    artifacts: text === '' ? [] : [artifactOf(text)],
    history: history(),
  });
  const emit = (event: TurnEvent): void => {
    for (const push of queues) push(event);
  };
  const isOver = (event: TurnEvent): boolean =>
    'state' in event && ['input-required', 'completed', 'failed', 'canceled', 'rejected'].includes(event.state);

  /** The task as it is, then whatever is sent until it pauses or ends. */
  async function* follow(signal: AbortSignal): AsyncGenerator<TurnEvent, void, undefined> {
    const waiting: TurnEvent[] = [task()];
    let wake = (): void => undefined;
    const push = (event: TurnEvent): void => {
      waiting.push(event);
      wake();
    };
    const onAbort = (): void => wake();
    queues.add(push);
    readersUntilNow += 1;
    signal.addEventListener('abort', onAbort);
    try {
      for (;;) {
        signal.throwIfAborted();
        const event = waiting.shift();
        if (event === undefined) await new Promise<void>((resolve) => (wake = resolve));
        else yield event;
        if (event !== undefined && event.type === 'status' && isOver(event)) return;
      }
    } finally {
      queues.delete(push);
      signal.removeEventListener('abort', onAbort);
    }
  }

  const transport: A2aTransport = {
    rawCall: () => Promise.reject(new Error('there is no such method')),
    ping: () => Promise.resolve(),
    card: () => Promise.reject(new Error('a scripted agent has no card')),
    readFile: () => Promise.resolve({ result: 'unavailable', why: 'a scripted agent has no files' }),
    supportsStreaming: () => Promise.resolve(true),
    async *sendStream(outgoing, { signal, onResponse }) {
      sent.push(outgoing);
      state = 'working';
      onResponse?.();
      yield* follow(signal);
    },
    getTask: () => Promise.resolve(task()),
    resubscribe: (_id, { signal }) => follow(signal),
    cancel(id) {
      cancelled.push(id);
      state = 'canceled';
      return Promise.resolve(task());
    },
    findByMessageId: ({ messageId }) =>
      Promise.resolve(sent.some((one) => one.messageId === messageId) ? { found: task() } : { absent: true }),
    classify: (error, signal) => classifyA2aError(error, { signal }),
  };
  return {
    transport,
    sent,
    cancelled,
    task,
    readers: () => queues.size,
    untilRead: () => waitFor(() => queues.size > 0, 5_000, 'a reader at the agent'),
    everRead: () => readersUntilNow,
    token(part) {
      const append = text !== '';
      text += part;
      emit({ type: 'artifact', a2aTaskId, contextId, artifact: artifactOf(part), append, lastChunk: false });
    },
    state(next, words) {
      count += 1;
      state = next;
      const parts: AgentMessage['parts'] = [{ kind: 'text', text: words ?? '', metadata: {} }];
      message =
        words === undefined
          ? null
          : { messageId: `message-${count}`, role: 'agent', parts, metadata: {}, extensions: [] };
      emit({ type: 'status', a2aTaskId, contextId, state, message });
    },
  };
}
