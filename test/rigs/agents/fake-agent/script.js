// A script says what each turn of a task does. It is in the task's first message, in one of three forms:
//   text:           stream 30 10; form => stream 5; data; complete
//   text, JSON:     {"turns":[[{"do":"stream","tokens":30},{"do":"form"}],[{"do":"complete"}]]}
//   a data part:    {"turns": …}
// `=>` parts turns, `;` parts steps. A turn that neither pauses nor ends is completed. Any other text: echo; complete.

/** Names of the words after a step, in order; `...` takes the rest of the text. */
const words = {
  stream: ['tokens', 'delayMs', 'artifactId'],
  say: ['...text'],
  status: ['...text'],
  data: ['artifactId'],
  big: ['mib'],
  form: ['formId'],
  forms: ['count'],
  'odd-form': ['formId'],
  'twin-form': ['formId'],
  ask: ['...text'],
  auth: ['...text'],
  pause: [],
  state: ['state'],
  wait: ['ms'],
  gate: ['name'],
  cut: [],
  end: [],
  half: [],
  mute: [],
  leave: [],
  echo: [],
  complete: ['...text'],
  fail: ['...text'],
  reject: ['...text'],
  cancel: [],
  message: ['...text'],
};
const numbers = ['tokens', 'delayMs', 'mib', 'count', 'ms'];
const echo = [{ do: 'echo' }, { do: 'complete' }];

/** @param {import('@a2a-js/sdk').Message} message @returns {{ do: string, [key: string]: any }[][]} */
export function scriptOf(message) {
  for (const part of message.parts) {
    if (part.content?.$case === 'data' && Array.isArray(part.content.value?.turns)) return part.content.value.turns;
    if (part.content?.$case !== 'text') continue;
    const text = part.content.value.trim();
    const turns = text.startsWith('{') ? fromJson(text) : fromWords(text);
    if (turns) return turns;
  }
  return [echo];
}

/** The steps of a turn; turns after the script's last echo and complete. */
export function stepsOf(message, turnIndex) {
  return scriptOf(message)[turnIndex] ?? echo;
}

function fromJson(text) {
  try {
    const value = JSON.parse(text);
    return Array.isArray(value.turns) ? value.turns : null;
  } catch {
    return null;
  }
}

function fromWords(text) {
  const turns = text.split('=>').map((turn) => turn.split(';').map((step) => readStep(step.trim())));
  return turns.flat().includes(null) ? null : turns;
}

function readStep(text) {
  const [name = '', ...rest] = text.split(/\s+/);
  const names = words[name];
  if (!names) return null;
  const step = { do: name };
  for (const [index, argument] of names.entries()) {
    if (rest[index] === undefined) break;
    if (argument.startsWith('...')) step[argument.slice(3)] = rest.slice(index).join(' ');
    else step[argument] = numbers.includes(argument) ? Number(rest[index]) : rest[index];
  }
  return step;
}
