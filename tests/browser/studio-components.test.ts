import { describe, expect, it } from 'vitest';
import { viewProblems } from './axe-problems.ts';
import { openFlow } from './open-flow.ts';
import { change } from './studio-servers.ts';
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

describe('the components of a user', () => {
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
    // The editor has the focus. Escape belongs to the editor, and Cancel asks before it drops what was written.
    const focused = 'document.activeElement.shadowRoot?.activeElement?.ariaLabel';
    await expect.poll(() => page.evaluate(focused)).toBe('Code of the component');
    await page.keyboard.type('// mine');
    await page.keyboard.press('Escape');
    await button('Cancel').click();
    await page.getByRole('dialog', { name: 'Discard the changes?' }).getByRole('button', { name: 'Cancel' }).click();
    await editor.getByText('// mine').waitFor();
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

  it('a flow says that a component was saved with other code since, and takes it for one node or for all', async () => {
    const first = code('return this.value + this.value;');
    const second = code('return this.value.repeat(2);');
    const { studio, page, stored, node, isSaved, edit } = await openFlow(
      tests,
      'nodes:\n  T: PromptTemplate\nconfig:\n  T.template: hello',
    );
    await change(studio.visitor, 'PUT', '/api/v1/components/Doubles', { code: first });
    for (const [at, id] of ['Doubles-a', 'Doubles-b', 'Doubles-c'].entries())
      await edit({
        kind: 'add_component',
        node: { id, type: 'Doubles', name: id, position: { x: 400, y: 200 * at }, values: {}, code: first },
      });
    const codes = async () =>
      (await stored()).nodes.filter(({ type }) => type === 'Doubles').map((each) => (each as { code?: string }).code);
    await node('Doubles-a').click();
    const panel = page.getByRole('region', { name: 'Component Doubles-a' });
    await panel.waitFor();
    expect(await codes()).toEqual([first, first, first]);
    expect(await panel.getByText('was saved with other code').count()).toBe(0);
    await change(studio.visitor, 'PUT', '/api/v1/components/Doubles', { code: second });
    await page.getByRole('button', { name: 'Close the component' }).click();
    await node('Doubles-a').click();
    await panel.getByText('Doubles was saved with other code since. This flow runs its own copy.').waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await panel.getByRole('button', { name: 'Use the new code' }).click();
    await isSaved();
    await expect.poll(codes).toEqual([second, first, first]);
    await node('Doubles-b').click();
    await page.getByRole('button', { name: 'Use it in all 2 components' }).click();
    await expect.poll(codes).toEqual([second, second, second]);
    await page.keyboard.press('Control+z');
    await expect.poll(codes).toEqual([second, first, first]);
  });
});
