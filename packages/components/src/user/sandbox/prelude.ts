/** The class that components extend. PRELUDE defines it; the code editor reads its types here. */
export declare class Component {
  /** Writes a line to the log of the run. Objects are written as JSON. */
  log(...values: readonly unknown[]): void;
  /** In an edited built-in component: rounds of the innermost cycle before this one. Rows of a loop do not count. */
  readonly round: number;
}

/**
 * The code that runs first in each context. It gives the class that components extend, and the function that runs one row.
 * A component can replace what they use, in its own row only. Each row compiles this text again, so it has only what a row without
 * an error needs: the host reads errors, and bounds outputs and log lines.
 *
 * The function gives the outputs as JSON; undefined where there are none.
 */
export const PRELUDE = `(() => {
'use strict';
const { parse, stringify } = JSON;
const { assign, defineProperty } = Object;
let log;
class Component {
  log(...values) {
    log(values.map((each) => (typeof each === 'string' ? each : '' + stringify(each))).join(' '));
  }
}
defineProperty(globalThis, 'Component', { value: Component });
return async (Class, inputs, outputs, hostLog) => {
  log = hostLog;
  const wanted = parse(outputs);
  const component = assign(new Class(), parse(inputs));
  let result = {};
  if (wanted[0] && !wanted[0].method) result = await component.run();
  else
    for (let i = 0; i < wanted.length; i++) {
      const value = await component[wanted[i].method]();
      if (value !== undefined) result[wanted[i].name] = value;
    }
  return stringify(result);
};
})()`;
