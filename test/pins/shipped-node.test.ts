// `npm run bench` measures on the Node that users get.
import { expect, test } from '@jest/globals';
import { read } from '../source-tree.ts';

interface ShippedNode {
  isShipped(version: string): boolean;
}

test('the bench runs on the line of Node that the image has, and fetches it where another one is installed', async () => {
  const { isShipped }: ShippedNode = await import(new URL('../../bench/shipped-node.mjs', import.meta.url).href);
  const inImage = /^ARG NODE=.*?(\d+)|^FROM .*node:(\d+)/m.exec(read('Dockerfile'));
  const line = inImage?.[1] ?? inImage?.[2];
  expect(isShipped(`v${line}.1.0`)).toBe(true);
  expect(isShipped('v20.20.2')).toBe(line === '20');
});
