import { describe, expect, test } from '@jest/globals';
import { formatProblems, loadConfig } from '../../src/config/config.ts';

const now = new Date('2026-03-02T09:00:00Z');
const problemsOf = (text: string): string => {
  const loaded = loadConfig({ text, env: {}, now });
  return loaded.ok ? '' : formatProblems(loaded.problems);
};
const warningsOf = (text: string): string => {
  const loaded = loadConfig({ text, env: {}, now });
  return loaded.ok ? formatProblems(loaded.warnings) : `refused: ${formatProblems(loaded.problems)}`;
};
const policy = (rest: string): string => `policies:\n  p: ${rest}\n`;
const berlin = 'calendar: { zone: Europe/Berlin, hours: "Mon-Fri 09:00-17:30", holidays: DE }';
const rule = (when: string, name = 'p'): string =>
  `policies: { p: {} }\nagents:\n  a:\n    url: http://a\n    policy: p\n    rules:\n      - when: ${when}\n        policy: ${name}\n`;

describe('a policy is accepted', () => {
  test.each([
    policy(
      `{ ${berlin}, ladder: [ { after: 30m, remind: true }, { after: 4h, escalate: ["role:lead"] } ], expire: { after: 24h } }`,
    ),
    policy(`{ ${berlin}, ladder: [ { after: 8h, remind: true } ], expire: { after: 24h, clock: wall } }`),
    policy(`{ ${berlin}, ladder: [ { after: 1d, remind: true, every: 8h } ], expire: { after: 1h, then: keep-open } }`),
    policy('{ audience: ["role:finance"], exclude: [requester], quorum: 20 }'),
    policy('{ audience: ["user:a", "user:b"], quorum: 2, danger: true }'),
    policy('{ audience: ["user:a"], ladder: [ { after: 1h, escalate: ["user:b"] } ], quorum: 2 }'),
    'policies: { p: { ladder: [ { after: 1h, escalate: ["agent:boss"] } ] } }\nagents: { a: { url: http://a, policy: p }, boss: { url: http://b } }\n',
    rule('{ kind: tool_call, dialect: adk, title: "Pay*", data: [amount > 1000, "/to/country == \\"DE\\""] }'),
    'agents: { a: { url: http://a, limits: { silence: 1d, total: 30d } } }\n',
  ])('a policy is accepted: %s', (text) => {
    expect(problemsOf(text)).toBe('');
  });
});

describe('a policy that cannot mean what it says is refused, naming the line', () => {
  test.each([
    [
      policy('{ calendar: { zone: Europe/Berln, hours: "Mon 09:00-10:00" } }'),
      'standfast.yaml:2:26 policies.p.calendar.zone: found "Europe/Berln": expected an IANA time zone',
    ],
    [
      policy('{ calendar: { zone: UTC, hours: "9 to 5" } }'),
      'policies.p.calendar.hours: found "9 to 5": "9 to 5" names no days',
    ],
    [policy('{ calendar: { zone: UTC, hours: "Mon 22:00-06:00" } }'), 'goes over midnight: write it as two ranges'],
    [
      policy('{ calendar: { zone: UTC, hours: "Mon 09:00-10:00", holidays: Germany } }'),
      'policies.p.calendar.holidays: found "Germany": expected a country',
    ],
    [
      policy('{ calendar: { zone: UTC, hours: "Mon 09:00-10:00", holidays: DE-XX } }'),
      'found "DE-XX": DE has no such part, expected one of DE-BB',
    ],
    [
      policy('{ calendar: { zone: Europe/Berlin, hours: "Sun 02:00-03:00" }, expire: { after: 1200h } }'),
      'policies.p.expire.after: found 1200h: with this calendar that is more than ten years',
    ],
    [
      policy(`{ ${berlin}, ladder: [ { after: 25h, remind: true } ], expire: { after: 24h } }`),
      'policies.p.ladder[0].after: found 25h: expected a time before the expiry after 24h',
    ],
    [
      policy(`{ ${berlin}, ladder: [ { after: 9h, remind: true } ], expire: { after: 12h, clock: wall } }`),
      'policies.p.ladder[0].after: found 9h: at most 510m of opening hours lie within 12h, this step would never come',
    ],
    // A deputy has one vote with whom they stand in for.
    [
      'users: { a: { away: { delegate: "user:c" } } }\npolicies: { p: { audience: ["user:a"], quorum: 2 } }\n',
      'policies.p.quorum: found 2: only 1 could ever decide (user:a)',
    ],
    [
      policy('{ expire: { after: 1h, clock: business } }'),
      'policies.p.expire.clock: found "business" without a calendar',
    ],
    [
      policy('{ expire: { after: 1h, spread: 1m } }'),
      'policies.p.expire.spread: found 1m: only deadlines that count opening hours coincide; leave it out',
    ],
    [
      policy(`{ ${berlin}, expire: { after: 1h, clock: wall, spread: 1m } }`),
      'policies.p.expire.spread: found 1m: only deadlines that count opening hours coincide; leave it out',
    ],
    [
      policy(`{ ${berlin}, expire: { after: 1h, spread: 2h } }`),
      'policies.p.expire.spread: found 2h: expected more than 0, at most 1h',
    ],
    [policy('{ quorum: 0 }'), 'found 0: expected at least 1'],
    [
      policy('{ audience: ["user:a", "user:b"], quorum: 3 }'),
      'policies.p.quorum: found 3: only 2 could ever decide (user:a, user:b)',
    ],
    [policy('{ quorum: 2 }'), 'found 2: only 1 could ever decide (owner)'],
    [policy('{ exclude: [requester], quorum: 2 }'), 'found 2: only 0 could ever decide (none)'],
    [
      policy('{ notify: [mail] }'),
      'policies.p.notify[0]: found "mail", which is not a channel of this file: no notification channels are defined',
    ],
    [
      policy('{ ladder: [ { after: 1h, escalate: ["agent:boss"] } ] }'),
      'policies.p.ladder[0].escalate[0]: found "boss", which is not an agent of this file: no agents are defined',
    ],
    [
      policy('{ audience: ["agent:boss"] }'),
      'policies.p.audience[0]: found "boss", which is not an agent of this file: no agents are defined',
    ],
    [
      'policies:\n  p: { audience: [role:x, "agent:a"] }\nagents: { a: { url: http://a, policy: p } }\n',
      'standfast.yaml:2:27 policies.p.audience[1]: found "agent:a": this agent has the policy itself',
    ],
    [
      'policies: { p: {}, q: { audience: ["agent:a"] } }\nagents: { a: { url: http://a, policy: p, rules: [ { when: { kind: form }, policy: q } ] } }\n',
      'policies.q.audience[0]: found "agent:a": this agent has the policy itself',
    ],
    [policy('{ audience: ["team:x"] }'), 'expected role:<name>, user:<name>, agent:<name> or owner'],
    [
      'policies:\n  p:\n    ladder:\n      - { after: 1h, escalate: ["role:x", "agent:a"] }\nagents: { a: { url: http://a, policy: p } }\n',
      'standfast.yaml:4:43 policies.p.ladder[0].escalate[1]: found "agent:a": this agent has the policy itself',
    ],
    [
      'policies: { p: {}, q: { ladder: [ { after: 1h, escalate: ["agent:a"] } ] } }\nagents: { a: { url: http://a, policy: p, rules: [ { when: { kind: form }, policy: q } ] } }\n',
      'policies.q.ladder[0].escalate[0]: found "agent:a": this agent has the policy itself',
    ],
    [
      policy(
        `{ ladder: [ ${Array.from({ length: 51 }, (_, n) => `{ after: ${n + 1}m, remind: true }`).join(', ')} ] }`,
      ),
      'found 51 steps: expected at most 50',
    ],
  ])('a policy that cannot mean what it says is refused, naming the line: %s', (text, expected) => {
    expect(problemsOf(text)).toContain(expected);
  });
});

describe('a rule that cannot be read is refused, naming the line', () => {
  test.each([
    [
      rule('{ data: amount ~ 5 }'),
      'standfast.yaml:7:23 agents.a.rules[0].when.data: found "amount ~ 5": no comparison',
    ],
    [
      rule('{ data: [amount > 5, amount > lots of money] }'),
      'agents.a.rules[0].when.data[1]: found "amount > lots of money": found several words',
    ],
    [rule('{ data: constructor exists }'), '"constructor" is never read'],
    [rule('{ kind: question }'), 'when.kind: found "question": expected one of form, confirmation, tool_call'],
    [rule('{}'), 'an empty `when` matches everything'],
    [rule('{ color: red }'), 'unknown key "color", expected one of kind, dialect, title, data'],
    [
      rule('{ kind: form }', 'q'),
      'standfast.yaml:8:17 agents.a.rules[0].policy: found "q", which is not a policy of this file: expected one of p',
    ],
  ])('a rule that cannot be read is refused, naming the line: %s', (text, expected) => {
    expect(problemsOf(text)).toContain(expected);
  });
});

describe('people and limits that cannot be meant are refused', () => {
  test.each([
    [
      'users: { anna: { notify: [chat] } }\n',
      'users.anna.notify[0]: found "chat", which is not a channel of this file',
    ],
    [
      'users: { anna: { away: { delegate: "user:anna" } } }\n',
      'users.anna.away.delegate: found "user:anna": expected another person',
    ],
    ['users: { anna: { away: { delegate: "agent:boss" } } }\n', 'expected another person, user:<name>, or a role'],
    [
      'users: { anna: { away: { from: "2026-03-02T00:00:00Z", until: "2026-03-01T00:00:00Z", delegate: "role:x" } } }\n',
      'users.anna.away.until: found 2026-03-01T00:00:00Z: expected a time after 2026-03-02T00:00:00Z',
    ],
    ['agents: { a: { url: http://a, limits: { silence: 0s } } }\n', 'agents.a.limits.silence: found 0s'],
    [
      'agents: { a: { url: http://a, limits: { total: 99999w } } }\n',
      'agents.a.limits.total: found 99999w: expected at most',
    ],
    ['auth: { maxIdle: 0s }\n', 'auth.maxIdle: found 0s'],
    ['notifications: { giveUpAfter: 0s }\n', 'notifications.giveUpAfter: found 0s'],
    [
      'notifications: { channels: { c: { type: slack, url: http://s, template: { text: "{{title}} {{message}}" } } } }\n',
      'notifications.channels.c.template.text: "{{message}}" is not known here, or the channel',
    ],
    [
      'agents: { ask: { url: http://a } }\n',
      'standfast.yaml:1:11 agents.ask: "ask" is the agent of programs’ questions',
    ],
    ['ask: { policy: p }\n', 'ask.policy: found "p", which is not a policy of this file'],
    ['server: { rateLimit: { per: 0s } }\n', 'server.rateLimit.per: found 0s'],
  ])('people and limits that cannot be meant are refused: %s', (text, expected) => {
    expect(problemsOf(text)).toContain(expected);
  });

  test('a password in the address of a channel is never quoted', () => {
    const problems = problemsOf(
      'notifications: { channels: { m: { type: mail, server: "smpt://u:hush@h", from: a@b.example } } }\n',
    );
    expect(problems).toContain('notifications.channels.m.server: found another value: expected smtp://');
    expect(problems).not.toContain('hush');
  });
});

// Promise P12
test('faults of several policies, rules and users are reported at once, in the order of their lines', () => {
  const text = `policies:
  p: { notify: [x] }
  q: { calendar: { zone: Nowhere, hours: never } }
agents:
  a: { url: http://a, policy: p, rules: [ { when: { data: "?" }, policy: r } ] }
users: { anna: { notify: [y] } }
`;
  expect(
    problemsOf(text)
      .split('\n')
      .map((line) => line.split(' ')[1]),
  ).toEqual([
    'policies.p.notify[0]:',
    'policies.q.calendar.zone:',
    'policies.q.calendar.hours:',
    'agents.a.rules[0].when.data:',
    'agents.a.rules[0].policy:',
    'users.anna.notify[0]:',
  ]);
});

const oidcBy = (claim: string): string =>
  `auth: { oidc: { issuer: "https://id", clientId: c, clientSecret: s, userClaim: ${claim}, roles: { staff: [approver] } } }\n`;

describe('an agent under a second name', () => {
  const judgedBy = (url: string): string =>
    warningsOf(
      `agents: { pay: { url: "http://127.0.0.1:8701/a2a/", policy: p }, judge: { url: "${url}" } }\npolicies: { p: { audience: ["agent:judge"] } }\n`,
    );
  test.each([
    'http://127.0.0.1:8701/a2a/',
    'http://127.0.0.1:8701/a2a',
    'http://LOCALHOST:8701/a2a/',
    'http://127.0.0.1:8701/a2a/.well-known/agent-card.json',
    'http://127.0.0.1:8701/a2a/agent.json',
  ])('an agent under a second name is refused as its own supervisor, with its line: %s', (url) => {
    expect(judgedBy(url)).toMatch(
      /refused: .*:2:\d+ policies\.p\.audience\[0\]: found "agent:judge", which has the address of "pay"/,
    );
  });

  test('an agent under a second name is another agent where host, port or path is another one', () => {
    for (const url of ['http://127.0.0.1:8702/a2a/', 'http://127.0.0.1:8701/b/', 'http://judge.example:8701/a2a/'])
      expect(judgedBy(url)).not.toContain('refused');
  });
});

describe('what is hardly meant is only a warning', () => {
  const keys = 'auth: { keys: [ { user: anna, roles: [finance], key: a-key-of-16-letters } ] }\n';
  const used = 'agents: { a: { url: http://a, policy: p } }\n';
  const bots = 'auth: { keys: [ { user: bot, kind: agent, key: a-key-of-16-letters } ] }\n';

  // Promise Q57
  test.each([
    [
      `${keys}${used}policies:\n  p:\n    audience: [role:finance, role:finanze, user:anna, user:ben, owner]\n`,
      'standfast.yaml:5:30 policies.p.audience[1]: no entry of auth.keys has "role:finanze"',
    ],
    [
      `${keys}${used}policies:\n  p:\n    ladder: [ { after: 1h, escalate: [role:lead] } ]\n`,
      'policies.p.ladder[0].escalate[0]: no entry of auth.keys has "role:lead"',
    ],
    [
      `${keys}users: { anna: { away: { delegate: "user:zoe" } } }\n`,
      'users.anna.away.delegate: no entry of auth.keys has "user:zoe"',
    ],
    ['policies:\n  p:\n    audience: [owner]\n', 'standfast.yaml:2:3 policies.p: no agent uses this policy'],
    [
      'policies: { p: {}, q: {} }\nagents:\n  a:\n    url: http://a\n    rules:\n      - { when: { title: "pay*" }, policy: p }\n      - { when: { title: "Pay anna", kind: form }, policy: q }\n',
      'standfast.yaml:7:9 agents.a.rules[1]: this rule never comes to pass: rules[0] above it matches everything that it does',
    ],
    [
      'policies: { p: {} }\nagents:\n  a:\n    url: http://a\n    rules:\n      - { when: { dialect: "ad?" }, policy: p }\n',
      'standfast.yaml:6:28 agents.a.rules[0].when.dialect: this rule never comes to pass: no way of asking is called "ad?"; there are a2a.hitl.form, a2a.input.request, adk, kagent.hitl, langchain, strands, agentstack, mastra, value, auth, plain',
    ],
    [
      'policies: { p: {} }\nagents:\n  a:\n    url: http://a\n    rules:\n      - { when: { data: ["amount > 10", currency exists, "amount < 5"] }, policy: p }\n',
      'standfast.yaml:6:19 agents.a.rules[0].when.data: this rule never comes to pass: data[0] and data[2] are never both so',
    ],
    [
      'notifications: { channels: { chat: { type: slack, url: http://s } } }\n',
      'notifications.channels.chat: no policy and no user has this channel',
    ],
    [
      `${used}policies: { p: { audience: ["role:x"], quorum: 2 } }\n`,
      'policies.p.quorum: without auth.keys everybody is one person',
    ],
    [`${keys}${used}policies: { p: { exclude: [requester] } }\n`, 'policies.p.exclude: no decision is possible'],
    [
      'server: { publicUrl: "https://intra.example/standfast" }\n',
      'server.publicUrl: the pages work at the root of an address only: expected one without a path',
    ],
    [
      `${bots}${used}policies: { p: { ask: caller } }\n`,
      'policies.p.ask: only the caller is asked, and only keys of agents may call, which decide nothing: no answer is possible',
    ],
    [
      `${bots.replace('] }', ', { user: anna, key: another-key-16-letters } ] }')}policies: { p: { ask: caller } }\n${used.replace('}', ', access: [user:bot] }')}`,
      'policies.p.ask: only the caller is asked',
    ],
    ['agents: { a: { url: http://a, limits: { silence: 2d, total: 1d } } }\n', 'a silence of 2d is never reached'],
    [
      `${keys}${used}policies: { p: { audience: ["agent:boss"] } }\n`.replace(
        'agents: {',
        'agents: { boss: { url: http://boss },',
      ),
      'policies.p.audience: only agents are asked: if they do not decide operators do, and no entry of auth.keys has that role',
    ],
    [
      `${used}policies: { p: { ladder: [ { after: 1h, remind: true, every: 1h }, { after: 2h, remind: true, every: 5h } ] } }\n`,
      'policies.p.ladder[0].every: this reminder comes once: only the last one that repeats does, ladder[1]',
    ],
    ['server: { host: 0.0.0.0, publicUrl: "http://standfast.example" }\n', 'server.publicUrl: '],
    ...['email', 'preferred_username', 'upn'].map((claim): [string, string] => [
      oidcBy(claim),
      `auth.oidc.userClaim: the value of the claim "${claim}" can be given to another person later`,
    ]),
    [
      'auth: { oidc: { issuer: "https://id", clientId: c, clientSecret: s } }\n',
      'auth.oidc: each group of the provider is a role of its name, so that its group "operator" makes operators here',
    ],
  ])('what is hardly meant is only a warning: %s', (text, expected) => {
    expect(warningsOf(text)).toContain(expected);
  });

  test('a configuration in which everything fits has no warnings', () => {
    const caller = `${used}policies: { p: { ask: caller } }\n`;
    expect(warningsOf(caller)).toBe('');
    for (const claim of ['sub', 'oid', 'employee_number']) expect(warningsOf(oidcBy(claim))).toBe('');
    for (const address of ['https://standfast.example', 'http://localhost:8600', 'http://127.0.0.1:8600'])
      expect(warningsOf(`server: { publicUrl: "${address}" }\n`)).toBe('');
    expect(warningsOf(`${keys}${caller}`)).toBe('');
    const mixed = bots.replace('] }', ', { user: anna, key: another-key-16-letters } ] }');
    expect(warningsOf(`${mixed}${caller}`)).not.toContain('only the caller is asked');
    expect(warningsOf(`${keys}${used}policies: { p: { audience: ["role:finance"] } }\n`)).toBe('');
    expect(warningsOf(`${used}policies: { p: { audience: ["role:anyone"] } }\n`)).toBe('');
  });
});
