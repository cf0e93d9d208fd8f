import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { judgePath } from '../../packages/guard/src/judge/judge-path.ts';
import { openPlace } from '../../packages/guard/src/judge/place.ts';
import { pathRules } from '../../packages/guard/src/judge/protect.ts';
import { testPolicy } from '../../packages/guard/src/testing.ts';
import { makeScratch } from '../../packages/workspace/src/testing.ts';
import { inProject, ruleFor } from './judging.ts';

describe('a path to be written', () => {
  it.each([
    ['blanks around it', ' ../x'],
    ['quotes around it', '"../x"'],
    ['the quotes of a typographer around it', '\u201c../x\u201d'],
    ['a quote only before it', '"../x'],
    ['an @ before a climbing path', '@../x'],
    ['an @ before an absolute path', '@/etc/x'],
    ['plain percent escapes', '%2e%2e/x'],
    ['percent escapes of percent escapes', '%252e%252e/x'],
    ['overlong percent escapes', '%c0%ae%c0%ae%c0%afx'],
    ['percent escapes beside one that is none', '%zz/%2e%2e/%2e%2e/x'],
    ['escapes as programs write them', 'a\\u002f\\u002e\\u002e\\u002f\\u002e\\u002e\\u002fx'],
    ['octal escapes', 'a\\057\\056\\056\\057\\056\\056\\057x'],
    ['escaped dots', 'a/\\.\\./\\.\\./x'],
    ['entities of HTML', '&#46;&#46;&#47;x'],
    ['named entities of HTML', '..&sol;x'],
    ['full-width letters', '\uff0e\uff0e\uff0fx'],
    ['slashes of other alphabets', '..\u2215x'],
    ['backslashes of other alphabets', '..\u2216x'],
    ['invisible characters', '.\u200b./x'],
    ['control characters', '.\u0001./x'],
    ['NUL', '.\u0000./x'],
    ['the bare URL of a file', 'file:../x'],
    ['the URL of a file on this host', 'file://localhost/etc/x'],
    ['the URL of a file with a query', 'file:..?y'],
    ['the URL of a file on another host', 'file://srv/x'],
    ['the home directory', '~/x'],
    ["another user's home directory", '~root/x'],
    ['backslashes', '..\\x'],
    ['a drive letter', 'C:x'],
    ['a network share', '\\\\srv\\x'],
    ['a device of Windows', '//?/x'],
    ['a blank behind the dots', '.. /x'],
    ['a way up behind a link, taken by name', 'in/../../x'],
  ])('leads outside with %s', (_, path) => {
    expect(ruleFor(path, ['d/e/', 'in => d/e'])).toBe('outside-path');
  });

  it.each([
    ['a variable of the shell', 'a/$HOME/x'],
    ['a variable in braces', 'a/${x}/y'],
    ['a command in it', 'a/$(pwd)/x'],
    ['a variable of PowerShell', '$env:temp/x'],
    ['a variable of Windows', '%temp%/x'],
    ['a variable in small letters at its start', '$home/x'],
    ['a command between backticks', '`pwd /`'],
    ['a scheme', 'sftp://h/x'],
  ])('cannot be resolved with %s', (_, path) => {
    expect(ruleFor(path)).toBe('unresolvable-path');
  });

  it.each([
    ['control characters', 'a\u0007b'],
    ['marks that turn its direction', 'a\u202ebc.txt'],
    ['a second stream', 'a.txt:s'],
    ['the name of a device', 'NUL'],
    ['a dot at the end of a name', 'a./b'],
  ])('cannot be used with %s', (_, path) => {
    expect(ruleFor(path)).toBe('invalid-path');
  });

  it('is outside as an absolute path and with two dots', () => {
    for (const path of ['/etc/x', '../x', 'a/../../x']) expect(ruleFor(path), path).toBe('outside-path');
  });

  it('is outside where a link leads outside', () => {
    expect(ruleFor('out/x', ['out => $OUT'])).toBe('outside-path');
  });

  it('is outside if a dangling link leads outside', () => {
    expect(ruleFor('gone', ['gone => $OUT/gone'])).toBe('outside-path');
  });

  it('is not inside through a dangling link next to another name of the root', () => {
    const scratch = makeScratch(['d/']);
    symlinkSync(scratch.workspace, join(scratch.base, 'alias'));
    symlinkSync(join(scratch.base, 'gone'), join(scratch.workspace, 'd/gone'));
    const place = openPlace(testPolicy(), scratch.workspace);
    try {
      expect(place.locate(join(scratch.base, 'alias/d/a'))).toMatchObject({ kind: 'inside' });
      expect(place.locate(join(scratch.base, 'alias/d/gone'))).toEqual({ kind: 'outside' });
    } finally {
      place.close();
      scratch.remove();
    }
  });

  it('is outside beside the root although its name has the same prefix', () => {
    inProject([], (judge, { workspace }) => {
      expect(judge('write_file', { path: `${workspace}2/x`, content: '' }).rule).toBe('outside-path');
    });
  });

  it('is refused if the file is a hard link', () => {
    expect(ruleFor('hard.txt', ['hard.txt == $OUT/secret.txt'])).toBe('outside-path');
  });

  it('is refused if it is the root itself and is removed', () => {
    inProject(['src/a'], (judge) => {
      for (const path of ['.', 'src/..', './'])
        expect(judge('delete_directory', { path }).rule, path).toBe('whole-root');
      expect(judge('delete_directory', { path: 'src' }).rule).toBe('allowed');
    });
  });

  it('is refused if a text names no path and the root would be removed', () => {
    inProject([], (judge) => {
      expect(judge('delete_directory', { path: '' }).rule).toBe('whole-root');
    });
  });

  it('may be a virtual path of the one tool that has them, and never leaves that directory', () => {
    const judged = (written: string) => {
      const place = openPlace(testPolicy(), undefined);
      return judgePath({ written, weight: 'path', role: 'plain' }, place, pathRules([]), { virtualRoot: '/memories' })
        .problem?.rule;
    };
    expect(judged('/memories/a')).toBeUndefined();
    expect(judged('/memories/../../etc/x')).toBe('outside-path');
    expect(judged('/memories2/a')).toBe('outside-path');
  });

  it('may be the null device', () => {
    expect(ruleFor('/dev/null')).toBe('allowed');
  });

  it('may hold a dollar, a bracket or an @ where these are ordinary names', () => {
    for (const path of ['app/$slug.tsx', '@/components/x.tsx', 'app/[id]/(x)/page.tsx', 'a%20b.md', '~$x.docx'])
      expect(ruleFor(path), path).toBe('allowed');
  });
});

describe('a further root', () => {
  it('may be written, and nothing beside it', () => {
    inProject([], (judge, { outside, base }) => {
      const overrides = { allowedRoots: [outside] };
      expect(judge('write_file', { path: join(outside, 'x'), content: '' }, overrides).rule).toBe('allowed');
      expect(judge('write_file', { path: join(outside, 'x'), content: '' }).rule).toBe('outside-path');
      expect(judge('write_file', { path: join(base, 'x'), content: '' }, overrides).rule).toBe('outside-path');
    });
  });
});

describe('an agent on another host', () => {
  const remote = (root: string, path: string): string => {
    const place = openPlace(testPolicy({ remote: true }), root);
    return place.locate(path).kind;
  };

  it('is judged by the rules of POSIX', () => {
    expect(remote('/work/p', '../x')).toBe('outside');
    expect(remote('/work/p', 'a/x')).toBe('inside');
    // On Windows a leading slash means the current drive; on POSIX a backslash is an ordinary character.
    expect(remote('/C:/p', '/c:/p/x')).toBe('outside');
  });

  it('is judged by the rules of Windows as well', () => {
    expect(remote('/work/p', 'a\\..\\..\\x')).toBe('outside');
  });

  it('has an unknown current directory on each drive', () => {
    expect(remote('C:\\work', 'C:x')).toBe('outside');
  });

  it('has an unknown current drive', () => {
    expect(remote('C:\\work', '\\work\\x')).toBe('outside');
  });

  it('has no device names, and no trailing dots', () => {
    expect(remote('/work/p', 'a/NUL')).toBe('invalid');
    expect(remote('/work/p', 'a./b')).toBe('invalid');
  });

  it('has an unknown home directory', () => {
    const place = openPlace(testPolicy({ remote: true }), '/work/p');
    const found = judgePath({ written: '~/x', weight: 'path', role: 'plain' }, place, pathRules([]));
    expect(found.problem?.rule).toBe('unresolvable-path');
  });
});

describe('a protected file', () => {
  const ruleOf = (path: string, entries: readonly string[] = []) =>
    ruleFor(path, entries, { protect: ['**/.git/hooks/**', 'build/*.lock', '**/.envrc'] });

  it('is not written under its own name', () => {
    expect(ruleOf('.git/hooks/x')).toBe('protected-path');
    expect(ruleOf('.git/x')).toBe('allowed');
  });

  it('is not written in another case', () => {
    expect(ruleOf('.GIT/Hooks/x')).toBe('protected-path');
    expect(ruleOf('build/A.LOCK')).toBe('protected-path');
  });

  it('is not written with invisible characters in its name', () => {
    expect(pathRules(['**/.git/hooks/**']).match('.g\u200cit/hooks/x')).toBeDefined();
  });

  it('is not written with dots after its name', () => {
    expect(pathRules(['**/.envrc']).match('.envrc. .')).toBeDefined();
  });

  it('is not written as an alternate data stream', () => {
    expect(pathRules(['**/.envrc']).match('.envrc::$DATA')).toBeDefined();
  });

  it('is not written below its own directory', () => {
    expect(ruleOf('a/b/.git/hooks/c/d')).toBe('protected-path');
  });

  it('is not written through a link', () => {
    expect(ruleOf('easy/x', ['.git/hooks/', 'easy => .git/hooks'])).toBe('protected-path');
    expect(ruleOf('easy', ['.envrc', 'easy => .envrc'])).toBe('protected-path');
  });

  it('is not written if the link itself has the name', () => {
    expect(ruleOf('.git/hooks/x', ['.git/', 'd/', '.git/hooks => ../d'])).toBe('protected-path');
  });

  it('is not moved or removed with its directory', () => {
    inProject(['.git/hooks/x'], (judge) => {
      const overrides = { protect: ['**/.git/hooks/**'] };
      expect(judge('delete_directory', { path: '.git' }, overrides).rule).toBe('protected-path');
      expect(judge('move_file', { source: '.git', destination: 'b' }, overrides).rule).toBe('protected-path');
    });
  });
});

describe('a file that may not be read', () => {
  const overrides = { denyRead: ['**/.env', '~/.ssh/**'] };
  const ruleOf = (path: string, entries: readonly string[] = []) => {
    let rule = '';
    inProject(entries, (judge) => {
      rule = judge('Read', { file_path: path }, overrides).rule;
    });
    return rule;
  };

  it('is not read under its own name', () => {
    expect(ruleOf('.env')).toBe('denied-read');
    expect(ruleOf('src/a')).toBe('allowed');
  });

  it('is not read in any other spelling', () => {
    for (const path of ['%2eenv', '".env"', '.ENV', 'a\\.env']) expect(ruleOf(path), path).toBe('denied-read');
  });

  it('is not read through a link', () => {
    expect(ruleOf('notes', ['.env', 'notes => .env'])).toBe('denied-read');
  });

  it('is not read in the home directory', () => {
    expect(ruleOf('~/.ssh/x')).toBe('denied-read');
    expect(ruleOf(`${process.env['HOME']}/.ssh/x`)).toBe('denied-read');
  });

  it('is not read by a command', () => {
    inProject([], (judge) => {
      expect(judge('Bash', { command: 'cat .env' }, overrides).rule).toBe('denied-read');
    });
  });

  it('may be named to a tool that does not read', () => {
    inProject([], (judge) => {
      expect(judge('Task', { path: '.env' }, overrides).rule).toBe('denied-read');
    });
  });
});
