import { REDACTED } from '../hide-secrets.ts';
import { markRefused } from '../refuse-secrets.ts';
import type { ComponentWriter } from '../turn.ts';
import { askUser } from './ask-tools.ts';
import {
  type AssistantTool,
  failed,
  textOf,
  textParameters,
  type ToolContext,
  type ToolData,
} from './assistant-tool.ts';

const MAX_SOURCES = 1_000_000;

const CODE_HELP = `The whole TypeScript source, one class. Example:
export class SumNumbers extends Component {
  label = 'Sum';
  description = 'Adds two numbers.';
  inputs = [
    { name: 'a', label: 'A', kind: 'number', required: true },
    { name: 'text', label: 'Text', kind: 'text', accepts: ['Message'] },
  ];
  outputs = [{ name: 'total', label: 'Total', types: ['Message'], method: 'build_total' }];

  build_total() {
    return String(this.a);
  }
}
inputs and outputs are literals. Inputs are read as this.NAME; each output names a method that returns its value. No imports, no files, no network, no timers; this.log(...) writes to the log. Name outputs and methods by what they give, not run, process or output.`;

/** Tools that write components of the user's own. */
export const COMPONENT_TOOLS: readonly AssistantTool[] = [
  {
    name: 'generate_component',
    needs: 'change',
    description:
      'Writes a new component in TypeScript, checks it and tries it in a sandbox. It can be used at once, under the name of its class. Only where no component of search_components does it. The same class name again replaces it.',
    parameters: textParameters({ code: CODE_HELP }),
    label: () => 'Generating component',
    changesComponents: true,
    run: (args, context) => generate(textOf(args, 'code'), context),
  },
  {
    name: 'save_component',
    needs: 'change',
    description:
      'Keeps a generated component for good. Only if the user asked to save it: otherwise it is removed with the conversation.',
    parameters: textParameters({ class_name: 'The name of its class.' }),
    label: (args) => `Saving ${textOf(args, 'class_name')}`,
    async run(args, context) {
      const { turn } = context;
      const name = textOf(args, 'class_name');
      // The user's code would be lost, and texts that the model reads may ask for it.
      if ((await writerOf(turn).replacesSaved(name)) && !(await mayReplace(name, context)))
        return { text: 'Not saved: the user keeps the component that they have. Say so, and do not try again.' };
      if (!(await writerOf(turn).save(name)))
        return failed(`There is no generated component '${name.slice(0, 100)}'. Call generate_component first.`, {
          summary: `This conversation wrote no component '${name.slice(0, 100)}'.`,
        });
      return { text: `Saved ${name}.`, saved: name };
    },
  },
];

async function mayReplace(name: string, context: ToolContext): Promise<boolean> {
  const choice = await askUser(
    context,
    {
      kind: 'question',
      text: 'You have saved a component of this name. Replace its code?',
      choices: ['Replace', 'Keep mine'],
      default: 'Keep mine',
    },
    name,
  );
  return choice === 'Replace';
}

function writerOf({ components }: ToolContext['turn']): ComponentWriter {
  if (components === undefined) throw new Error('this turn writes no components');
  return components;
}

async function generate(code: string, { turn, signal, register, emit }: ToolContext): Promise<ToolData> {
  if (code === '') return failed('generate_component needs code.', { summary: 'The component has no code.' });
  if (code.length > MAX_SOURCES)
    return failed(`The code has ${code.length} characters; at most ${MAX_SOURCES} are read.`);
  if (code.includes(REDACTED)) throw markRefused('the code of the component');
  const attempt = { attempt: 1, max_attempts: 1 };
  emit({ event: 'progress', step: 'validating', ...attempt, message: 'Validating component...' });
  const made = await writerOf(turn).generate(code, signal);
  signal.throwIfAborted();
  if ('problems' in made) {
    const error = made.problems.join(' ');
    emit({ event: 'progress', step: 'validation_failed', ...attempt, message: 'Validation failed', error });
    return failed(`The component was not created: ${error} Correct the code and call generate_component again.`, {
      problems: made.problems,
      summary: `The component was not created: ${error}`,
    });
  }
  const { className, entry } = made;
  register(entry);
  emit({ event: 'progress', step: 'validated', ...attempt, message: 'Component validated' });
  const { label } = entry.descriptor;
  emit({ event: 'component', class_name: className, label, component_code: code, saved: false });
  const text = `Component '${className}' created, validated and registered. Now call search_components to find '${className}' and add it to the flow.`;
  return { text, class_name: className };
}
