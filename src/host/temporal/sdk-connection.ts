// Of Temporal's client, what is loaded late: `import()` of a CommonJS package names nothing once it is bundled.
export { Connection } from '@temporalio/client';
