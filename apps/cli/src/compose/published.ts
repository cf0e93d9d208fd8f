/**
 * Whether the names `croft` and `@croft/*` on the npm registry belong to this project. While they do not, texts and
 * configurations must not name them for installation: the person who registers them could run code on the machine of every reader.
 * `published.test.ts` checks documentation, help and messages.
 */
export const PUBLISHED: boolean = false;

/**
 * Says how to get the server package, for the end of a message. `script` is the running file, `fromCheckout` the advice
 * while the packages are not published.
 */
export function serverInstallHint(
  script: string,
  published = PUBLISHED,
  fromCheckout = 'Run croft serve from a checkout of Croft, which has it: npm start',
): string {
  if (!published) return fromCheckout;
  const isGlobal = /[\\/](lib|npm)[\\/]node_modules[\\/]/.test(script);
  return `Install it with: npm install ${isGlobal ? '--global ' : ''}@croft/server`;
}
