import { defineConfig } from 'drizzle-kit';

// A change of the tables in src/store becomes a migration: `npx drizzle-kit generate --name what_changes`, here.
export default defineConfig({
  dialect: 'postgresql',
  schema: [
    './src/store/schema.ts',
    './src/store/flow-schema.ts',
    './src/store/chat-schema.ts',
    './src/store/vector-schema.ts',
    './src/store/assistant-schema.ts',
  ],
  out: './migrations',
});
