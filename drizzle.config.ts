import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: [
    './src/store/schema.ts',
    './src/store/caller-schema.ts',
    './src/store/circuit-schema.ts',
    './src/store/engram-schema.ts',
    './src/store/gate-schema.ts',
    './src/store/personal-schema.ts',
  ],
  out: './drizzle',
});
