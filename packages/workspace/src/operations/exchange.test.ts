import { lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { locate, type Located } from '../resolve/locate.ts';
import { loadNative, type Native } from '../resolve/native.ts';
import { refusalOf } from '../testing.ts';
import { useEnclosures } from '../use-enclosures.ts';
import { exchangeFor, type Temp } from './exchange.ts';
import { Outdated } from './outdated.ts';

const open = useEnclosures();
const ENOENT = 2;
const EINVAL = 22;
const native = loadNative() as Native;

/** A located file `f`, and a complete temporary file for its place. */
function setUp() {
  const { enclosure, at } = open(['f = old', '.croft-tmp-t = new']);
  const found = locate(enclosure, 'f');
  const temp: Temp = { home: found.dir, name: '.croft-tmp-t', made: lstatSync(at('.croft-tmp-t')) };
  const text = (name: string) => readFileSync(at(name), 'utf8');
  return { found, temp, at, text, names: () => readdirSync(at('.')) };
}

describe('an exchange', () => {
  it('puts the temporary file in the place of the file and removes the old one', () => {
    const { found, temp, text, names } = setUp();
    expect(exchangeFor(native, found, temp)).toBe(true);
    expect([names(), text('f')]).toEqual([['f'], 'new']);
  });

  it('removes the old file also where the system call for it is missing', () => {
    const { found, temp, names } = setUp();
    expect(exchangeFor({ ...native, unlink: () => -EINVAL }, found, temp)).toBe(true);
    expect(names()).toEqual(['f']);
  });

  it('does nothing where names cannot be exchanged', () => {
    const { found, temp, text } = setUp();
    expect(exchangeFor(undefined, found, temp)).toBe(false);
    expect(exchangeFor({ ...native, exchange: () => -EINVAL }, found, temp)).toBe(false);
    expect([text('f'), text('.croft-tmp-t')]).toEqual(['old', 'new']);
  });

  it('is tried again by the caller where the file was deleted', () => {
    const { found, temp, at } = setUp();
    rmSync(at('f'));
    expect(() => exchangeFor(native, found, temp)).toThrow(Outdated);
    expect(() => exchangeFor({ ...native, exchange: () => -ENOENT }, found, temp)).toThrow(Outdated);
  });

  it('puts back a file that another program changed in the last moment', () => {
    const { found, temp, at, text } = setUp();
    writeFileSync(at('f'), 'of another program');
    expect(() => exchangeFor(native, found, temp)).toThrow(Outdated);
    expect([text('f'), text('.croft-tmp-t')]).toEqual(['of another program', 'new']);
  });

  it('puts back a changed file also where its name was deleted meanwhile', () => {
    const { found, temp, at, text, names } = setUp();
    writeFileSync(at('f'), 'of another program');
    let calls = 0;
    const exchange: Native['exchange'] = (...names) => {
      if (calls++ === 0) return native.exchange(...names);
      rmSync(at('f'), { force: true });
      return native.exchange(...names);
    };
    expect(() => exchangeFor({ ...native, exchange }, found, temp)).toThrow(Outdated);
    expect([names(), text('f')]).toEqual([['f'], 'of another program']);
  });

  it('keeps the content of a program that replaces the name over and over, under a visible name', () => {
    const { found, temp, at, text, names } = setUp();
    writeFileSync(at('f'), 'of another program');
    let calls = 0;
    const stubborn: Native = {
      ...native,
      exchange: (...names) => (calls++ === 0 ? native.exchange(...names) : -EINVAL),
      renameNoReplace: (fromDir, from, toDir, to) =>
        to === 'f' ? -EINVAL : native.renameNoReplace(fromDir, from, toDir, to),
    };
    const refusal = refusalOf(() => exchangeFor(stubborn, found, temp));
    const kept = names().find((name) => name.startsWith('f.croft-kept-')) as string;
    expect(refusal).toBe(`Another program keeps replacing f. A version of it was kept beside it as ${kept}`);
    expect([text(kept), calls]).toEqual(['of another program', 65]);
  });
});

it('takes the old file for the right one by its state where the system call does not tell', () => {
  const { found, temp, text } = setUp();
  const blind: Native = { ...native, isStill: () => false };
  expect(exchangeFor(blind, found, temp)).toBe(true);
  expect(text('f')).toBe('new');
  const unknown: Located = { ...found, stat: undefined };
  expect(() => exchangeFor(native, unknown, { ...temp, name: 'f' })).toThrow(Outdated);
});
