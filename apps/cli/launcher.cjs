#!/usr/bin/env node
'use strict';
// Starts the bundle beside this file through V8's code cache: parsing and compiling is most of what a start costs.
// The cache lies in Croft's own base directory, where no agent can write, under a name that changes with the bundle
// and with Node; a missing, stale or unwritable cache only makes the start slower.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`croft needs Node.js 20.19 or newer; this is ${process.versions.node}\n`);
  process.exit(1);
}
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');

const BUNDLE_HASH = '__BUNDLE_HASH__';
const bundle = path.join(__dirname, 'croft-main.cjs');
const base = process.env.CROFT_BASE_DIR?.trim() || path.join(process.env.HOME || require('node:os').homedir(), '.croft');
const cacheFile = path.join(base, 'cache', `${BUNDLE_HASH}-${process.versions.v8}-${process.arch}.bin`);

// The same flags @croft/workspace sets for regular expressions, before anything is compiled: V8 takes a cache only with
// the flags it was made with.
const v8 = require('node:v8');
v8.setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');
v8.setFlagsFromString('--regexp-backtracks-before-fallback=20000');

// The bundle is plain ASCII (the build sees to it), and read as such it needs no decoding.
const source = fs.readFileSync(bundle, 'latin1');
let cachedData;
try {
  cachedData = fs.readFileSync(cacheFile);
} catch {
  // First start with this bundle.
}
const script = new vm.Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
  filename: bundle,
  cachedData,
  importModuleDynamically: vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
if (!cachedData || script.cachedDataRejected) {
  // After the first work is done the cache also holds what was compiled on the way.
  const keep = () => {
    if (kept) return;
    kept = true;
    try {
      fs.mkdirSync(path.dirname(cacheFile), { recursive: true, mode: 0o700 });
      const temporary = `${cacheFile}.${process.pid}`;
      fs.writeFileSync(temporary, script.createCachedData(), { mode: 0o600 });
      fs.renameSync(temporary, cacheFile);
      for (const name of fs.readdirSync(path.dirname(cacheFile))) {
        if (name.endsWith('.bin') && name !== path.basename(cacheFile)) fs.unlinkSync(path.join(path.dirname(cacheFile), name));
      }
    } catch {
      // A read-only home: every start compiles.
    }
  };
  let kept = false;
  setTimeout(keep, 1_500).unref();
  process.on('exit', keep);
}
const module_ = { exports: {} };
script.runInThisContext()(module_.exports, require, module_, bundle, __dirname);
