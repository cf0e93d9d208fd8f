import ts from 'typescript';

const MAX_CHARS = 600;
/** Codes of the compiler for unknown globals: some messages advise to install types or to change settings. */
const NO_NAME = new Set([2304, 2580, 2581, 2582, 2583, 2584, 2591, 2592, 2593, 2867, 2868]);
const NO_MODULE = new Set([2307, 2792, 2882]);
const NO_PROPERTY = 2339;
const MAYBE_NONE = new Set([2532, 18048]);

/** The message of the compiler, with advice that fits the sandbox. */
export function sentenceFor({ code, messageText }: ts.Diagnostic, text: string): string {
  if (NO_MODULE.has(code) || (NO_NAME.has(code) && /^['"]/.test(text)))
    return "A component imports from '@croft/component' only.";
  if (text === 'console') return 'The sandbox has no console. Write this.log(…).';
  if (NO_NAME.has(code)) return `Cannot find '${text}': neither this code nor the sandbox has it.`;
  const message = ts.flattenDiagnosticMessageText(messageText, '\n').slice(0, MAX_CHARS);
  // Codes of a value that may be undefined: most often an input.
  if (MAYBE_NONE.has(code) && text.startsWith('this.'))
    return `'${text}' may be undefined, as an input without a value is: give it a default, or make it required.`;
  return code === NO_PROPERTY ? `${message} The list inputs declares the inputs.` : message;
}
