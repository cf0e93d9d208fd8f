import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { MAX_FILE_BYTES, openDecisionFile } from './decision-file.ts';

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

describe('the size of a file', () => {
  it('has a default of 8 MiB', () => {
    expect(MAX_FILE_BYTES).toBe(8_388_608);
  });

  it('is checked after as many bytes as it may have, and when it is opened', () => {
    const dir = testDir();
    const file = openDecisionFile(dir, 10);
    file.append('12345678\n');
    file.append('1\n');
    file.append('2\n');
    file.close();
    file.close();
    expect([text(dir, 1), text(dir, 2)]).toEqual(['12345678\n1\n', '2\n']);
    file.append('3\n');
    file.close();
    expect(text(dir, 2)).toBe('2\n3\n');
  });

  it('is checked after 256 KiB, if it may be larger', () => {
    const dir = testDir();
    const [file, other] = [openDecisionFile(dir, 300_000), openDecisionFile(dir, 300_000)];
    file.append(`${'a'.repeat(262_142)}\n`);
    other.append(`${'b'.repeat(40_000)}\n`);
    file.append('c'.repeat(1));
    expect(readdirSync(dir)).toEqual(['decisions.1.ndjson']);
    file.append('d\n');
    file.close();
    other.close();
    expect(text(dir, 2)).toBe('d\n');
  });

  it('does not count files of other names', () => {
    const dir = testDir();
    for (const name of [
      'decisions.x.ndjson',
      'decisions.1234567890.ndjson',
      'xdecisions.7.ndjson',
      'decisions.7.ndjsonx',
    ])
      writeFileSync(join(dir, name), '');
    writeFileSync(at(dir, 9), 'x'.repeat(9));
    writeFileSync(at(dir, 10), '');
    const file = openDecisionFile(dir, MAX);
    file.append('a\n');
    file.close();
    expect([text(dir, 9), text(dir, 10)]).toEqual(['x'.repeat(9), 'a\n']);
  });
});

describe('a reader', () => {
  it('ignores a file that another process deletes, and reports other errors', () => {
    const dir = testDir();
    const reader = openDecisionFile(dir, MAX);
    writeFileSync(at(dir, 1), 'a\n');
    expect(reader.readNew()).toEqual(['a']);
    renameSync(at(dir, 1), at(dir, 2));
    expect(reader.readNew()).toEqual(['a']);
    mkdirSync(at(dir, 3));
    expect(() => reader.readNew()).toThrow('EISDIR');
  });

  it('leaves no descriptor open', () => {
    const dir = testDir();
    const reader = openDecisionFile(dir, MAX);
    writeFileSync(at(dir, 1), 'a\n');
    reader.readNew();
    const before = openSync(at(dir, 1), 'r');
    closeSync(before);
    for (let count = 0; count < 5; count += 1) reader.readNew();
    const after = openSync(at(dir, 1), 'r');
    closeSync(after);
    expect(after).toBe(before);
  });

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
