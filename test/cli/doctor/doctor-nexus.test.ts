import { expect, test } from '@jest/globals';
import { nexusFaults, nexusWords } from '../../../src/cli/doctor/doctor-nexus.ts';

const wanted = { namespace: 'prod', taskQueue: 'standfast-nexus', callers: ['payments', 'ledger'] };
const here = { name: 'people', leadsTo: { namespace: 'prod', taskQueue: 'standfast-nexus' } };
const well = { endpoints: [here], hasWorker: true, missingNamespaces: [] };
const target = '--target-namespace prod --target-task-queue standfast-nexus';

test('standfast doctor finds no fault where an endpoint leads to the queue that a worker polls', () => {
  expect(nexusFaults(wanted, well)).toEqual([]);
  expect(nexusWords(wanted, well)).toBe('the endpoint people of prod/standfast-nexus, and a worker polls it');
});

// Promise NX10
test.each([
  [
    'no endpoint',
    [],
    [
      `no endpoint leads to prod/standfast-nexus, so no workflow can ask — temporal operator nexus endpoint create --name standfast ${target}`,
    ],
  ],
  [
    'an endpoint of another queue',
    [{ name: 'standfast', leadsTo: { namespace: 'prod', taskQueue: 'standfast' } }],
    [
      `the endpoint standfast leads to prod/standfast, not to prod/standfast-nexus — if it is Standfast's: temporal operator nexus endpoint update --name standfast ${target}`,
    ],
  ],
  [
    'an endpoint of another namespace that the configuration names',
    [here, { name: 'ledger', leadsTo: { namespace: 'staging', taskQueue: 'standfast-nexus' } }],
    [
      `the endpoint ledger leads to staging/standfast-nexus, not to prod/standfast-nexus — if it is Standfast's: temporal operator nexus endpoint update --name ledger ${target}`,
    ],
  ],
  ['endpoints of other services beside its own', [here, { name: 'others', leadsTo: null }], []],
])('standfast doctor says of %s what to do', (_of, endpoints, faults) => {
  expect(nexusFaults(wanted, { ...well, endpoints })).toEqual(faults);
});

// Promise NX10
test('standfast doctor names an entry of ask.nexus that is neither a namespace nor an endpoint, and a queue that no worker polls', () => {
  expect(nexusFaults(wanted, { ...well, hasWorker: false, missingNamespaces: ['ledger'] })).toEqual([
    'ask.nexus names ledger, which is neither a namespace nor an endpoint of this server — correct the name',
    expect.stringMatching(/^no worker polls standfast-nexus — start one .* has to be restarted$/),
  ]);
});
