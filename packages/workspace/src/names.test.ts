import { describe, expect, it } from 'vitest';
import { checkNames, foldName, quoted, RESERVED_SEGMENTS, reservedSegment } from './names.ts';
import { codeOf, refusalOf } from './testing.ts';

const refusal = (path: string) => refusalOf(() => checkNames(path));

describe('names', () => {
  it.each(['CON', 'PRN', 'AUX', 'NUL', 'COM1', 'COM9', 'LPT1', 'LPT9', 'con', 'Nul'])(
    'refuses the device name %s',
    (name) => {
      expect(refusal(name)).toBe(`Path component '${name}' is a Windows reserved name`);
    },
  );
  it('refuses a device name with an extension, judged before the first dot, and below a directory', () => {
    expect(refusal('CON.txt')).toBe("Path component 'CON.txt' is a Windows reserved name");
    expect(refusal('aux.tar.gz')).toBe("Path component 'aux.tar.gz' is a Windows reserved name");
    expect(refusal('a/b/lpt1.log/c')).toBe("Path component 'lpt1.log' is a Windows reserved name");
    expect(refusal('a\\NUL')).toBe("Path component 'NUL' is a Windows reserved name");
  });
  it.each(['MyCon.txt', 'console.log', 'COM0', 'COM10', 'lpt', 'a/b.c', './hello.txt', '..', '../x', 'C:\\x'])(
    'accepts %s',
    (path) => {
      expect(refusal(path)).toBe('accepted');
    },
  );
  it.each([...'<>"|?*'])('refuses the character %s and lists it', (char) => {
    expect(refusal(`a${char}b`)).toBe(
      `Path component ${quoted(`a${char}b`)} contains forbidden character(s): ['${char}']`,
    );
  });
  it('lists several forbidden characters once each, in order', () => {
    expect(refusal('?a*b?<')).toBe("Path component '?a*b?<' contains forbidden character(s): ['*', '<', '?']");
  });
  it.each([
    ['name.', 'name.'],
    ['name ', 'name '],
    ['a./b', 'a.'],
    ['x/y ', 'y '],
    ['x\\y ', 'y '],
    ['...', '...'],
    [' ', ' '],
  ])('refuses the trailing dot or space of %j', (path, name) => {
    expect(refusal(path)).toBe(`Path component '${name}' has trailing dot or space (silently stripped on Windows)`);
  });
  it('refuses NUL bytes, and temporary names of Croft', () => {
    expect(refusal('a\0b')).toBe('Path contains NUL byte');
    expect(refusal('a/.Croft-tmp-X')).toBe("Path component '.croft-tmp-x' is reserved");
    expect([
      RESERVED_SEGMENTS,
      reservedSegment('.LFSIG'),
      reservedSegment('.croft-tmp-1'),
      reservedSegment('.a'),
    ]).toEqual([['.lfsig', '.components'], '.lfsig', '.croft-tmp-1', undefined]);
    expect(refusal('CON/.lfsig')).toBe("Path component 'CON' is a Windows reserved name");
    expect(refusal('.lfsig/CON')).toBe("Path component 'CON' is a Windows reserved name");
  });
  it('refuses a colon on Windows only, where it names a stream', () => {
    const { platform } = process;
    expect(refusal('a:b')).toBe('accepted');
    Object.defineProperty(process, 'platform', { value: 'win32' });
    try {
      expect([refusal('a:b'), refusal('C:/x')]).toEqual([
        "Path component 'a:b' contains forbidden character(s): [':']",
        'accepted',
      ]);
    } finally {
      Object.defineProperty(process, 'platform', { value: platform });
    }
  });
  it('folds names that some file system takes for the same', () => {
    expect(['SSH', '\u017fsh', '\u212a'].map(foldName)).toEqual(['ssh', 'ssh', 'k']);
  });
  it('prints names as Python would', () => {
    expect(quoted("it's")).toBe('"it\'s"');
    expect(quoted('a\\b')).toBe("'a\\\\b'");
    expect([quoted('a'), quoted('"'), quoted(`'"`)]).toEqual(["'a'", `'"'`, `'\\'"'`]);
  });
  it.each(['.lfsig', '.LFSIG', '.LfSiG', 'ok/.lfsig/x', '.lf\u017fig'])(
    'refuses the reserved segment in %s by its canonical name',
    (path) => {
      expect(refusal(path)).toBe("Path component '.lfsig' is reserved");
    },
  );
  it.each(['.components', '.Components/a', 'x/.COMPONENTS', '.component\u017f'])(
    'refuses the reserved segment in %s',
    (path) => {
      expect(refusal(path)).toBe("Path component '.components' is reserved");
    },
  );
  it('denies Croft’s own names, and calls other refused names invalid', async () => {
    const codes = ['.lfsig', 'x/.croft-tmp-1', 'a\0', 'NUL', 'a?', 'a.', 'a'].map((path) =>
      codeOf(() => checkNames(path)),
    );
    expect(await Promise.all(codes)).toEqual(['denied', 'denied', 'invalid', 'invalid', 'invalid', 'invalid', 'done']);
  });
  it('does not confuse a longer name with a reserved one', () => {
    expect(reservedSegment('.lfsig2')).toBeUndefined();
    expect(reservedSegment('lfsig')).toBeUndefined();
  });
});
