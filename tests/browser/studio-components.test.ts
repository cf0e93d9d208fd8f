import { describe, expect, it } from 'vitest';
import { viewProblems } from './axe-problems.ts';
import { BROWSER_TEST_MS } from './open-studio.ts';
import { useStudio } from './use-studio.ts';

const tests = useStudio({ newUser: true, path: 'settings/components', width: 1_400 });

const code = (line: string) => `export class Doubles extends Component {
  label = 'Doubles a text';
  inputs = [{ name: 'value', label: 'Text', kind: 'text' }];
  outputs = [{ name: 'result', types: ['Message'], method: 'build' }];
  build() {
    ${line}
  }
}`;

describe('the components of a user', { timeout: BROWSER_TEST_MS }, () => {
  it('are written, refused with the line that is wrong, edited, and deleted', async () => {
    const { page, files, expectComplaint } = await tests.open();
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await page.getByText('No components yet').waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await button('New component').click();
    const editor = page.getByRole('textbox', { name: 'Code of the component' });
    const write = async (line: string) => {
      await editor.click();
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText(code(line));
      await button('Save component').click();
    };
    expectComplaint(/status of 422/);
    await editor.waitFor();
    await write('return this.value +;');
    await page.getByText(/^Not saved\./).waitFor();
    await page.getByRole('button', { name: 'Line 6' }).waitFor();
    expect(await viewProblems(page)).toEqual([]);
    expect(files.has('.components/Doubles.ts')).toBe(false);
    await write('return this.value + this.value;');
    await page.getByText('.components/Doubles.ts').waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await button('Edit Doubles').click();
    await editor.getByText('this.value + this.value').waitFor();
    await write('return this.value.repeat(2);');
    await expect.poll(() => files.text('.components/Doubles.ts')).toContain('repeat');
    await button('Delete Doubles').click();
    await button('Delete component').click();
    await page.getByText('No components yet').waitFor();
  });
});
