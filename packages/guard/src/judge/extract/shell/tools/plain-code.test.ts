import { expect, it } from 'vitest';
import { isPlainCode } from './plain-code.ts';

it.each([
  'print(1)',
  'open("a")',
  'open("a", "r")',
  'open("a", mode="rb")',
  'open(x, encoding="utf8")',
  'import os; print(os.getcwd())',
  'print(f"{1+1:>3}")',
  '# eval(x)\nprint(1)',
  "print(len('eval('))",
  'import numpy as np',
  'if (x): print(x)',
])('python writes nothing: %s', (code) => {
  expect(isPlainCode('python', code)).toBe(true);
});

it.each([
  'open("a","w")',
  'open("a", mode="w")',
  'open(f(x))',
  'import os; os.remove("a")',
  'from os import path',
  'from pathlib import Path',
  'print = x',
  'f = print; f(1)',
  'getattr(x, "y")()',
  'x["a"](1)',
  'f()()',
  '@x\ndef f(): pass',
  'print(f"{unknown(1)}")',
  'eval("1")',
  'import json as print',
  'unknown(1)',
  "print('a'.__class__)",
  ' '.repeat(20_001),
])('python may write: %s', (code) => {
  expect(isPlainCode('python', code)).toBe(false);
});

it.each([
  'console.log(1)',
  'require("fs").readFileSync("a")',
  'require("./x").get()',
  'console.log(`${1}`)',
  'console.log("eval()")',
  '// eval\nconsole.log(1)',
  '/* eval */ if (x) (1)',
  'fs.existsSync("a")',
  'x.replace(/eval/, "")',
])('JavaScript writes nothing: %s', (code) => {
  expect(isPlainCode('javascript', code)).toBe(true);
});

it.each([
  'require("fs").writeFileSync("a")',
  'require("child_process")',
  'require("node:child_process")',
  'require(x)',
  'import("x")',
  'const {a: b} = x',
  'console.log(`${evil()}`)',
  'x`a`',
  'a["b"](1)',
  '(()=>1)()',
  'fs.unlinkSync("a")',
  'Function("x")',
  'const log = x',
])('JavaScript may write: %s', (code) => {
  expect(isPlainCode('javascript', code)).toBe(false);
});

it.each(['print 1', 'puts RUBY_VERSION', 's/a/b/', "print '@{[x]}'", 'print if /a/', 'echo 1;'])(
  'another language writes nothing: %s',
  (code) => {
    expect(isPlainCode('other', code)).toBe(true);
  },
);

it.each([
  'system "x"',
  'print `x`',
  's/a/b/e',
  'print "@{[x]}"',
  'open(F, ">a")',
  'unlink "a"',
  'print if /(?{x})/',
  'File.write("a")',
  '$x->()',
  '${x}',
  '%x(a)',
])('another language may write: %s', (code) => {
  expect(isPlainCode('other', code)).toBe(false);
});
