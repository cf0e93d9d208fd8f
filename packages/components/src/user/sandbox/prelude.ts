/**
 * The code that runs first in each context. It gives the class that components extend, and the function that runs one row.
 * Both keep the functions that they use: what a component replaces later changes only its own row.
 */
export const PRELUDE = `(() => {
'use strict';
const { parse, stringify } = JSON;
const { slice } = String.prototype;
const call = Function.prototype.call.bind(Function.prototype.call);
const { assign, create, defineProperty } = Object;
const text = String;
// Without a prototype: a component may have given all objects a toJSON.
const answer = (fields) => stringify(assign(create(null), fields));
let log = () => {};
class Component {
  log(...values) {
    let line = '';
    for (let i = 0; i < values.length && line.length < 1000; i++)
      line += (i === 0 ? '' : ' ') + (typeof values[i] === 'string' ? values[i] : stringify(values[i]));
    log(call(slice, line, 0, 1000));
  }
}
defineProperty(globalThis, 'Component', { value: Component, writable: false, configurable: false });
return async (Class, inputs, outputs, maxChars, hostLog) => {
  try {
    log = hostLog;
    const wanted = parse(outputs);
    const component = new Class();
    assign(component, parse(inputs));
    let result = {};
    if (wanted.length > 0 && wanted[0].method === undefined) result = await component.run();
    else
      for (let i = 0; i < wanted.length; i++) {
        const { name, method } = wanted[i];
        const value = await component[method]();
        if (value !== undefined) result[name] = value;
      }
    const json = stringify(result);
    if (json === undefined) return answer({ reason: 'result', message: 'The component gave no value.' });
    if (json.length > maxChars)
      return answer({ reason: 'result', message: 'The outputs are larger than ' + maxChars + ' characters as JSON.' });
    return '{"outputs":' + json + '}';
  } catch (error) {
    const isError = typeof error === 'object' && error !== null;
    const message = isError ? text(error.message) : text(error);
    const isAdvice = isError && error.name === 'ComponentError' && typeof error.fix === 'string';
    return answer({
      reason: 'thrown',
      fix: isAdvice ? call(slice, error.fix, 0, 1000) : undefined,
      name: isError ? call(slice, text(error.name), 0, 100) : '',
      message: call(slice, message, 0, 1000),
      stack: isError ? call(slice, text(error.stack), 0, 4000) : '',
    });
  }
};
})()`;
