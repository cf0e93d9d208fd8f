import { loadPolicy } from '@croft/guard';
import { expect, it } from 'vitest';
import { SPELLINGS } from './settings.ts';

const KEYS = Object.values(SPELLINGS).flatMap(({ file }) => file ?? []);

it.each(KEYS)('the guard accepts the key %s in the configuration file that it shares with the server', (key) => {
  const yaml = { file: '/base/croft.config.yaml', text: `${key}: x\nsandboxing:\n  strict_mode: true\n` };
  expect(loadPolicy({ yaml }).policy.strict).toBe(true);
});
