/**
 * Whether the names `croft` and `@croft/*` on the npm registry belong to this project. While they do not, no text and no
 * configuration may name them for installation: their first registrant could run code on every machine that follows the text.
 * `published.test.ts` holds documentation, help and messages to this value.
 */
export const PUBLISHED: boolean = false;

/** How to get the server package, as the end of a message. `script` is the file that runs. */
export function serverInstallHint(script: string, published = PUBLISHED): string {
  if (!published) return 'Run croft serve from a checkout of Croft, which has it: npm start';
  const isGlobal = /[\\/](lib|npm)[\\/]node_modules[\\/]/.test(script);
  return `Install it with: npm install ${isGlobal ? '--global ' : ''}@croft/server`;
}
