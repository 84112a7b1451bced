// The words of help and settings.
import { define } from '../define.ts';

export const help = /* @__PURE__ */ define('help', {
  title: 'Help and settings',
  keysTitle: 'Keys',
  keysSwitch: 'Single-key shortcuts',
  keysWhy: 'Keys rest while you type. Ctrl+Enter, arrows and Esc always work.',
  moveOn: 'Go on to the next question after deciding',
  moveOnWhy: 'What you decided last is shown at the edge; z takes it back while it has not been sent.',
  theme: 'Theme',
  themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
  density: 'Rows',
  densities: { normal: 'Normal', compact: 'Compact' },
  notify: 'Desktop notifications',
  notifyOff: 'Tell me on this computer when a question waits',
  notifyOn: 'On. They say the agent and the title, nothing more.',
  notifyBlocked:
    'This browser blocks notifications from Standfast. Press the sign next to the address, allow notifications there, then come back.',
  notifyAgain: 'I have allowed them',
  notifyStop: 'Stop notifications',
  groups: [
    {
      title: 'List',
      keys: [
        ['j k ↓ ↑', 'move'],
        ['Enter o', 'open'],
        ['Shift+a', 'review those alike together'],
        ['x · Shift+x', 'select · select up to here'],
      ],
    },
    {
      title: 'Question',
      keys: [
        ['a', 'approve (asks once more), else to the first field'],
        ['n', 'approve and do not ask again, where that is offered (asks once more)'],
        ['r', 'reject (asks once more)'],
        ['e', 'edit an argument (Enter keeps it, Esc takes it back), or the form'],
        ['Ctrl+Enter', 'send what you wrote'],
        ['] [', 'next and previous change of a diff'],
        ['z', 'undo, while the answer has not been sent'],
        ['c', 'claim or release'],
        ['m', 'reassign'],
        ['t', 'open its task'],
        ['q', 'ask the agent'],
        ['j k', 'next and previous question'],
        ['u', 'back to the list'],
      ],
    },
    {
      title: 'Everywhere',
      keys: [
        ['/', 'search'],
        ['g then i r d c f', 'inbox, my requests, history, chat, overview'],
        ['Esc', 'disarm, clear, back'],
        ['?', 'this help'],
      ],
    },
  ] as { title: string; keys: [string, string][] }[],
});
