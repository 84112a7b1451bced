// An AG-UI server that is not Standfast's, on the official encoder and schemas: it asks what a test gives it, and is as strict
// as the contract allows a server to be.
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { type BaseEvent, EventType, type Interrupt } from '@ag-ui/core';
import { EventSchemas, RunAgentInputSchema } from '@ag-ui/core/schemas';
import { EventEncoder } from '@ag-ui/encoder';

type RunInput = ReturnType<typeof RunAgentInputSchema.parse>;
type ResumeEntry = NonNullable<RunInput['resume']>[number];
type AnyEvent = BaseEvent & Record<string, unknown>;

export interface ForeignServer {
  url: string;
  /** What the next run without an answer ends with. */
  asks: Interrupt[];
  /** Answers as they came, oldest first; refused ones too. */
  resumes: ResumeEntry[][];
  /** Refuses the next answer in these words. */
  refuses: string | null;
  close(): Promise<void>;
}

export async function startForeignServer(): Promise<ForeignServer> {
  const encoder = new EventEncoder();
  let open: Interrupt[] = [];

  /** Why an answer is not taken; null: it is. */
  function wrongWith(resume: readonly ResumeEntry[]): string | null {
    const { refuses } = self;
    self.refuses = null;
    if (refuses !== null) return refuses;
    const named = resume.map(({ interruptId }) => interruptId).toSorted();
    const ids = open.map(({ id }) => id).toSorted();
    if (JSON.stringify(named) !== JSON.stringify(ids)) return `${ids.join()} are open, ${named.join()} answered`;
    const isLate = ({ interruptId, status }: ResumeEntry): boolean =>
      status === 'resolved' && Date.parse(open.find(({ id }) => id === interruptId)?.expiresAt ?? '') <= Date.now();
    return resume.some(isLate) ? 'too late' : null;
  }

  /** The call that a question is about: each the same one. */
  function callOf({ toolCallId }: Interrupt): AnyEvent[] {
    if (toolCallId === undefined) return [];
    return [
      { type: EventType.TOOL_CALL_START, toolCallId, toolCallName: 'send_mail' },
      { type: EventType.TOOL_CALL_ARGS, toolCallId, delta: '{"to":"ana@example.org"}' },
      { type: EventType.TOOL_CALL_END, toolCallId },
    ];
  }

  function eventsOf({ threadId, runId, resume = [] }: RunInput): AnyEvent[] {
    const started = { type: EventType.RUN_STARTED, threadId, runId };
    const failed = (message: string): AnyEvent[] => [started, { type: EventType.RUN_ERROR, message, code: 'refused' }];
    const saying = (delta: string): AnyEvent[] => {
      const messageId = `message-${runId}`;
      return [
        { type: EventType.TEXT_MESSAGE_START, messageId, role: 'assistant' },
        { type: EventType.TEXT_MESSAGE_CONTENT, messageId, delta },
        { type: EventType.TEXT_MESSAGE_END, messageId },
      ];
    };
    if (resume.length === 0) {
      if (open.length > 0) return failed('answer first');
      open = self.asks;
      const outcome = { type: 'interrupt', interrupts: open };
      return [
        started,
        ...saying('Let me ask.'),
        ...open.flatMap(callOf),
        { type: EventType.RUN_FINISHED, threadId, runId, outcome },
      ];
    }
    self.resumes.push(resume);
    const wrong = wrongWith(resume);
    if (wrong !== null) return failed(wrong);
    open = [];
    return [started, ...saying('Thank you.'), { type: EventType.RUN_FINISHED, threadId, runId }];
  }

  const server = createServer((request, response) => {
    void json(request).then((body) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const event of eventsOf(RunAgentInputSchema.parse(body))) {
        EventSchemas.parse(event);
        response.write(encoder.encodeSSE(event));
      }
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const self: ForeignServer = {
    url: `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}/`,
    asks: [],
    resumes: [],
    refuses: null,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return self;
}
