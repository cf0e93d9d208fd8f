'use strict';
// Preloaded into a real `croft mcp`: ends it with SIGKILL at a point of the first change after it has looked at a file
// called `arm`. KILL_AT is a number, for the n-th call of `fs`; or `before-record` or `after-record`, for the moment
// before or after the last line that records the change. Acts that do not use `fs` (exchanges of names, locks) are done
// or not done by then.
const fs = require('node:fs');

const { readlinkSync } = fs;
const point = process.env.KILL_AT;
const end = () => process.kill(process.pid, 'SIGKILL');
let count = -1;

/** A line that names more than directories made on the way. */
function isRecord([fd, bytes]) {
  const text = String(bytes);
  if (!text.includes('"changes"')) return false;
  if (!readlinkSync(`/proc/self/fd/${fd}`).includes('/changes.')) return false;
  const { changes, tool } = JSON.parse(text);
  return tool === 'create_dir' || changes.some(({ kind }) => kind !== 'mkdir');
}

for (const name of Object.keys(fs)) {
  if (!name.endsWith('Sync') || typeof fs[name] !== 'function') continue;
  const call = fs[name];
  fs[name] = function (...args) {
    const isArmed = count >= 0;
    if (isArmed && ++count > Number(point)) end();
    const isLine = isArmed && name === 'writeSync' && isRecord(args);
    if (isLine && point === 'before-record') end();
    const result = Reflect.apply(call, this, args);
    if (isLine && point === 'after-record') end();
    if (!isArmed && name === 'lstatSync' && String(args[0]).endsWith('/arm')) count = 0;
    return result;
  };
}
