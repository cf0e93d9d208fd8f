import { describe, expect, it } from 'vitest';
import { keepAmong, moveTo, NONE, rowForKey, toggle, toggleAll } from './selection.ts';

const rows = ['a', 'b', 'c', 'd', 'e'];

describe('choosing rows', () => {
  it('extends a range from where it began, in both directions', () => {
    const at = moveTo(NONE, rows, 'c', false);
    expect([...moveTo(at, rows, 'e', true).chosen]).toEqual(['c', 'd', 'e']);
    const back = moveTo(moveTo(at, rows, 'e', true), rows, 'a', true);
    expect([[...back.chosen], back.anchor, back.active]).toEqual([['a', 'b', 'c'], 'c', 'a']);
  });

  it('moves without choosing', () => {
    expect(moveTo(toggle(NONE, 'a'), rows, 'd', false)).toEqual({ active: 'd', anchor: 'd', chosen: new Set(['a']) });
  });

  it('takes all, and none when all were taken', () => {
    const all = toggleAll(NONE, rows);
    expect(all.chosen.size).toBe(5);
    expect(toggleAll(all, rows).chosen.size).toBe(0);
    expect(toggleAll(toggle(all, 'b'), rows).chosen.size).toBe(5);
  });

  it('stays at the same height when rows go away', () => {
    const at = { ...toggle(NONE, 'b'), active: 'd' };
    expect(keepAmong(at, rows, ['a', 'b', 'c', 'e']).active).toBe('e');
    expect(keepAmong({ ...at, active: 'e' }, rows, ['a', 'c']).active).toBe('c');
    expect(keepAmong(at, rows, ['a', 'c', 'd']).chosen.size).toBe(0);
    expect(keepAmong(at, rows, []).active).toBeUndefined();
  });

  it('goes with a row that got another name', () => {
    const at = moveTo(NONE, rows, 'b', false);
    expect(keepAmong(at, rows, ['a', 'c', 'd', 'e', 'renamed']).active).toBe('renamed');
    expect(keepAmong(at, rows, ['a', 'c', 'd', 'e', 'two', 'three']).active).toBe('c');
    expect(keepAmong(at, rows, ['a', 'c', 'd', 'new']).active).toBe('c');
    expect(keepAmong(at, rows, ['a', 'c', 'd', 'two', 'three']).active).toBe('c');
    expect(keepAmong(at, rows, ['a', 'c', 'd', 'e', 'f'])).toEqual({ active: 'f', anchor: 'f', chosen: new Set() });
  });

  it('stops at the ends', () => {
    expect(rowForKey('ArrowUp', rows, 'a')).toBe('a');
    expect(rowForKey('ArrowDown', rows, 'e')).toBe('e');
    expect(rowForKey('ArrowDown', rows, undefined)).toBe('a');
    expect([rowForKey('Home', rows, 'c'), rowForKey('End', rows, 'c'), rowForKey('PageDown', rows, 'a')]).toEqual([
      'a',
      'e',
      'e',
    ]);
    expect([rowForKey('x', rows, 'a'), rowForKey('toString', rows, 'a')]).toEqual([undefined, undefined]);
  });
});

describe('a range', () => {
  it('begins at the focused row, or at the row itself', () => {
    const at = { active: 'b', anchor: undefined, chosen: new Set<string>() };
    expect(moveTo(at, rows, 'd', true)).toEqual({ active: 'd', anchor: 'b', chosen: new Set(['b', 'c', 'd']) });
    expect(moveTo(NONE, rows, 'd', true)).toEqual({ active: 'd', anchor: 'd', chosen: new Set(['d']) });
    expect([...moveTo({ ...at, anchor: 'gone' }, rows, 'b', true).chosen]).toEqual(['a', 'b']);
  });

  it('ends with a toggled row, which is focused', () => {
    const at = toggle(toggle(NONE, 'a'), 'c');
    expect(at).toEqual({ active: 'c', anchor: 'c', chosen: new Set(['a', 'c']) });
    expect(toggle(at, 'a')).toEqual({ active: 'a', anchor: 'a', chosen: new Set(['c']) });
    expect(toggleAll(at, rows)).toEqual({ active: 'c', anchor: 'c', chosen: new Set(rows) });
  });
});

describe('a selection after a change of rows', () => {
  it('keeps the focus where it is', () => {
    const at = { active: 'b', anchor: 'a', chosen: new Set(['a', 'e']) };
    expect(keepAmong(at, rows, ['a', 'b'])).toEqual({ active: 'b', anchor: 'a', chosen: new Set(['a']) });
    expect(keepAmong(NONE, rows, ['x', 'b', 'c', 'd', 'e'])).toEqual(NONE);
    expect(keepAmong({ ...at, active: 'gone' }, rows, ['a', 'b'])).toMatchObject({ active: 'a', anchor: 'a' });
  });
});

it('moves by a row, by ten rows, and to the ends', () => {
  const many = Array.from({ length: 30 }, (_, at) => `${at}`);
  const to = (key: string) => rowForKey(key, many, '15');
  expect(['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End'].map(to)).toEqual([
    '16',
    '14',
    '25',
    '5',
    '0',
    '29',
  ]);
  expect(rowForKey('ArrowDown', [], undefined)).toBeUndefined();
});
