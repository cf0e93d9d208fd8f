import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fileDir } from '../../../../tests/support/temp-dir.ts';
import { ADDRESS_FILE, readServedAddress } from './served-address.ts';

const base = fileDir();

it('reads the address of a server, and nothing from a missing or broken file', () => {
  expect(readServedAddress(base)).toBeUndefined();
  const address = 'http://127.0.0.1:7860';
  for (const [written, read] of [
    [
      { address, pid: 12 },
      { address, pid: 12 },
    ],
    [
      { address, pid: '12' },
      { address, pid: undefined },
    ],
    [{ pid: 12 }, undefined],
    [null, undefined],
    ['{', undefined],
  ] as const) {
    writeFileSync(join(base, ADDRESS_FILE), typeof written === 'string' ? written : JSON.stringify(written));
    expect(readServedAddress(base), JSON.stringify(written)).toEqual(read);
  }
});
