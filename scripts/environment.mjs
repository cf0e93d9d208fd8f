// Checks who reads and writes process.env: settings are one object, which an app reads once and passes on.
// Writing the variables of the process would change the settings of code that has read them already.

const WRITES =
  /\bprocess\.env(\.\w+|\[[^\]]+\])?\s*(\?\?|\|\||&&)?=(?![=>])|\bdelete\s+process\.env\b|\bObject\.(assign|definePropert(y|ies))\(\s*process\.env\b/;

/** Files of packages that may read it, with the reason. */
const READERS = new Map([
  ['packages/workspace/src/namespace.ts', 'where workspaces are, for callers that pass no environment'],
  ['packages/workspace/src/resolve/native.ts', 'a switch for tests, read once in every thread'],
  ['packages/workspace/src/second-wall/landlock.ts', 'a fact about libuv in this process, not a setting'],
  ['packages/mcp/src/testing/surroundings.ts', 'for tests'],
]);

/**
 * Finds uses of `process.env` that the rule forbids: writes anywhere, reads in packages outside the listed files.
 *
 * @param {string} name the path of a source file that is not a test, from the root of the repository
 * @param {string} text its content
 * @returns {string[]} one sentence for each problem
 */
export function checkEnvironment(name, text) {
  const code = text.replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, '');
  const problems = [];
  if (WRITES.test(code)) problems.push(`${name} writes process.env: pass the value as an argument`);
  if (name.startsWith('packages/') && !READERS.has(name) && /\bprocess\.env\b/.test(code))
    problems.push(`${name} reads process.env: a package takes settings as arguments`);
  return problems;
}
