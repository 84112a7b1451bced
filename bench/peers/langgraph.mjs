// LangGraph with its checkpointer on PostgreSQL: a graph that interrupts between two nodes. Runs from the cache that
// bench/peers.mjs installs.
import { Annotation, Command, END, interrupt, START, StateGraph } from '@langchain/langgraph';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { serveParent } from './child.mjs';
import { repeat } from './load.mjs';

let graph;
let stop = async () => {};

async function start({ databaseUrl }) {
  const checkpointer = PostgresSaver.fromConnString(databaseUrl);
  await checkpointer.setup();
  stop = () => checkpointer.end();
  graph = new StateGraph(Annotation.Root({ answer: Annotation() }))
    .addNode('ask', async () => ({}))
    .addNode('wait', () => ({ answer: interrupt('Which colour?') }))
    .addNode('carry', async (state) => ({ answer: state.answer }))
    .addEdge(START, 'ask')
    .addEdge('ask', 'wait')
    .addEdge('wait', 'carry')
    .addEdge('carry', END)
    .compile({ checkpointer });
}

const threadOf = (id) => ({ configurable: { thread_id: id } });

async function park(id) {
  const startedAt = performance.now();
  const state = await graph.invoke({ answer: null }, threadOf(id));
  if (state.__interrupt__ === undefined) throw new Error(`not parked: ${JSON.stringify(state)}`);
  return performance.now() - startedAt;
}

async function answer(id) {
  const startedAt = performance.now();
  const state = await graph.invoke(new Command({ resume: { colour: 'green' } }), threadOf(id));
  if (state.answer?.colour !== 'green') throw new Error(`not completed: ${JSON.stringify(state)}`);
  return performance.now() - startedAt;
}

serveParent(
  {
    start,
    park: ({ ids, ...bounds }) => repeat(ids, bounds, park),
    answer: ({ ids, ...bounds }) => repeat(ids, bounds, answer),
  },
  () => stop(),
);
