import { describe, expect, it } from 'vitest';
import { hasUnseen, nameParts, spelledName } from './unseen-characters.ts';

describe('invisible characters of a name', () => {
  it.each([
    ['photo\u202Egpj.exe', 'photo[U+202E]gpj.exe'],
    ['\u2067a\u2069.txt', '[U+2067]a[U+2069].txt'],
    ['a\u200Eb\u200Fc\u061Cd', 'a[U+200E]b[U+200F]c[U+061C]d'],
    ['line\nbreak\tand\u0000nul\u009b', 'line[U+000A]break[U+0009]and[U+0000]nul[U+009B]'],
    ['in\u200Bvis\u2060ible\uFEFF\u00AD', 'in[U+200B]vis[U+2060]ible[U+FEFF][U+00AD]'],
    ['pass\u200Dword', 'pass[U+200D]word'],
    ['a\uFE0F', 'a[U+FE0F]'],
    ['tags\u{E0041}', 'tags[U+E0041]'],
    ['filler\u3164\u115F', 'filler[U+3164][U+115F]'],
    ['two\u2028lines', 'two[U+2028]lines'],
  ])('are spelled: %j', (name, spelled) => {
    expect([spelledName(name), hasUnseen(name)]).toEqual([spelled, true]);
  });

  it.each([
    'notes.md',
    'Übung Ärger naïve.txt',
    'שלום.txt',
    'ملف عربي.pdf',
    'می\u200Cخواهم.txt',
    'क्\u200Dष.txt',
    '👩\u200D👩\u200D👧 family.png',
    '❤\uFE0F.txt',
    '🏳\uFE0F\u200D🌈.png',
    '日本語 ファイル.txt',
    'e\u0301.txt',
    '\u0600١٢.txt',
  ])('are not what scripts and emoji are made of: %s', (name) => {
    expect([spelledName(name), hasUnseen(name)]).toEqual([name, false]);
  });
});

it('splits a name into texts and codes', () => {
  const text = (each: string) => ({ text: each, isUnseen: false });
  const code = (each: string) => ({ text: each, isUnseen: true });
  expect(nameParts('plain')).toEqual([text('plain')]);
  expect(nameParts('a\u202Eb')).toEqual([text('a'), code('U+202E'), text('b')]);
  expect(nameParts('\u202E\u{E0041}')).toEqual([code('U+202E'), code('U+E0041')]);
  expect(nameParts('')).toEqual([text('')]);
});
