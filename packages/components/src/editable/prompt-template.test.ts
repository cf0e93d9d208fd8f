import { expect, it } from 'vitest';
import { portsOf, runSpec, textsOf } from '../testing.ts';
import { PromptTemplate } from './prompt-template.ts';

it('gives its template, in which a run has filled the values', async () => {
  expect(Object.assign(new PromptTemplate(), { template: 'Hello' }).run()).toMatchObject({ prompt: { text: 'Hello' } });
  const spec =
    'nodes:\n  I: TextInput\n  P: PromptTemplate\nedges:\n  I.text -> P.name\nconfig:\n  I.input_value: Ann\n  P.template: "Hello {name}"\n';
  const { outputs } = await runSpec(spec);
  const own = Object.entries(outputs).find(([id]) => id.startsWith('PromptTemplate'))?.[1];
  expect(own).toMatchObject({ prompt: { text: 'Hello Ann' } });
});

it('has ports that stored flows name', () => {
  expect(portsOf(new PromptTemplate())).toEqual([
    'template: multiline default="" required',
    'tool_placeholder: handle Message Data Table File Any advanced gate list',
    'prompt: gives Message',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(new PromptTemplate())).toEqual([
    'Prompt template (braces): Writes a text from a template. Each {name} becomes an input; {name.path} reads a field of a record.',
    '',
    'template: Template',
    'tool_placeholder: Wait for | The template waits for a value here and does not use it. On a branch that is not taken it does not run.',
    'prompt: Prompt',
  ]);
});
