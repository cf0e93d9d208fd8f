import { createNamespaces, type Namespaces } from '../../apps/server/src/files/namespaces.ts';
import { testDir } from './temp-dir.ts';

/** For tests: namespaces without limits in a directory of the test. The test closes them. */
export const testNamespaces = (options: Partial<Parameters<typeof createNamespaces>[0]> = {}): Namespaces =>
  createNamespaces({
    baseDir: testDir(),
    quotaBytes: undefined,
    trashBytes: undefined,
    onChange: () => {},
    ...options,
  });
