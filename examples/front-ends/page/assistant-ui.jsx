// assistant-ui: `useAgUiRuntime` with an agent of `@ag-ui/client`, and a history that Standfast keeps.
import { HttpAgent } from '@ag-ui/client';
import {
  AssistantRuntimeProvider,
  ComposerPrimitive,
  ExportedMessageRepository,
  MessagePrimitive,
  ThreadPrimitive,
} from '@assistant-ui/react';
import {
  fromAgUiMessages,
  useAgUiInterrupts,
  useAgUiRuntime,
  useAgUiSubmitInterruptResponses,
} from '@assistant-ui/react-ag-ui';
import { createRoot } from 'react-dom/client';
import { runUrl, threadId } from './conversation.js';
import { Questions } from './questions.jsx';

const agent = new HttpAgent({ url: runUrl, threadId });

const history = {
  /** Reads the conversation once; the runtime takes open questions from the metadata of the last message. */
  async load() {
    const reader = new HttpAgent({ url: runUrl, threadId });
    await reader.runAgent({ forwardedProps: { a2a: { subscribeOnly: true } } });
    const messages = fromAgUiMessages(reader.messages);
    const interrupts = reader.pendingInterrupts;
    if (interrupts.length > 0)
      Object.assign(messages.findLast(({ role }) => role === 'assistant') ?? {}, {
        status: { type: 'requires-action', reason: 'interrupt' },
        metadata: { custom: { agui: { interrupts } } },
      });
    return ExportedMessageRepository.fromArray(messages);
  },
  /** Standfast has it already. */
  async append() {},
};

function Message() {
  return (
    <MessagePrimitive.Root>
      <MessagePrimitive.Parts />
    </MessagePrimitive.Root>
  );
}

function OpenQuestions() {
  const submit = useAgUiSubmitInterruptResponses();
  return <Questions interrupts={useAgUiInterrupts()} onAnswers={submit} />;
}

function Chat() {
  return (
    <AssistantRuntimeProvider runtime={useAgUiRuntime({ agent, adapters: { history } })}>
      <ThreadPrimitive.Root>
        <ThreadPrimitive.Messages components={{ Message }} />
        <OpenQuestions />
        <ComposerPrimitive.Root>
          <ComposerPrimitive.Input placeholder="Write a message" />
          <ComposerPrimitive.Send>Send message</ComposerPrimitive.Send>
        </ComposerPrimitive.Root>
      </ThreadPrimitive.Root>
    </AssistantRuntimeProvider>
  );
}

createRoot(document.getElementById('app')).render(<Chat />);
