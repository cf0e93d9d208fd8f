import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileDir } from '../../../../tests/support/temp-dir.ts';
import { ConfigError } from '../config/load-config.ts';
import { refuseFilesystemPath } from './local-access.ts';
import { startTestServer } from '../testing.ts';

const dir = fileDir();
mkdirSync(join(dir, 'work'));
writeFileSync(join(dir, 'work/notes.txt'), 'text');

describe('the directory that CROFT_FILESYSTEM_PATH fixes', () => {
  it('stops the start with one sentence where it cannot be used', () => {
    const baseDir = join(dir, 'base');
    const refusal = (filesystemPath: string, autoLogin = true) => {
      try {
        refuseFilesystemPath({ baseDir, autoLogin, filesystemPath });
      } catch (error) {
        expect(error).toBeInstanceOf(ConfigError);
        return (error as Error).message;
      }
      return undefined;
    };
    mkdirSync(baseDir);
    expect(refusal(join(dir, 'work'))).toBeUndefined();
    for (const bad of ['none', 'work/notes.txt', 'base'].map((name) => join(dir, name)))
      expect(refusal(bad)).toMatch(/^CROFT_FILESYSTEM_PATH cannot be used: .+\.?$/);
    expect(refusal(join(dir, 'work'), false)).toBe(
      'CROFT_FILESYSTEM_PATH needs CROFT_AUTO_LOGIN=true: with accounts, agents read no files of this machine',
    );
  });

  it('is looked at before the server listens', async () => {
    const attempt = startTestServer({ autoLogin: true, filesystemPath: join(dir, 'none') });
    await expect(attempt).rejects.toThrow(/^CROFT_FILESYSTEM_PATH cannot be used/);
  });
});
