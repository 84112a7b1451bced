// What works with each framework's own A2A server. The journey of the cells holds what is true here, and docs/agents.md says it
// in the same words; a number is the note below the table there: the framework's own limit, which that journey shows, too.

export const columns = [
  'connects',
  'tokens',
  'question whole',
  'approve',
  'edit',
  'refuse with reason',
  'parallel',
  'asked again',
  'once',
  'kill -9 of Standfast',
  'kill -9 of the agent',
  'error within 15 s',
  'cancel',
] as const;
export type Column = (typeof columns)[number];

export type Framework =
  | 'langgraph'
  | 'strands'
  | 'agentstack'
  | 'adk'
  | 'kagent'
  | 'a2ago'
  | 'mastra'
  | 'langgraphjs'
  | 'openaiagents'
  | 'crewai'
  | 'agno'
  | 'fasta2a'
  | 'agentframework'
  | 'ag2'
  | 'beeai';

type Cells = Record<Column, true | number>;
interface FrameworkRow {
  /** Its name in docs/agents.md. */
  name: string;
  /** The one cell that every run of the tests plays; the others need STANDFAST_FULL=1. */
  always: Column;
  cells: Cells;
}

const all: Cells = {
  connects: true,
  tokens: true,
  'question whole': true,
  approve: true,
  edit: true,
  'refuse with reason': true,
  parallel: true,
  'asked again': true,
  once: true,
  'kill -9 of Standfast': true,
  'kill -9 of the agent': true,
  'error within 15 s': true,
  cancel: true,
};

/** Its approvals never reach A2A, so that nothing is asked; what becomes of the call is in the note. */
const neverAsks = (limit: number): Cells => ({
  ...all,
  'question whole': limit,
  approve: limit,
  edit: limit,
  'refuse with reason': limit,
  parallel: limit,
  'asked again': limit,
  once: limit,
  'kill -9 of Standfast': limit,
  'kill -9 of the agent': limit,
});

export const frameworks: Record<Framework, FrameworkRow> = {
  langgraph: { name: 'LangGraph Server', always: 'once', cells: all },
  strands: { name: 'AWS Strands', always: 'once', cells: { ...all, edit: 1 } },
  agentstack: {
    name: 'Agent Stack',
    always: 'once',
    cells: { ...all, tokens: 6, edit: 1, 'refuse with reason': 2, parallel: 3 },
  },
  adk: { name: 'Google ADK', always: 'once', cells: { ...all, tokens: 5 } },
  kagent: { name: 'kagent-adk from PyPI', always: 'once', cells: { ...all, edit: 1, cancel: 8 } },
  a2ago: { name: 'a2a-go 2.4', always: 'once', cells: all },
  mastra: { name: 'Mastra', always: 'once', cells: { ...all, tokens: 12, edit: 1, parallel: 3 } },
  langgraphjs: { name: 'LangGraph.js behind @a2a-js/sdk', always: 'once', cells: { ...all, parallel: 13 } },
  openaiagents: { name: '@openai/agents behind @a2a-js/sdk', always: 'once', cells: { ...all, edit: 1 } },
  crewai: { name: 'CrewAI 1.15', always: 'connects', cells: { ...neverAsks(10), tokens: 9 } },
  agno: { name: 'agno', always: 'connects', cells: { ...neverAsks(4), 'error within 15 s': 7 } },
  fasta2a: { name: 'pydantic-ai (fasta2a)', always: 'connects', cells: { ...neverAsks(4), cancel: 8 } },
  agentframework: { name: 'Microsoft agent-framework', always: 'connects', cells: neverAsks(4) },
  ag2: { name: 'AG2', always: 'connects', cells: neverAsks(4) },
  beeai: { name: 'BeeAI framework', always: 'connects', cells: { ...neverAsks(4), tokens: 9, cancel: 11 } },
};

export const namesOfFrameworks: readonly Framework[] = [
  'langgraph',
  'strands',
  'agentstack',
  'adk',
  'kagent',
  'a2ago',
  'mastra',
  'langgraphjs',
  'openaiagents',
  'crewai',
  'agno',
  'fasta2a',
  'agentframework',
  'ag2',
  'beeai',
];
