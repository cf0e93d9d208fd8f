import { expect, it } from 'vitest';
import { hintSet, isHint, type KeyMeaning, meaningOf } from './argument-keys.ts';

it.each<[KeyMeaning, string]>([
  ['path', 'path file_path filePath FILE-PATH notebook_path absolutePath'],
  ['base', 'cwd working_directory workdir rootDir'],
  ['output', 'output_file outputPath save_to saveFileAs'],
  ['command', 'command cmd'],
  ['content', 'search_text replacementText pageMarkdown'],
  ['body', 'file_content newContent pageContents'],
  ['other', 'is_path includeFiles create_directories maxDepth show_dirs allowFiles limit tent'],
])('takes these names for the meaning %s: %s', (meaning, keys) => {
  for (const key of keys.split(' ')) expect(meaningOf(key), key).toBe(meaning);
});

it('takes no name of an object of JavaScript for anything', () => {
  for (const key of ['__proto__', 'constructor', 'valueOf', '', '42']) expect(meaningOf(key), key).toBe('other');
});

it('follows the names of the configuration, in any spelling, where a name says nothing', () => {
  const hints = hintSet(['my_place', 'Where']);
  for (const key of ['myPlace', 'my-place', 'WHERE']) expect(isHint(key, meaningOf(key), hints), key).toBe(true);
  expect(isHint('place', meaningOf('place'), hints)).toBe(false);
  // Names that mean a path are judged as one in any case.
  expect(isHint('path', 'path', hintSet(['path']))).toBe(false);
  expect(isHint('myPlace', 'other', hintSet([]))).toBe(false);
});

it.each<[KeyMeaning, string]>([
  ['command', 'run shell_command cmdline'],
  ['commands', 'commands commandList cmds'],
  ['patch', 'patch diff udiff'],
  ['arguments', 'args parameters toolInput payload'],
  ['base', 'directory dir repoPath workspaceFolder subDirs src_folder my_cwd build_root other_workspace'],
  ['output', 'destination dst saveAs outDir exportFile downloadFolder destFolder dst_uri written_path save_in dumpAs'],
  ['goal', 'to newName new_uri request_file responsePath target_folder toDir'],
  ['path', 'fileList fname relpath sourceFile my_uris some_filename the_pathname extra_files'],
  ['aim', 'target targets'],
  ['loose', 'source src images from location'],
  ['url', 'url href baseUrl page'],
  ['body', 'content newString rewrite codeEdit pageContent'],
  [
    'content',
    'text old_string query regex commit_message xpath some_html other_body a_source x_code y_str error_description',
  ],
  ['other', 'has_path max_files show_dir num_paths min_dir use_file include_dir exclude_files make_dir recursive_dirs'],
  ['other', 'html_size save wait_to content_type to_x'],
])('takes further names for the meaning %s: %s', (meaning, keys) => {
  for (const key of keys.split(' ')) expect(meaningOf(key), key).toBe(meaning);
});

it('follows a configured name beside meanings that are not places', () => {
  const hints = hintSet(['x']);
  const meanings: KeyMeaning[] = ['path', 'base', 'output', 'goal', 'aim', 'patch', 'loose'];
  for (const meaning of meanings) expect(isHint('x', meaning, hints), meaning).toBe(false);
  for (const meaning of ['url', 'body', 'content', 'command', 'commands', 'arguments', 'other'] as const)
    expect(isHint('x', meaning, hints), meaning).toBe(true);
  expect([...hintSet(['My-Place', 'other'])]).toEqual(['myplace', 'other']);
});
