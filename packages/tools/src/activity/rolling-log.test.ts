import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { openRollingLog, readLines } from './rolling-log.ts';

const MIB = 1024 * 1024;
const idOf = (line: unknown) => (line as { id?: string }).id;
const lineOf = (id: string, text = '') => `${JSON.stringify({ id, ...(text !== '' && { text }) })}\n`;
const openLog = (dir: string, onRoll?: () => number) => openRollingLog(dir, 'log', idOf, onRoll);
const file = (dir: string, number: number) => join(dir, `log.${number}.ndjson`);

describe('a log', () => {
  it('gives its lines in order, and from the end', () => {
    const dir = testDir();
    const log = openLog(dir);
    log.append(lineOf('a') + lineOf('b'));
    log.append(lineOf('c'));
    expect(log.read()).toEqual({ lines: [{ id: 'a' }, { id: 'b' }, { id: 'c' }], dropped: 0 });
    expect([...log.fromEnd()]).toEqual([{ id: 'c' }, { id: 'b' }, { id: 'a' }]);
    log.close();
    expect(readdirSync(dir)).toEqual(['log.1.ndjson']);
  });

  it('is empty without a file, and for another name', () => {
    const dir = testDir();
    writeFileSync(join(dir, 'log.x.ndjson'), lineOf('a'));
    writeFileSync(join(dir, 'other.1.ndjson'), lineOf('a'));
    const missing = openLog(join(dir, 'no'));
    for (const log of [openLog(dir), missing])
      expect([log.read(), [...log.fromEnd()]]).toEqual([{ lines: [], dropped: 0 }, []]);
    expect(readLines(file(dir, 7))).toEqual([]);
  });

  it('begins a new line after one that a killed process left half', () => {
    const dir = testDir();
    writeFileSync(file(dir, 1), `${lineOf('a')}{"id":"ha`);
    const log = openLog(dir);
    log.append(lineOf('b'));
    log.close();
    expect(log.read().lines).toEqual([{ id: 'a' }, { id: 'b' }]);
    expect(readFileSync(file(dir, 1), 'utf8')).toBe('{"id":"a"}\n{"id":"ha\n{"id":"b"}\n');
  });

  it('gives long lines from the end, also over several reads', () => {
    const dir = testDir();
    const log = openLog(dir);
    const ids = Array.from({ length: 40 }, (_, i) => `${i}`);
    for (const id of ids) log.append(lineOf(id, 'é'.repeat(Number(id) * 2_000)));
    log.close();
    expect([...log.fromEnd()].map(idOf)).toEqual(ids.toReversed());
  });

  it('is shared by writers, of which each appends whole lines', () => {
    const dir = testDir();
    const [one, two] = [openLog(dir), openLog(dir)];
    one.append(lineOf('a'));
    two.append(lineOf('b'));
    one.append(lineOf('c'));
    one.close();
    two.close();
    expect(one.read().lines.map(idOf)).toEqual(['a', 'b', 'c']);
  });
});

describe('a full file', () => {
  /** A log whose files each have one entry and are full. */
  const fill = (dir: string, number: number, first = '') =>
    writeFileSync(file(dir, number), `${first}${lineOf(`in-${number}`, 'x'.repeat(8 * MIB))}`);

  it('is followed by the next one, and stays', () => {
    const dir = testDir();
    fill(dir, 1);
    const log = openLog(dir);
    log.append(lineOf('next'));
    log.close();
    expect(readdirSync(dir)).toEqual(['log.1.ndjson', 'log.2.ndjson']);
    expect(readLines(file(dir, 2))).toEqual([{ header: { dropped: 0, upTo: 0 } }, { id: 'next' }]);
    expect([...log.fromEnd()].map(idOf)).toEqual(['next', undefined, 'in-1']);
  });

  it('removes all but the newest two, and counts the entries dropped with them', () => {
    const dir = testDir();
    writeFileSync(file(dir, 1), lineOf('a') + lineOf('a') + lineOf('b') + '{"other":1}\n');
    fill(dir, 2);
    const log = openLog(dir, () => 10);
    log.append(lineOf('c'));
    expect([existsSync(file(dir, 1)), existsSync(file(dir, 2)), log.read().dropped]).toEqual([false, true, 12]);
    log.close();
    const [header] = readLines(file(dir, 3)) as [{ header: object }];
    expect(header).toEqual({ header: { dropped: 12, upTo: 1 } });
    appendFileSync(file(dir, 3), 'x'.repeat(8 * MIB));
    const later = openLog(dir);
    later.append(lineOf('d'));
    later.close();
    expect([readdirSync(dir), later.read().dropped]).toEqual([['log.3.ndjson', 'log.4.ndjson'], 13]);
  });

  it('is not counted again where another process has counted it', () => {
    const dir = testDir();
    writeFileSync(file(dir, 1), lineOf('a'));
    fill(dir, 2, `${JSON.stringify({ header: { dropped: 5, upTo: 1 } })}\n`);
    const log = openLog(dir);
    log.append(lineOf('b'));
    log.close();
    expect(log.read().dropped).toBe(5);
  });

  it('is noticed also while it is open', () => {
    const dir = testDir();
    const log = openLog(dir);
    log.append(lineOf('a'));
    fill(dir, 1);
    log.append(lineOf('b', 'x'.repeat(300_000)));
    log.append(lineOf('c'));
    log.close();
    expect(readLines(file(dir, 2)).map(idOf)).toEqual([undefined, 'c']);
  });
});

it('can be read by its owner only', () => {
  const dir = testDir();
  const log = openLog(dir);
  log.append(lineOf('a'));
  log.close();
  expect(statSync(file(dir, 1)).mode & 0o777).toBe(0o600);
});
