// Names that operators, configurations and front ends hold on to. A red pin asks: on purpose?
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { createActivities } from '../../src/activities/create-activities.ts';
import type { ActivityDeps } from '../../src/activities/deps.ts';
import { ConfigSchema } from '../../src/contract/configuration/config.ts';
import type { InboxEvents } from '../../src/contract/views/inbox.ts';
import { taskStatuses } from '../../src/contract/tasks/task-names.ts';
import { actList } from '../../src/contract/acts/act-names.ts';
import { holdStatuses } from '../../src/contract/holds/hold-names.ts';
import { PolicySchema, StepSchema, TimeoutActionSchema } from '../../src/contract/configuration/policy.ts';
import { searchAttributes } from '../../src/host/temporal/search-attributes.ts';
import * as messages from '../../src/workflows/messages.ts';
import { filesBelow, read } from '../source-tree.ts';

/** Nothing is called: the names are made without any of it. */
const unused: unknown = {};

/** All key paths of a JSON Schema; `*` is a name of the user's. */
function keysOf(schema: unknown, path = ''): string[] {
  const node = schema as {
    properties?: Record<string, unknown>;
    additionalProperties?: unknown;
    items?: unknown;
  };
  const inner = (name: string, value: unknown): string[] => [`${path}${name}`, ...keysOf(value, `${path}${name}.`)];
  return [
    ...Object.entries(node.properties ?? {}).flatMap(([name, value]) => inner(name, value)),
    ...(typeof node.additionalProperties === 'object' ? keysOf(node.additionalProperties, `${path}*.`) : []),
    ...(typeof node.items === 'object' ? keysOf(node.items, path) : []),
  ];
}

describe('the names of', () => {
  test('workflow types, queues, updates, signals and queries', () => {
    const { searchAttributeKeys: _keys, ...defined } = messages;
    const names = Object.entries(defined).map(([key, value]) => [key, typeof value === 'string' ? value : value.name]);
    expect(Object.fromEntries(names)).toEqual({
      taskWorkflowType: 'a2aTask',
      reconcileWorkflowType: 'reconcileTasks',
      rebuildWorkflowType: 'rebuild',
      noticeWorkflowType: 'notice',
      pushWorkflowType: 'push',
      digestWorkflowType: 'digest',
      taskQueue: 'standfast',
      shortQueue: 'standfast-short',
      nexusQueue: 'standfast-nexus',
      runUpdate: 'run',
      decideUpdate: 'decide',
      amendUpdate: 'amend',
      messageUpdate: 'message',
      formResponseSignal: 'formResponse',
      turnDeliveredSignal: 'turnDelivered',
      cancelBySignal: 'cancelBy',
      agentMovedSignal: 'agentMoved',
      overSignal: 'over',
      pushSignal: 'more',
      taskQuery: 'task',
    });
  });

  test('activity types', () => {
    const activities = createActivities(unused as ActivityDeps);
    expect(Object.keys(activities).toSorted()).toEqual([
      'amendHolds',
      'askSupervisor',
      'checkAnswers',
      'closeTask',
      'deliverNotice',
      'deliverPush',
      'injectMessage',
      'openHolds',
      'rebuild',
      'reconcile',
      'recordDecisions',
      'recordStep',
      'requestCancel',
      'runTurn',
      'sendDigest',
      'stopAgent',
    ]);
  });

  test('commands of the command line', () => {
    const sources = filesBelow('src/cli', (path) => path.endsWith('.ts')).map(read);
    const written = sources.flatMap((text) => [...text.matchAll(/\.command\('([a-z]+)/g)].map(([, name = '']) => name));
    const named = [...written, ...actList.filter(({ command }) => command !== undefined).map(({ name }) => name)];
    const promised =
      'cancel check completion decide doctor message overview reassign rebuild restart show up watch withdraw';
    expect(named.toSorted()).toEqual(expect.arrayContaining(promised.split(' ')));
  });

  test('events of the inbox’s stream', () => {
    const events: Record<keyof InboxEvents, true> = { hello: true, hold: true, gone: true, counts: true };
    expect(Object.keys(events)).toEqual(['hello', 'hold', 'gone', 'counts']);
  });

  test('search attributes, with their types', () => {
    // More may come; these stay, as the statuses and actions below.
    expect(searchAttributes).toMatchObject({
      StandfastAgent: 'Keyword',
      StandfastA2ATaskId: 'Keyword',
      StandfastContextId: 'Keyword',
      StandfastStatus: 'Keyword',
      StandfastOpenHolds: 'Int',
      StandfastQuestion: 'Int',
      StandfastDeadline: 'Datetime',
      StandfastStuck: 'Datetime',
      StandfastAudience: 'KeywordList',
    });
    const sdkTypes = { KEYWORD: 'Keyword', INT: 'Int', DATETIME: 'Datetime', KEYWORD_LIST: 'KeywordList' };
    const keys = Object.values(messages.searchAttributeKeys).map(({ name, type }) => [name, sdkTypes[type]]);
    expect(Object.fromEntries(keys)).toEqual(searchAttributes);
  });

  test('statuses and timeout actions', () => {
    expect(taskStatuses).toEqual([
      'NEW',
      'IN_PROGRESS',
      'NEEDS_REVIEW',
      'USER_INPUT_RECEIVED',
      'DONE',
      'FAILED',
      'CANCELED',
    ]);
    expect(holdStatuses).toEqual(['open', 'decided', 'cancelled', 'expired', 'withdrawn']);
    expect(TimeoutActionSchema.options).toEqual(
      expect.arrayContaining(['fail', 'cancel', 'reject', 'default', 'keep-open']),
    );
  });

  test('the keys of standfast.yaml', () => {
    const keys = keysOf(z.toJSONSchema(ConfigSchema, { io: 'input' }));
    const promised = `
      agents agents.*.url agents.*.title agents.*.policy agents.*.headers agents.*.resend agents.*.allowOrigins
      agents.*.rules agents.*.rules.when.kind agents.*.rules.when.dialect agents.*.rules.when.title agents.*.rules.when.data
      agents.*.rules.policy agents.*.extensions agents.*.limits.silence agents.*.limits.total
      agents.*.oauth2.tokenUrl agents.*.oauth2.clientId agents.*.oauth2.clientSecret agents.*.oauth2.scope agents.*.access agents.*.adopt
      policies policies.*.audience policies.*.exclude policies.*.ladder policies.*.expire.after policies.*.expire.then
      policies.*.quorum policies.*.calendar.zone policies.*.calendar.hours policies.*.calendar.holidays
      policies.*.expire.clock policies.*.expire.spread policies.*.danger policies.*.notify
      users users.*.name users.*.email users.*.notify users.*.away.from users.*.away.until users.*.away.delegate
      notifications.channels notifications.giveUpAfter auth.maxIdle ask.policy ask.policies auth.oidc.issuer auth.oidc.clientId auth.oidc.clientSecret
      auth.oidc.rolesClaim auth.oidc.allowBearer auth.keys.id auth.keys.kind
      auth.keys.expires
      server.host server.port server.publicUrl server.temporalUiUrl server.bodyLimitBytes
      auth.keys auth.keys.user auth.keys.roles auth.keys.key auth.keys.keySha256
      worker.turnSlots worker.workflowCache worker.workflowThread worker.versioned reconcile.every retention.events retention.drafts agentOutage`;
    expect(keys).toEqual(expect.arrayContaining(promised.trim().split(/\s+/)));
    // More workflows kept is more memory, of every worker.
    expect(ConfigSchema.parse({}).worker).toMatchObject({ turnSlots: 500, workflowCache: 100, workflowThread: false });
    expect(Object.keys(PolicySchema.shape)).toEqual(
      expect.arrayContaining([
        'ask',
        'audience',
        'calendar',
        'danger',
        'deputies',
        'exclude',
        'expire',
        'extend',
        'grace',
        'grants',
        'ladder',
        'notify',
        'quorum',
        'reassign',
        'receipt',
        'requireDigest',
        'sameAgain',
        'sign',
        'stageOrder',
        'stages',
      ]),
    );
    const step = keysOf(z.toJSONSchema(StepSchema, { io: 'input' }));
    expect(step).toEqual(['after', 'remind', 'escalate', 'replace', 'every']);
  });

  test('custom events and activity types', () => {
    const sources = filesBelow('src', (path) => path.endsWith('.ts')).map(read);
    const all = (pattern: RegExp): string[] =>
      sources.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name));
    // More may come; these stay.
    const events = all(/type: 'CUSTOM', name: '([^']+)'/g);
    expect(events).toEqual(expect.arrayContaining(['standfast.entry_skipped', 'standfast.step']));
    const activities = all(/([A-Z_]+): '(?:hitl|input|operator)'/g);
    expect(activities).toEqual(expect.arrayContaining(['HITL_FORM', 'INPUT_REQUEST', 'OPERATOR']));
  });
});
