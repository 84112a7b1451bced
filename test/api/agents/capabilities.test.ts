import { AgentCapabilitiesSchema } from '@ag-ui/core/schemas';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { capabilitiesOf, knownAgent } from '../../../src/api/agents/capabilities.ts';
import { KeptCardSchema } from '../../../src/contract/tasks/agent-card.ts';
import { AgentConfigSchema } from '../../../src/contract/configuration/agent-config.ts';
import type { Json, JsonObject } from '../../../src/contract/base/json.ts';
import { describeApi } from '../describe-api.ts';

const rig = describeApi();
beforeEach(() => rig.store.agents.saveCard('travel', aCard()));

const kagent = 'https://kagent.dev/extensions/hitl/v1';
const adk = 'https://google.github.io/adk-docs/a2a/a2a-extension/';

const bare = {
  name: 'Travel desk',
  description: 'Books trips.',
  version: '2.1.0',
  supportedInterfaces: [{ url: 'http://127.0.0.1:8702/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: {},
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
};

/** As a worker keeps it. */
const aCard = (change: JsonObject = {}): JsonObject => KeptCardSchema.parse({ ...bare, ...change });

async function capabilities(agent = 'travel'): Promise<JsonObject> {
  const response = await rig.app.inject({ method: 'GET', url: `/agents/${agent}/capabilities` });
  expect(response.statusCode).toBe(200);
  const shown = response.json<JsonObject>();
  expect(AgentCapabilitiesSchema.safeParse(shown).error).toBeUndefined();
  return shown;
}

const at = (value: Json | undefined, path: string): Json | undefined =>
  path
    .split('.')
    .reduce<Json | undefined>(
      (inner, key) => (typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? inner[key] : undefined),
      value,
    );

describe('the capabilities of an agent', () => {
  // Promise G19
  test.each([
    ['streaming', { capabilities: { streaming: true } }, 'transport.streaming'],
    ['push notifications', { capabilities: { pushNotifications: true } }, 'transport.pushNotifications'],
    ['an extended card', { capabilities: { extendedAgentCard: true } }, 'custom.a2a.extendedAgentCard'],
    ['pictures in', { defaultInputModes: ['text/plain', 'image/png'] }, 'multimodal.input.image'],
    ['sound in', { defaultInputModes: ['audio/*'] }, 'multimodal.input.audio'],
    ['films in', { defaultInputModes: ['VIDEO/mp4'] }, 'multimodal.input.video'],
    ['PDF in', { defaultInputModes: ['application/pdf'] }, 'multimodal.input.pdf'],
    ['files in', { defaultInputModes: ['application/zip'] }, 'multimodal.input.file'],
    ['anything in', { defaultInputModes: ['*/*'] }, 'multimodal.input.video'],
    ['what one skill takes', { skills: [{ id: 's', inputModes: ['image/jpeg'] }] }, 'multimodal.input.image'],
    ['pictures out', { defaultOutputModes: ['image/png'] }, 'multimodal.output.image'],
    ['what one skill makes', { skills: [{ id: 's', outputModes: ['audio/wav'] }] }, 'multimodal.output.audio'],
    ['data out', { defaultOutputModes: ['application/json'] }, 'output.structuredOutput'],
  ])('the capabilities of an agent flip with its card: %s', async (_what, change, path) => {
    const before = at(await capabilities(), path);
    expect(before).toBe(false);
    await rig.store.agents.saveCard('travel', aCard(change));
    expect(at(await capabilities(), path)).toBe(true);
  });

  test('the capabilities of an agent name who it is, its protocol, extensions, modes and skills, as its card tells', async () => {
    await rig.store.agents.saveCard(
      'travel',
      aCard({
        documentationUrl: 'https://travel.example.com/docs',
        provider: { organization: 'Travel Ltd', url: 'https://travel.example.com' },
        capabilities: { extensions: [{ uri: 'https://example.com/x/v1', required: true, params: { a: 1 } }] },
        defaultOutputModes: ['text/plain', 'image/png'],
        skills: [{ id: 'book', name: 'Book', description: 'Books a trip', tags: ['trip'], examples: ['to Rome'] }],
      }),
    );
    expect(await capabilities()).toMatchObject({
      identity: {
        name: 'Travel desk',
        type: 'a2a',
        description: 'Books trips.',
        version: '2.1.0',
        provider: 'Travel Ltd',
        documentationUrl: 'https://travel.example.com/docs',
        metadata: { agent: 'travel' },
      },
      output: { supportedMimeTypes: ['text/plain', 'image/png'] },
      custom: {
        a2a: {
          protocolVersions: ['1.0'],
          bindings: ['JSONRPC'],
          extensions: [{ uri: 'https://example.com/x/v1', required: true }],
          inputModes: ['text/plain'],
          skills: [{ id: 'book', name: 'Book', description: 'Books a trip', tags: ['trip'] }],
        },
      },
    });
  });

  // Promise G20
  test('the capabilities of an agent say what Standfast does for every agent, and that tools of a front end cannot be carried', async () => {
    for (const agent of ['travel', 'expenses']) {
      expect(await capabilities(agent)).toMatchObject({
        transport: { httpBinary: true, resumable: false, websocket: false },
        tools: { clientProvided: false },
        state: { snapshots: true, deltas: true, persistentState: true },
        // By a form about the call, whatever its card says.
        humanInTheLoop: {
          supported: true,
          interrupts: true,
          interventions: true,
          approvals: true,
          approveWithEdits: true,
        },
        custom: { standfast: { resumableEvents: `/agents/${agent}/threads/{threadId}/events` } },
      });
    }
  });

  test('the capabilities of an agent leave undeclared what only a card can tell while none was read', async () => {
    const shown = await capabilities('expenses');
    expect(shown['identity']).toEqual({ name: 'Expenses', type: 'a2a', metadata: { agent: 'expenses' } });
    for (const path of ['transport.streaming', 'transport.pushNotifications', 'multimodal', 'output', 'custom.a2a']) {
      expect(at(shown, path)).toBeUndefined();
    }
    expect(at(shown, 'custom.standfast.cardSeenAt')).toBeNull();
  });

  // Promise G19
  test('the capabilities of an agent know the extensions that the configuration activates, whatever the card says', () => {
    const config = AgentConfigSchema.parse({ url: 'http://127.0.0.1:1/', extensions: [adk] });
    for (const row of [null, { agent: 'travel', card: aCard(), seenAt: '2026-11-21T00:00:00.000Z' }]) {
      const shown = capabilitiesOf(knownAgent('travel', config, row));
      expect(shown['humanInTheLoop']).toMatchObject({ approvals: true, approveWithEdits: true });
    }
  });

  test('the capabilities of an agent call the agent by its title in the configuration before the name on its card', async () => {
    await rig.store.agents.saveCard('expenses', aCard({ name: 'agent-7' }));
    expect(at(await capabilities('expenses'), 'identity.name')).toBe('Expenses');
    expect(at(await capabilities('travel'), 'identity.name')).toBe('Travel desk');
  });

  test('the capabilities of an agent never tell where the agent lives, nor a link that is none', async () => {
    await rig.store.agents.saveCard('travel', aCard({ documentationUrl: 'javascript:alert(1)' }));
    const shown = JSON.stringify(await capabilities());
    expect(shown).not.toContain('8702');
    expect(shown).not.toContain('javascript');
  });

  test('the capabilities of an agent that is not configured are not_found', async () => {
    const response = await rig.app.inject({ method: 'GET', url: '/agents/nobody/capabilities' });
    expect(response.json()).toMatchObject({ code: 'not_found' });
  });

  test('the capabilities of an agent declare no edits of arguments for an agent that asks by kagent’s extension alone, which takes a yes or a no', async () => {
    await rig.store.agents.saveCard('travel', aCard({ capabilities: { extensions: [{ uri: kagent }] } }));
    expect(at(await capabilities(), 'humanInTheLoop')).toEqual({
      supported: true,
      interrupts: true,
      interventions: true,
      approvals: true,
    });
  });
});

describe('what is kept of a card', () => {
  test('what is kept of a card is bounded, whatever the agent wrote', () => {
    const long = 'x'.repeat(100_000);
    const skill = { id: long, name: long, description: long, tags: Array(500).fill('tag'), inputModes: [long, 'a/b'] };
    const kept = KeptCardSchema.parse({
      name: long,
      description: long,
      skills: Array.from({ length: 5_000 }, () => skill),
      capabilities: {
        streaming: 'yes',
        extensions: [...Array.from({ length: 500 }, () => ({ uri: 'u' })), { uri: long }],
      },
      defaultInputModes: Array(500).fill('a/b'),
      signatures: [long],
    });
    expect(JSON.stringify(kept).length).toBeLessThan(100_000);
    expect(kept.capabilities.streaming).toBe(false);
    expect(kept.skills[0]?.inputModes).toEqual(['a/b']);
    expect(kept).not.toHaveProperty('signatures');
  });

  test.each([[{}], [{ skills: 'none', capabilities: null, provider: 7, name: [], defaultInputModes: {} }]])(
    'what is kept of a card needs nothing to be there',
    (card) => {
      expect(KeptCardSchema.parse(card)).toMatchObject({ name: '', skills: [], capabilities: { extensions: [] } });
    },
  );
});

describe('the list of agents', () => {
  // Promise G21
  test('the list of agents has name, title, description, and when the card was read', async () => {
    await rig.store.agents.saveCard('gone', aCard());
    const { items } = (await rig.app.inject({ method: 'GET', url: '/agents' })).json<{ items: JsonObject[] }>();
    expect(items.map((item) => item['name'])).toEqual(['expenses', 'travel']);
    expect(items[1]).toMatchObject({
      title: 'Travel desk',
      description: 'Books trips.',
      cardSeenAt: expect.stringMatching(/^20/),
      capabilities: { transport: { streaming: false } },
    });
  });
});
