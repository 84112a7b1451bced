// The words of the very first page.
import { define } from '../define.ts';

export const firstRun = /* @__PURE__ */ define('firstRun', {
  title: 'Three steps to see it work',
  lead: 'An agent asks, you answer, and the answer reaches it once, whatever dies in between.',
  drawing: {
    asks: 'An agent asks',
    waits: 'Its question waits in Temporal',
    killed: 'Every process is killed',
    answers: 'You answer, and it goes on',
  },
  ask: 'Ask an agent for something',
  askHow: 'A press sends it, as if you had typed it into the chat.',
  sends: (agent: string): string => `Sends this to ${agent}`,
  answer: 'Answer what it asks back',
  answerHow: 'Its question comes in the chat, and here under “For me”, with whom it waits for and until when.',
  see: 'See what waited',
  seeHow: 'The task is a Temporal workflow: kill every process while it waits, start again, and it goes on.',
  temporal: 'Open Temporal',
  noAgents: 'No agent is configured. Start the demo agent, or name yours in standfast.yaml:',
  command: 'npm start',
});
