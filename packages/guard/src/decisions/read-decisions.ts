import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDecisionFile } from './decision-file.ts';
import type { DecisionRecord } from './decision-record.ts';
import { parseRecord } from './parse-record.ts';

const NAME = /^decisions\.(\d{1,9})\.ndjson$/;

/**
 * All decisions stored in a directory, oldest first, from all entry points. Empty if the directory does not exist.
 * Skips damaged lines.
 */
export function readDecisions(dir: string): readonly DecisionRecord[] {
  return files(dir)
    .flatMap((file) => textOf(file).split('\n'))
    .flatMap((line) => (line === '' ? [] : (parseRecord(line) ?? [])))
    .sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
}

/** Returns a function that returns the decisions written since its previous call. */
export function newDecisions(dir: string): () => readonly DecisionRecord[] {
  const reader = openDecisionFile(dir, Number.POSITIVE_INFINITY);
  reader.readNew();
  return () => reader.readNew().flatMap((line) => parseRecord(line) ?? []);
}

function files(dir: string): readonly string[] {
  let names: readonly string[];
  try {
    names = readdirSync(dir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  return names
    .map((name) => Number(NAME.exec(name)?.[1]))
    .filter((number) => !Number.isNaN(number) && number > 0)
    .sort((a, b) => a - b)
    .map((number) => join(dir, `decisions.${number}.ndjson`));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    // Another process deleted the file in between.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
