// TanStack AI: `useChat` with its own connection; a reload joins a run that only reads.
import { fetchServerSentEvents, useChat } from '@tanstack/ai-react';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { readOnly, runUrl, threadId } from './conversation.js';
import { Questions } from './questions.jsx';

const runs = fetchServerSentEvents(runUrl);
const connection = {
  ...runs,
  /** What TanStack asks for when the page begins: nothing is known here, join a run. */
  hydrate: async () => ({ messages: [], activeRun: { runId: crypto.randomUUID() }, interrupts: null }),
  /** The run that is joined restates the conversation and its open questions, or follows what works. */
  joinRun: (runId, signal) => runs.connect([], readOnly, signal, { threadId, runId }),
};

function Chat() {
  const { messages, sendMessage, interrupts, resumeInterruptsUnsafe, error } = useChat({
    connection,
    threadId,
    persistence: true,
  });
  const [text, setText] = useState('');
  return (
    <>
      {messages.map(({ id, parts }) => (
        <div key={id}>{parts.map((part, at) => part.type === 'text' && <p key={at}>{part.content}</p>)}</div>
      ))}
      <Questions interrupts={interrupts} onAnswers={(entries) => resumeInterruptsUnsafe(entries)} />
      {error !== undefined && <p role="alert">{error.message}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setText('');
          void sendMessage(text);
        }}
      >
        <input placeholder="Write a message" value={text} onChange={(event) => setText(event.target.value)} />
        <button type="submit">Send message</button>
      </form>
    </>
  );
}

createRoot(document.getElementById('app')).render(<Chat />);
