import { expect, it } from 'vitest';
import { type SearchOwner, Turns } from './turns.ts';

const all = () => true;

function queueOf(...entries: string[]): Turns<string> {
  const turns = new Turns<string>();
  for (const entry of entries) turns.add(ownerOf(entry), entry);
  return turns;
}

/** `w1/ann/3` is the third search of ann in w1. */
function ownerOf(entry: string): SearchOwner {
  const [workspace, caller] = entry.split('/') as [string, string];
  return { workspace, caller };
}

function drain(turns: Turns<string>, mayRun: (owner: SearchOwner) => boolean = all): string[] {
  const taken: string[] = [];
  for (let next = turns.next(mayRun); next !== undefined; next = turns.next(mayRun)) taken.push(next);
  return taken;
}

it('serves workspaces in turns, and in each its callers in turns', () => {
  const turns = queueOf('w1/ann/1', 'w1/ann/2', 'w1/ann/3', 'w1/bob/1', 'w2/cat/1', 'w2/cat/2');
  expect(drain(turns)).toEqual(['w1/ann/1', 'w2/cat/1', 'w1/bob/1', 'w2/cat/2', 'w1/ann/2', 'w1/ann/3']);
});

it('gives a newcomer the turn after those that are due', () => {
  const turns = queueOf('w1/ann/1', 'w1/ann/2', 'w1/ann/3');
  expect(turns.next(all)).toBe('w1/ann/1');
  turns.add(ownerOf('w2/cat/1'), 'w2/cat/1');
  expect(drain(turns)).toEqual(['w1/ann/2', 'w2/cat/1', 'w1/ann/3']);
});

it('passes over an owner that may not run, who keeps the turn', () => {
  const turns = queueOf('w1/ann/1', 'w1/bob/1', 'w2/cat/1');
  expect(drain(turns, ({ caller }) => caller !== 'ann')).toEqual(['w1/bob/1', 'w2/cat/1']);
  expect(drain(turns)).toEqual(['w1/ann/1']);
});

it('forgets an entry that was taken out', () => {
  const turns = queueOf('w1/ann/1', 'w1/ann/2');
  turns.remove(ownerOf('w1/ann/1'), 'w1/ann/1');
  turns.remove(ownerOf('w1/ann/1'), 'w1/ann/9');
  turns.remove(ownerOf('w9/x/1'), 'w9/x/1');
  expect(drain(turns)).toEqual(['w1/ann/2']);
});
