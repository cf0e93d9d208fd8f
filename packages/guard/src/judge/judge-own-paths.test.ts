import { afterAll, describe, expect, it } from 'vitest';
import { collectPaths } from './extract/paths.ts';
import { judgeOwnPaths } from './judge-own-paths.ts';
import { outcomeOf, scratchContext } from './testing.ts';

const { context, remove } = scratchContext(['src/a', '.env', '.git/hooks/x'], { denyRead: ['.env'] });
afterAll(remove);

const part = (tool: string, args: unknown) => judgeOwnPaths(context, collectPaths(args), context.nameOf(tool));
const judged = (tool: string, args: unknown) => outcomeOf(part(tool, args));
const UNKNOWN = 'undecided unknown-tool';
const OUTSIDE = 'block outside-path';

describe('a tool that reads', () => {
  it('writes no files, wherever it reads', () => {
    expect(part('read_file', { path: '/etc/hosts' })).toMatchObject({
      outcome: 'allow',
      reason: 'The tool writes no files',
    });
    expect(judged('read_file', { path: '.env' })).toBe('block denied-read');
    expect(judged('read_file', { thing: './.env' })).toBe('block denied-read');
    expect(judged('web_fetch', { thing: './.env' })).toBe('allow');
    expect(judged('web_fetch', { path: '.env' })).toBe('block denied-read');
  });

  it('writes to its output path', () => {
    expect(judged('read_file', { path: 'a', output_path: '../x' })).toBe(OUTSIDE);
    expect(judged('fetch', { url: 'https://x', target_directory: '../x' })).toBe(OUTSIDE);
    expect(judged('list_dir', { target_directory: '../x' })).toBe('allow');
    expect(judged('list_dir', { save_to: '../x' })).toBe(OUTSIDE);
    expect(part('read_file', { path: 'a', output_path: 'b' }).paths.map((one) => one.written)).toEqual(['b']);
  });

  it('writes the picture that it takes', () => {
    expect(judged('get_screenshot', { path: '../x.png' })).toBe(OUTSIDE);
    expect(judged('view_screenshot', { path: '../x.png' })).toBe('allow');
  });

  it('writes a path that comes with content', () => {
    expect(judged('get_file', { path: '../x', content: 'a' })).toBe(OUTSIDE);
    expect(judged('read_file', { path: '../x', mode: 'w' })).toBe(OUTSIDE);
    expect(judged('get_thing', { content: 'a' })).toBe('allow');
  });
});

describe('a tool that writes', () => {
  it('needs every path inside', () => {
    expect(part('write_file', { path: 'src/b', content: '' })).toMatchObject({
      outcome: 'allow',
      reason: 'Every path is inside the project directory',
    });
    expect(judged('write_file', { path: '../b', content: '' })).toBe(OUTSIDE);
    expect(judged('write_file', { path: '.git/hooks/x', content: '' })).toBe('block protected-path');
    expect(part('write_file', { path: 7, content: '' })).toMatchObject({
      rule: 'invalid-path',
      reason: 'A path must be text, not 7',
    });
  });

  it('needs a path', () => {
    expect(part('write_file', { content: 'x' })).toMatchObject({
      rule: 'no-path-found',
      reason: 'No path was found in a call of a tool that writes files',
    });
    expect(judged('write_file', { path: ' ', content: 'x' })).toBe('undecided no-path-found');
    expect(judged('git_commit', { message: 'x' })).toBe('allow');
    expect(judged('screenshot', {})).toBe('allow');
  });

  it('may not remove the whole root', () => {
    expect(judged('delete', { path: '.' })).toBe('block whole-root');
    expect(judged('delete', { path: '' })).toBe('block whole-root');
    expect(judged('editor', { command: 'delete', path: '.' })).toBe('block whole-root');
    expect(judged('write_file', { path: 'src', content: '' })).toBe('allow');
  });

  it('may use the directory that the contract of a memory tool defines', () => {
    expect(judged('memory', { command: 'create', path: '/memories/x', file_text: '' })).toBe('allow');
    expect(judged('write_file', { path: '/memories/x', content: '' })).toBe(OUTSIDE);
  });

  it('joins relative paths with the directory of the call', () => {
    expect(judged('write_file', { path: '../x', cwd: 'src', content: '' })).toBe(OUTSIDE);
    expect(judged('write_file', { path: 'x/../../../y', root: 'src', content: '' })).toBe(OUTSIDE);
    expect(part('write_file', { path: 'x', cwd: 'src', content: '' }).paths.map((one) => one.read_as)).toContain(
      'src/x',
    );
  });

  it('may not name too many directories and paths', () => {
    const names = (count: number, of: string) => Array.from({ length: count }, (_, i) => `${of}${i}`);
    const call = (count: number) => () =>
      judged('write_files', { root: names(100, 'd'), paths: names(count, 'f'), content: '' });
    expect(call(101)).toThrow('The call names too many directories and paths to tell which belong together');
    expect(call(5)()).toBe('allow');
  });

  it('takes a path from the first line of a text, or from a short text', () => {
    const text = (written: string) => judged('write_file', { note: written });
    expect(text('../x\nbody')).toBe(OUTSIDE);
    expect(text('.git/hooks/x\nbody')).toBe('block protected-path');
    expect(text('../x')).toBe(OUTSIDE);
    expect(text('/etc/x y\nbody')).toBe(OUTSIDE);
    expect(text('../x y\nbody')).toBe(OUTSIDE);
    expect(text('a/{b}\nbody')).toBe('undecided no-path-found');
    expect(text('${X}/y\nbody')).toBe('block unresolvable-path');
    expect(text('/no-such-top/x y\nbody')).toBe('undecided no-path-found');
    expect(text('<a/>\nbody')).toBe('undecided no-path-found');
    expect(text('// ../x')).toBe('undecided no-path-found');
    expect(text('plain')).toBe('undecided no-path-found');
  });
});

describe('a tool that is not known', () => {
  it('may name paths inside, and is undecided about others', () => {
    expect(part('frobnicate', { path: 'src/a' })).toMatchObject({
      outcome: 'allow',
      reason: 'The tool is not known, and names no path outside the project directory',
    });
    expect(part('export_report', { destination: 'a' }).reason).toBe('Every path is inside the project directory');
    expect(part('frobnicate', { path: '../x' })).toMatchObject({
      rule: 'unknown-tool',
      reason: "Path '../x' is outside the project directory, and it is not known what this tool does",
      paths: [{ written: '../x' }],
    });
    expect(part('http_request', { path: '/users/1' }).reason).toMatch(
      /does; if the paths of this tool are not files, name it in excluded_tools$/,
    );
  });

  it('may hold a sentence that begins with a slash, and a path in a text without files', () => {
    expect(judged('frobnicate', { thing: '/etc is not a nice place' })).toBe('allow');
    expect(judged('frobnicate', { thing: '/etc is there' })).toBe(UNKNOWN);
    expect(judged('frobnicate_issue', { thing: '/etc/x' })).toBe('allow');
  });

  it('may not write outside where an argument says that it writes there', () => {
    expect(judged('frobnicate', { save_to: '../x' })).toBe(OUTSIDE);
    expect(judged('frobnicate', { to: '/etc/x' })).toBe(OUTSIDE);
    expect(judged('frobnicate', { to: '/no-such-top/x' })).toBe(UNKNOWN);
    expect(judged('frobnicate', { to: '~/x' })).toBe(OUTSIDE);
    expect(judged('browser_thing', { to: '/etc/x' })).toBe(UNKNOWN);
    expect(part('create_thing', { save_to: 'src/x' })).toMatchObject({
      outcome: 'allow',
      reason: 'Every path is inside the project directory',
    });
    expect(judged('create_thing', { save_to: '../x', extra: '/etc/x' })).toBe(OUTSIDE);
    expect(judged('create_thing', { save_to: 'src/x', extra: '/etc/x' })).toBe(OUTSIDE);
    expect(judged('frobnicate', { save_to: 'src/x', extra: '/etc/x' })).toBe(UNKNOWN);
  });
});

describe('arguments that may be options of a program', () => {
  it('are undecided, unless the tool works on no files or is blocked anyway', () => {
    const found = { ...collectPaths({ path: 'a', content: '' }), undecidable: 'An option may name a file' };
    const outcome = (tool: string, more: object = {}) =>
      judgeOwnPaths(context, { ...found, ...more }, context.nameOf(tool));
    expect(outcome('write_file')).toMatchObject({ outcome: 'undecided', reason: 'An option may name a file' });
    expect(outcome('web_fetch').outcome).toBe('allow');
    expect(outcomeOf(outcome('write_file', collectPaths({ path: '../x', content: '' })))).toBe(OUTSIDE);
  });
});
