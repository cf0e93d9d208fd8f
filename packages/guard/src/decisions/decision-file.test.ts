import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { openDecisionFile } from './decision-file.ts';

const MAX = 100;
const at = (dir: string, number: number) => join(dir, `decisions.${number}.ndjson`);
const text = (dir: string, number: number) => readFileSync(at(dir, number), 'utf8');

describe('the files of a log', () => {
  it('are made with the first line, for their owner only', () => {
    const dir = join(testDir(), 'log');
    const file = openDecisionFile(dir, MAX);
    expect(file.readNew()).toEqual([]);
    file.append('a\n');
    file.close();
    expect([statSync(dir).mode & 0o777, statSync(at(dir, 1)).mode & 0o777, text(dir, 1)]).toEqual([
      0o700,
      0o600,
      'a\n',
    ]);
  });

  it('are followed by the next one when they are full, and only two stay', () => {
    const dir = testDir();
    const file = openDecisionFile(dir, MAX);
    for (const letter of 'abcde') file.append(`${letter.repeat(60)}\n`);
    file.close();
    expect(readdirSync(dir).sort()).toEqual(['decisions.2.ndjson', 'decisions.3.ndjson']);
    expect([text(dir, 2).length, text(dir, 3).length]).toEqual([122, 61]);
  });

  it('have a whole line behind one that a killed process left half', () => {
    const dir = testDir();
    writeFileSync(at(dir, 1), 'one\nhal');
    const file = openDecisionFile(dir, MAX);
    file.append('two\n');
    file.close();
    expect(text(dir, 1)).toBe('one\nhal\ntwo\n');
  });

  it('are never written through a link', () => {
    const dir = testDir();
    const elsewhere = join(testDir(), 'file');
    writeFileSync(elsewhere, 'kept');
    symlinkSync(elsewhere, at(dir, 1));
    const file = openDecisionFile(dir, MAX);
    expect(() => file.append('x\n')).toThrow('ELOOP');
    expect(readFileSync(elsewhere, 'utf8')).toBe('kept');
  });
});

describe('a reader', () => {
  it('gives complete lines once, also those of other processes and of the next file', () => {
    const dir = testDir();
    const [writer, reader] = [openDecisionFile(dir, MAX), openDecisionFile(dir, MAX)];
    writer.append('a\nb\n');
    expect(reader.readNew()).toEqual(['a', 'b']);
    expect(reader.readNew()).toEqual([]);
    writeFileSync(at(dir, 1), 'a\nb\nc\nhal');
    expect(reader.readNew()).toEqual(['c']);
    writeFileSync(at(dir, 1), `a\nb\nc\nhalf\n${'d'.repeat(MAX)}\n`);
    writeFileSync(at(dir, 2), 'e\n');
    expect(reader.readNew()).toEqual(['half', 'd'.repeat(MAX), 'e']);
    writer.close();
  });

  it('gives only the last 512 KiB of what others wrote, from the start of a line', () => {
    const dir = testDir();
    const lines = Array.from({ length: 700 }, (_, i) => `${i}`.padStart(1_023, '.'));
    writeFileSync(at(dir, 1), lines.map((line) => `${line}\n`).join(''));
    const read = openDecisionFile(dir, MAX).readNew();
    expect([read.length, read.at(-1), read[0]]).toEqual([511, lines.at(-1), lines[189]]);
  });
});
