// Command names of other programs, with the name that the command has here.

const commandFor: Readonly<Record<string, readonly string[]>> = {
  ls: ['holds', 'tasks'],
  list: ['holds', 'tasks'],
  inbox: ['holds'],
  questions: ['holds'],
  approvals: ['holds'],
  ps: ['tasks'],
  runs: ['tasks'],
  jobs: ['tasks'],
  get: ['show'],
  view: ['show'],
  open: ['show'],
  describe: ['show'],
  inspect: ['show'],
  reject: ['decide'],
  answer: ['decide'],
  kill: ['cancel'],
  rm: ['cancel'],
  stop: ['cancel'],
  delete: ['erase', 'cancel'],
  logs: ['watch'],
  tail: ['watch'],
  follow: ['watch'],
  start: ['up'],
  run: ['up'],
  serve: ['up', 'api'],
  server: ['up', 'api'],
  dev: ['up'],
  validate: ['check'],
  lint: ['check'],
  config: ['check'],
  status: ['doctor', 'holds'],
  health: ['doctor'],
};

/** The usage error with the equivalent command, in place of Commander's suggestion by spelling (`start`, `restart`). */
export function withSuggestion(message: string): string {
  const typed = /^error: unknown command '([^']*)'/u.exec(message)?.[1]?.toLowerCase() ?? '';
  if (!Object.hasOwn(commandFor, typed)) return message;
  const [line = ''] = message.split('\n');
  return `${line}\n(Did you mean ${commandFor[typed]?.join(' or ') ?? ''}?)\n`;
}
