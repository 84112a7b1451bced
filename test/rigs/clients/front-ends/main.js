// Front ends without a page: the message stores of @ag-ui/client, CopilotKit and assistant-ui, as their packages have them. Each
// line of standard input is one turn of a person; a line of standard output says that its run is over.
//   node main.js <address of the agent> <directory of CopilotKit's packages> <directory of assistant-ui's>
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [url, copilotKit, frontEnds] = process.argv.slice(2);
const from = (directory, path) => import(pathToFileURL(join(directory, 'node_modules', path)).href);
const packagesAt = (directory) => createRequire(pathToFileURL(join(directory, 'package.json')));

/** The client of AG-UI itself; `loaded` is what a page has after it was loaded, null: it has its own. */
function agUiClient({ HttpAgent }, load = (messages) => messages) {
  let agent = new HttpAgent({ url, threadId: 't-1' });
  return async ({ loaded, says }) => {
    if (loaded !== null) {
      agent = new HttpAgent({ url, threadId: 't-1' });
      agent.setMessages(load(loaded));
    }
    for (const content of says) agent.addMessage({ id: crypto.randomUUID(), role: 'user', content });
    await agent.runAgent({});
  };
}

/** assistant-ui's own store: it starts a run for each message, so that a turn has at most one. */
function assistantUi({ HttpAgent }, { AgUiThreadRuntimeCore, ExportedMessageRepository, fromAgUiMessages }) {
  const ignore = () => {};
  const logger = { debug: ignore, error: ignore, info: ignore, warn: ignore };
  // As the recipe of docs/front-ends.md loads it.
  const open = (loaded = []) => {
    const load = async () => ExportedMessageRepository.fromArray(fromAgUiMessages(loaded));
    return new AgUiThreadRuntimeCore({
      agent: new HttpAgent({ url, threadId: 't-1' }),
      logger,
      showThinking: false,
      notifyUpdate: ignore,
      history: { load, append: async () => {} },
    });
  };
  let core = open();
  return async ({ loaded, says: [text] }) => {
    if (loaded !== null) {
      core = open(loaded);
      await core.__internal_load();
    }
    if (text !== undefined) return core.append(core.toAppendMessage(text));
    const parentId = core.getMessages().at(-1)?.id ?? null;
    return core.resume({ parentId, sourceId: null, runConfig: {} });
  };
}

const ofCopilotKit = packagesAt(copilotKit)('@ag-ui/client');
const { aguiToGQL, gqlToAGUI } = packagesAt(copilotKit)('@copilotkit/runtime-client-gql');
const ofAssistantUi = packagesAt(frontEnds)('@ag-ui/client');
const parts = await Promise.all(
  [
    '@assistant-ui/core/dist/index.js',
    '@assistant-ui/react-ag-ui/dist/runtime/AgUiThreadRuntimeCore.js',
    '@assistant-ui/react-ag-ui/dist/runtime/adapter/conversions.js',
  ].map((path) => from(frontEnds, path)),
);

const newClients = () => ({
  'ag-ui': agUiClient(ofAssistantUi),
  // What CopilotKit keeps of a message between a page and its server.
  copilotkit: agUiClient(ofCopilotKit, (messages) => gqlToAGUI(aguiToGQL(messages))),
  'assistant-ui': assistantUi(ofAssistantUi, Object.assign({}, ...parts)),
});

let clients = newClients();
for await (const line of createInterface({ input: process.stdin })) {
  const turn = JSON.parse(line);
  if (turn.client === 'none') clients = newClients();
  const fault = await Promise.resolve(clients[turn.client]?.(turn)).then(
    () => null,
    (error) => String(error?.stack ?? error),
  );
  console.log(JSON.stringify({ over: turn.n, fault }));
}
