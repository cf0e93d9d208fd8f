import { describe, expect, it } from 'vitest';
import { checkNames, quoted, reservedSegment } from './names.ts';
import { refusalOf } from './testing.ts';

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
  it.each(['name.', 'name ', 'a./b', 'x/y '])('refuses the trailing dot or space of %j', (path) => {
    expect(refusal(path)).toMatch(/^Path component '.*' has trailing dot or space \(silently stripped on Windows\)$/);
  });
  it('prints names as Python would', () => {
    expect(quoted("it's")).toBe('"it\'s"');
    expect(quoted('a\\b')).toBe("'a\\\\b'");
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
  it('does not confuse a longer name with a reserved one', () => {
    expect(reservedSegment('.lfsig2')).toBeUndefined();
    expect(reservedSegment('lfsig')).toBeUndefined();
  });
});
