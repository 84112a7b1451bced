// TanStack AI: `useChat` with its own connection, whose reload Standfast answers.
import { fetchServerSentEvents, useChat } from '@tanstack/ai-react';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { runUrl, threadId } from './conversation.js';
import { Questions } from './questions.jsx';

const connection = fetchServerSentEvents(runUrl);

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
