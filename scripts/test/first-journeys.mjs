// The tests with real servers that `npm test` runs: at least one for each page of docs/spec that has a promise which only they
// hold, and together short enough that all of `npm test` takes less than eight minutes on two cores. The others are run by
// `npm run test:rest`.
export const firstJourneys = [
  'test/journeys/agents/js-agent.test.ts',
  'test/journeys/callers/a2a-server.test.ts',
  'test/journeys/callers/clients.test.ts',
  'test/journeys/hold-page/hold-page-decide.test.ts',
  'test/journeys/inbox/inbox-hostile.test.ts',
  'test/journeys/inbox/inbox-list.test.ts',
  'test/journeys/up/cli.test.ts',
  'test/journeys/up/secrets.test.ts',
  'test/journeys/up/up-ladder.test.ts',
  'test/journeys/up/up-restart.test.ts',
  'test/journeys/temporal/nexus.test.ts',
  'test/workflows/agents/watching.test.ts',
  'test/workflows/answers/answers.test.ts',
  'test/workflows/answers/forged-commands.test.ts',
  'test/workflows/answers/quorum.test.ts',
  'test/workflows/answers/supervisor-agent.test.ts',
  'test/workflows/execution/codec.test.ts',
  'test/workflows/execution/growth.test.ts',
  'test/workflows/gates/gate.test.ts',
  'test/workflows/replay.test.ts',
];
