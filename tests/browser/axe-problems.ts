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
