#!/usr/bin/env node
'use strict';
// `npx croft` in a clone: runs the built program, or says how to build it. The published package has its own entry.
const fs = require('node:fs');
const path = require('node:path');

const program = path.join(__dirname, '../apps/cli/dist/croft.cjs');
if (fs.existsSync(program)) {
  process.argv[1] = program;
  require(program);
} else {
  process.stderr.write('croft is not built yet. Run `npm install && npm run build` in this repository first.\n');
  // Agents let a call through when their hook fails with any code but 2.
  process.exitCode = process.argv[2] === 'guard' && process.argv[3] === 'hook' ? 2 : 1;
}
