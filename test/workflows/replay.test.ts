// Histories recorded by scripts/record-histories.mjs, replayed by the workflow of today: executions that are open at our
// users must go on after an update. A red test here asks for `patched()`, never for a new recording.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import proto from '@temporalio/proto';
import { stories } from '../rigs/engine/histories.ts';
import { replay } from '../rigs/engine/replays.ts';
import { keptIn, keptReleases } from '../rigs/release/kept.ts';

const dir = fileURLToPath(new URL('./histories/', import.meta.url));
const own = readdirSync(dir).filter((file) => file.endsWith('.json'));
/** Of today, and those that each release kept. */
const files = [
  ...own,
  ...keptReleases().flatMap((version) => {
    const there = readdirSync(keptIn(version, 'histories')).filter((file) => file.endsWith('.json'));
    return there.map((file) => join('../../releases', version, 'histories', file));
  }),
];

const replayed = new Map<string, Error | undefined>();
beforeAll(async () => {
  const histories = files.map((file) => ({ workflowId: file, history: historyOf(file) }));
  for await (const { workflowId, error } of replay(histories)) replayed.set(workflowId, error);
});

function historyOf(file: string): proto.temporal.api.history.v1.History {
  const recorded: { [key: string]: unknown } = JSON.parse(readFileSync(`${dir}${file}`, 'utf8'));
  return proto.temporal.api.history.v1.History.fromObject(recorded);
}

describe('the workflow of today goes on with what was recorded', () => {
  // Promise W2
  test.each(files)('the workflow of today goes on with what was recorded in %s', (file) => {
    expect([...replayed.keys()]).toContain(file);
    const error = replayed.get(file);
    if (error !== undefined) throw error;
  });
});

test('a history of every story is kept', () => {
  const missing = Object.keys(stories).filter((name) => !own.includes(`${name}.json`));
  expect(missing).toEqual([]);
  expect(files).toContain('continue-as-new-2.json');
});

test('a history that the workflow cannot have made is noticed', async () => {
  const recorded: { events: { [key: string]: unknown }[] } = JSON.parse(
    readFileSync(`${dir}park-and-answer.json`, 'utf8'),
  );
  const scheduled = recorded.events.find(({ eventType }) => eventType === 'EVENT_TYPE_ACTIVITY_TASK_SCHEDULED');
  const attributes = scheduled?.['activityTaskScheduledEventAttributes'] as { activityType: { name: string } };
  attributes.activityType.name = 'somethingElse';
  const history = proto.temporal.api.history.v1.History.fromObject(recorded);
  const errors: unknown[] = [];
  for await (const { error } of replay([{ workflowId: 'tampered', history }])) errors.push(error);
  expect(errors).toEqual([expect.any(Error)]);
});
