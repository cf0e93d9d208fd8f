import { defineConfig } from 'drizzle-kit';

// A change of src/store/schema.ts becomes a migration: `npx drizzle-kit generate --name what_changes`, here.
export default defineConfig({ dialect: 'postgresql', schema: './src/store/schema.ts', out: './migrations' });
