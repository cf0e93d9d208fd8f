import { expect, it } from 'vitest';
import { importServerPart } from './import-server-part.ts';

it('imports an entry of the server package', async () => {
  const config = await importServerPart<{ LOCAL_USER_ID: string }>('@croft/server/config');
  expect(config?.LOCAL_USER_ID).toBeTypeOf('string');
});

it('passes on why an entry that is there cannot be imported', async () => {
  await expect(importServerPart('@croft/server/none')).rejects.toThrow();
});
