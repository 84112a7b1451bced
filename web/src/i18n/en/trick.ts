// The words of the end of the first minute.
import { define } from '../define.ts';

export const trick = /* @__PURE__ */ define('trick', {
  title: 'Now kill Standfast',
  ask: 'Your answer has reached the agent, once. Ask for something again, and leave its question open.',
  kill: (headline: string, until: string): string =>
    `“${headline}” waits${until === '' ? '' : ` until ${until}`}. Press Ctrl+C in the terminal of Standfast, or kill its process, and watch this page.`,
  gone: (seconds: number): string => `Gone for ${seconds} s. No process of Standfast runs.`,
  again: 'Start it again as you started it before.',
  back: (seconds: number, until: string): string =>
    `Back after ${seconds} s: the same question${until === '' ? '' : `, the same deadline, ${until}`}.`,
  other: (seconds: number): string => `Back after ${seconds} s. The question has ended meanwhile, as its policy says.`,
  answer: 'Answer it now',
  temporal: 'See it in Temporal',
  done: 'Do not show this again',
});
