import { expect, test } from '@jest/globals';
import { createBatchWriter } from '../../../src/activities/run-log/batch-writer.ts';
import type { AguiEvent } from '../../../src/contract/tasks/run.ts';
import { waitFor } from '../../rigs/wait-for.ts';

const token = (n: number): AguiEvent => ({ type: 'TEXT_MESSAGE_CONTENT', delta: `t${n}` });
const quiet = (): void => undefined;

test('what is pushed is appended in order, the first at once and the rest in few batches', async () => {
  const batches: AguiEvent[][] = [];
  const writer = createBatchWriter<AguiEvent>((events) => Promise.resolve(batches.push(events)), quiet);
  writer.push([token(0)]);
  await waitFor(() => batches.length === 1, 1_000, 'the first batch');
  for (let n = 1; n <= 100; n += 1) writer.push([token(n)]);
  await writer.flush();
  expect(batches.flat()).toEqual(Array.from({ length: 101 }, (_, n) => token(n)));
  expect(batches.length).toBeLessThan(5);
});

test('a flush waits for what is being written', async () => {
  let finish = (): void => undefined;
  const held = new Promise<void>((resolve) => (finish = resolve));
  const writer = createBatchWriter<AguiEvent>(() => held, quiet);
  writer.push([token(1)]);
  let isFlushed = false;
  const flushed = writer.flush().then(() => (isFlushed = true));
  await Promise.resolve();
  expect(isFlushed).toBe(false);
  finish();
  await flushed;
  expect(isFlushed).toBe(true);
});

test('what is not written yet is taken out for who writes the end, once what is being written is done', async () => {
  const batches: AguiEvent[][] = [];
  let finish = (): void => undefined;
  const held = new Promise<void>((resolve) => (finish = resolve));
  const writer = createBatchWriter<AguiEvent>((events) => held.then(() => batches.push(events)), quiet);
  writer.push([token(0)]);
  await Promise.resolve();
  writer.push([token(1), token(2)]);
  const rest = writer.rest();
  finish();
  expect(await rest).toEqual([token(1), token(2)]);
  expect(batches).toEqual([[token(0)]]);
  expect(await writer.rest()).toEqual([]);
});

test('what is more than one write takes is written, and nothing of it is taken out', async () => {
  const batches: AguiEvent[][] = [];
  const writer = createBatchWriter<AguiEvent>((events) => Promise.resolve(batches.push(events)), quiet);
  const large: AguiEvent = { type: 'TEXT_MESSAGE_CONTENT', delta: 'x'.repeat(600_000) };
  writer.push([large, large]);
  expect(await writer.rest()).toEqual([]);
  expect(batches.flat()).toEqual([large, large]);
});

test('one that pushes faster than the log takes is held back, and continues when the queue is short', async () => {
  let finish = (): void => undefined;
  const held = new Promise<void>((resolve) => (finish = resolve));
  const writer = createBatchWriter<AguiEvent>(() => held, quiet);
  writer.push(Array.from({ length: 2_500 }, (_, n) => token(n)));
  writer.push(Array.from({ length: 2_500 }, (_, n) => token(n)));
  let isReady = false;
  const ready = writer.ready().then(() => (isReady = true));
  await Promise.resolve();
  expect(isReady).toBe(false);
  finish();
  await ready;
});

test('one that pushes few large events is held back by their size', async () => {
  let finish = (): void => undefined;
  const held = new Promise<void>((resolve) => (finish = resolve));
  const writer = createBatchWriter<AguiEvent>(() => held, quiet);
  const large: AguiEvent = { type: 'TEXT_MESSAGE_CONTENT', delta: 'x'.repeat(3_000_000) };
  for (let n = 0; n < 4; n += 1) writer.push([large]);
  let isReady = false;
  const ready = writer.ready().then(() => (isReady = true));
  await Promise.resolve();
  expect(isReady).toBe(false);
  finish();
  await ready;
});

test('a log that refuses ends it: the failure is reported once, and to everybody who waits', async () => {
  const failures: unknown[] = [];
  const refused = new Error('fenced');
  const writer = createBatchWriter<AguiEvent>(
    () => Promise.reject(refused),
    (error) => failures.push(error),
  );
  writer.push([token(1)]);
  await expect(writer.flush()).rejects.toBe(refused);
  writer.push([token(2)]);
  await expect(writer.ready()).rejects.toBe(refused);
  expect(failures).toEqual([refused]);
});
