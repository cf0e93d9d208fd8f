/** Files of several types in a directory, and one beside it, for `useWorkspace`. */
export const FILES = [
  'docs/a.md = # A',
  'docs/b.html = <title>Bee</title><script>x()</script><h1>Hello</h1><p>Some <b>text</b></p>',
  'docs/c.bin = \0\x01\x02',
  'docs/deep/d.txt = deep',
  'secret.txt = outside of docs',
];
