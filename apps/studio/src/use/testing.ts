import type { FlowUse } from './snippets.ts';

/** A text that breaks code whose quotes are wrong, and hides parts of code that shows it as it is. */
export const HOSTILE = `it's $(id) \`id\` \\' "; rm -rf ~ #\u001b]52;c;cm0=\u0007\u009b2J\u202e\u{e0041}\u2028 \n!!`;

/** A use of a flow with that text everywhere. */
export const HOSTILE_USE: FlowUse = {
  url: 'http://127.0.0.1:7860/',
  id: '7d1f',
  message: HOSTILE,
  inputs: { [HOSTILE]: { [HOSTILE]: HOSTILE } },
  isQueued: false,
};

/** A schedule that is on and has not run. */
export const SCHEDULE = {
  id: 's1',
  flowId: 'f1',
  cron: '0 9 * * *',
  timeZone: 'UTC',
  isOn: true,
  nextAt: null,
  lastAt: null,
  lastRun: null,
  failure: null,
};
