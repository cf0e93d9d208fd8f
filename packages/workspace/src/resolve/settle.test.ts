import { lstatSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WorkspaceError } from '../errors.ts';
import { makeScratch, type Scratch } from '../testing.ts';
import { isChanging, settle, settleLater, takeFreeName, Unsettled } from './settle.ts';

const refusal = new WorkspaceError('link_outside', 'refused');
let scratch: Scratch;
beforeEach(() => {
  scratch = makeScratch([]);
});
afterEach(() => scratch.remove());

describe('an attempt', () => {
  it('is repeated until it settles', async () => {
    let left = 3;
    const attempt = () => {
      if (--left > 0) throw new Unsettled(refusal);
      return 'done';
    };
    expect(settle(attempt)).toBe('done');
    left = 3;
    expect(await settleLater(async () => attempt())).toBe('done');
  });

  it('ends with its refusal when it does not settle, and with any other error at once', async () => {
    const never = () => {
      throw new Unsettled(refusal);
    };
    expect(() => settle(never)).toThrow(refusal);
    await expect(settleLater(async () => never())).rejects.toBe(refusal);
    let count = 0;
    const broken = () => {
      count++;
      throw new Error('broken');
    };
    expect(() => settle(broken)).toThrow('broken');
    expect(count).toBe(1);
  });
});

describe('a link', () => {
  it('is changing for a moment after it was made', async () => {
    const path = join(scratch.workspace, 'link');
    symlinkSync('x', path);
    const link = lstatSync(path);
    expect(isChanging({ ...link, ctimeMs: Date.now() } as never)).toBe(true);
    expect(isChanging({ ...link, ctimeMs: Date.now() - 60_000 } as never)).toBe(false);
    expect(Unsettled.ifChanging({ ...link, ctimeMs: Date.now() - 60_000 } as never, refusal)).toBe(refusal);
    expect(Unsettled.ifChanging({ ...link, ctimeMs: Date.now() } as never, refusal)).toBeInstanceOf(Unsettled);
  });
});

describe('a name that must be free', () => {
  it('is taken again after an exchange, and refused for a file', () => {
    const path = join(scratch.workspace, 'name');
    let left = 2;
    takeFreeName(path, () => --left === 0, refusal);
    expect(left).toBe(0);
    writeFileSync(path, '');
    utimesSync(path, 1, 1);
    expect(() => takeFreeName(path, () => false, refusal)).toThrow(refusal);
  });
});
