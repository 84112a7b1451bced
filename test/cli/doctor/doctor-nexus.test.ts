import { expect, test } from '@jest/globals';
import { nexusFaults, nexusWords } from '../../../src/cli/doctor/doctor-nexus.ts';

const wanted = { namespace: 'prod', taskQueue: 'holdpoint-nexus', callers: ['payments', 'ledger'] };
const here = { name: 'people', leadsTo: { namespace: 'prod', taskQueue: 'holdpoint-nexus' } };
const well = { endpoints: [here], hasWorker: true, missingNamespaces: [] };
const target = '--target-namespace prod --target-task-queue holdpoint-nexus';

test('holdpoint doctor finds no fault where an endpoint leads to the queue that a worker polls', () => {
  expect(nexusFaults(wanted, well)).toEqual([]);
  expect(nexusWords(wanted, well)).toBe('the endpoint people of prod/holdpoint-nexus, and a worker polls it');
});

// Promise NX10
test.each([
  [
    'no endpoint',
    [],
    [
      `no endpoint leads to prod/holdpoint-nexus, so no workflow can ask — temporal operator nexus endpoint create --name holdpoint ${target}`,
    ],
  ],
  [
    'an endpoint of another queue',
    [{ name: 'holdpoint', leadsTo: { namespace: 'prod', taskQueue: 'holdpoint' } }],
    [
      `the endpoint holdpoint leads to prod/holdpoint, not to prod/holdpoint-nexus — if it is Holdpoint's: temporal operator nexus endpoint update --name holdpoint ${target}`,
    ],
  ],
  [
    'an endpoint of another namespace that the configuration names',
    [here, { name: 'ledger', leadsTo: { namespace: 'staging', taskQueue: 'holdpoint-nexus' } }],
    [
      `the endpoint ledger leads to staging/holdpoint-nexus, not to prod/holdpoint-nexus — if it is Holdpoint's: temporal operator nexus endpoint update --name ledger ${target}`,
    ],
  ],
  ['endpoints of other services beside its own', [here, { name: 'others', leadsTo: null }], []],
])('holdpoint doctor says of %s what to do', (_of, endpoints, faults) => {
  expect(nexusFaults(wanted, { ...well, endpoints })).toEqual(faults);
});

// Promise NX10
test('holdpoint doctor names an entry of ask.nexus that is neither a namespace nor an endpoint, and a queue that no worker polls', () => {
  expect(nexusFaults(wanted, { ...well, hasWorker: false, missingNamespaces: ['ledger'] })).toEqual([
    'ask.nexus names ledger, which is neither a namespace nor an endpoint of this server — correct the name',
    expect.stringMatching(/^no worker polls holdpoint-nexus — start one .* has to be restarted$/),
  ]);
});
