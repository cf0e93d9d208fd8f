import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const AXE = readFileSync(join(import.meta.dirname, '../../node_modules/axe-core/axe.min.js'), 'utf8');

/** Loads axe as a script. Pages of a process share its compiled code, which they do not for code that they evaluate. */
async function loadAxe(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Runtime.enable');
  const script = { expression: AXE, sourceURL: 'axe.js', persistScript: true };
  const { scriptId } = await devtools.send('Runtime.compileScript', script);
  await devtools.send('Runtime.runScript', { scriptId: scriptId ?? '' });
  await devtools.detach();
}

/** The problems that axe finds in a page without frames, with their elements; of one rule, or of all. */
export async function axeProblems(page: Page, rule?: string): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await loadAxe(page);
  // Returns only violations: transferring the passed checks takes longer than checking.
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rule !== undefined && { runOnly: [rule] }) });
  return page.evaluate(`axe.run(${options}).then(({ violations }) => violations.map(
    ({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' | ')))`);
}

/** The problems of a view: all rules in light colours, colours in dark, and what does not fit on a phone. */
export async function viewProblems(page: Page): Promise<string[]> {
  const found = await axeProblems(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  if (!(await page.evaluate('matchMedia("(prefers-color-scheme: dark)").matches'))) found.push('dark: not shown');
  found.push(...(await axeProblems(page, 'color-contrast')));
  await page.emulateMedia({ colorScheme: 'light' });
  const size = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 740 });
  const width = await page.evaluate('document.documentElement.scrollWidth');
  if (width !== 360) found.push(`phone: ${String(width)} pixels wide`);
  if (size) await page.setViewportSize(size);
  return found;
}
