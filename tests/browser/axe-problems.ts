import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** The problems that axe finds in a page without frames, with their elements; of one rule, or of all. */
export async function axeProblems(page: Page, rule?: string): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
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
