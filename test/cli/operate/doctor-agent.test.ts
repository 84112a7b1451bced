import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { AgentConfigSchema } from '../../../src/contract/configuration/config.ts';
import { KeptCardSchema } from '../../../src/contract/tasks/agent-card.ts';
import { checkAgent, describeCard } from '../../../src/cli/operate/doctor-agent.ts';
import { kagentHitl } from '../../../src/core/questions/agent-dialects.ts';
import { openEgress } from '../../rigs/open-egress.ts';

const card = (...uris: string[]) =>
  KeptCardSchema.parse({ name: 'payer', capabilities: { streaming: true, extensions: uris.map((uri) => ({ uri })) } });

describe('what doctor reports of a card', () => {
  test('is by what the agent asks, and the extensions that are not understood', () => {
    expect(describeCard(card(kagentHitl, 'urn:other'), [])).toBe(
      'payer (streams; asks by kagent.hitl; extensions that are not understood: urn:other)',
    );
    expect(describeCard(card('https://langchain.com/a2a/extensions/history-scope/v1'), [])).toContain(
      'asks by langchain',
    );
  });

  test('is nothing about asking where the card does not say it', () => {
    expect(describeCard(card(), [])).toBe('payer (streams; its card does not say how it asks)');
  });
});

let server: Server | undefined;
afterEach(() => void server?.close());

async function problemWith(answers: Record<string, [number, unknown]>): Promise<string> {
  server = createServer((request, response) => {
    const [code, body] = answers[request.url ?? ''] ?? [404, { detail: 'Not Found' }];
    response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((done) => void server?.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const agent = AgentConfigSchema.parse({ url: `http://127.0.0.1:${port}/` });
  return checkAgent('payer', agent, openEgress).then(
    () => 'none',
    (error: Error) => error.message.replaceAll(String(port), 'PORT'),
  );
}

describe('what doctor reports of an address without a card', () => {
  test('is the status and first line of what answers there', async () => {
    expect(await problemWith({})).toContain('it answered HTTP 404, {"detail":"Not Found"}');
  });

  test.each([
    [
      'LangGraph Server',
      {
        '/.well-known/agent-card.json': [400, { error: { message: 'Missing required query parameter: assistant_id' } }],
      },
      'a LangGraph server: use http://127.0.0.1:PORT/a2a/<assistant id>',
    ],
    [
      'AgentOS',
      { '/config': [200, { os_id: 'x', agents: [{ id: 'payer' }] }] },
      'AgentOS: use http://127.0.0.1:PORT/a2a/agents/<id>, the id one of payer',
    ],
    ['ADK', { '/list-apps': [200, ['expenses']] }, 'an ADK server: use http://127.0.0.1:PORT/a2a/<app>'],
  ] satisfies [string, Record<string, [number, unknown]>, string][])(
    'names the right one for %s',
    async (_name, answers, expected) => {
      expect(await problemWith(answers)).toContain(expected);
    },
  );
});
