// A change of the tables in src/store becomes a migration: see docs/storage.md.
export default {
  dialect: 'postgresql',
  schema: [
    './src/store/schema.ts',
    './src/store/flow-schema.ts',
    './src/store/chat-schema.ts',
    './src/store/vector-schema.ts',
    './src/store/assistant-schema.ts',
  ],
  out: './migrations',
};
