import type { FlowTool, Progress } from '@croft/flow';
import type { ModelTool } from '@croft/models';
import { ComponentError, type CroftComponent } from '../services.ts';
import { earlierMessages, withInstructions } from '../inputs/history.ts';
import { message, toText } from '../values.ts';
import { askModel, modelIn, modelOrPreferred, positive } from './ask-model.ts';
import { builtinTools } from './agent-tools.ts';
import { extractRows } from './extract-rows.ts';
import { historyFields, maxTokensField, modelField, outputSchemaField } from './model-fields.ts';
import { EXTRACTION_PROMPT } from './structured-output.ts';

const SYSTEM_PROMPT =
  'You are a helpful assistant that can use tools to answer questions and perform tasks. Today is {current_date}. You are powered by {model_name}.';

/** The message of an agent with neither a message nor own instructions: the default instructions ask for nothing. */
const GREETING = 'Hello';

/** A language model that calls tools until it has an answer. */
export const agent: CroftComponent = {
  descriptor: {
    type: 'Agent',
    label: 'Agent',
    description: 'Answers a message with a language model that calls the connected tools as often as it needs.',
    category: 'models',
    icon: 'bot',
    keywords: ['tools', 'assistant', 'llm'],
    effects: ['model'],
    fields: [
      modelField,
      {
        name: 'input_value',
        label: 'Message',
        kind: 'multiline',
        accepts: ['Message'],
        gate: true,
        toolParameter: true,
        help: 'Empty: the instructions are the message, if you changed them.',
      },
      {
        name: 'system_prompt',
        label: 'Instructions',
        kind: 'multiline',
        accepts: ['Message'],
        default: SYSTEM_PROMPT,
        variables: false,
        help: '{current_date} and {model_name} are replaced.',
      },
      { name: 'tools', label: 'Tools', kind: 'handle', accepts: ['Tool'], list: true },
      {
        name: 'max_iterations',
        label: 'Replies of the model at most',
        kind: 'integer',
        min: 1,
        max: 200,
        default: 15,
        advanced: true,
      },
      maxTokensField,
      ...historyFields(100),
      { name: 'add_current_date_tool', label: 'Offer the date', kind: 'switch', default: true, advanced: true },
      { name: 'add_calculator_tool', label: 'Offer a calculator', kind: 'switch', default: true, advanced: true },
      { ...outputSchemaField, default: [], advanced: true, help: 'Needed for the structured response.' },
    ],
    outputs: [
      { name: 'response', label: 'Response', types: ['Message'] },
      { name: 'structured_response', label: 'Structured response', types: ['Data'] },
    ],
  },
  async *run(call) {
    const { inputs, wanted, services, signal } = call;
    const { ref, settings } = modelIn(inputs['model']);
    const maxOutputTokens = settings.max_tokens ?? positive(inputs['max_tokens']);
    const { provider, name } = modelOrPreferred(services, ref);
    const earlier = await earlierMessages(services.history, inputs, signal);
    const prompt = toText(inputs['system_prompt'] ?? '');
    const instructions = prompt
      .replaceAll('{current_date}', services.now().toISOString().slice(0, 10))
      .replaceAll('{model_name}', name === '' ? provider : name);
    const input = toText(inputs['input_value'] ?? '');
    // Providers refuse an empty message.
    const isEmpty = input.trim() === '';
    const isAlone = isEmpty && prompt !== SYSTEM_PROMPT;
    const asked = isAlone ? instructions : isEmpty ? GREETING : input;
    const ofTools: Progress[] = [];
    const count = (progress: Progress) => {
      if (progress.kind === 'usage') ofTools.push(progress);
    };
    const request = {
      model: ref,
      system: withInstructions(isAlone ? '' : instructions, earlier),
      messages: [...earlier.messages, { role: 'user' as const, text: asked }],
      tools: withUniqueNames([...connectedTools(inputs['tools']), ...builtinTools(call)], count),
      maxSteps: positive(inputs['max_iterations']) ?? 15,
      temperature: settings.temperature,
      maxOutputTokens,
      signal,
    };
    const { text, finish } = yield* askModel(services, request, { streams: true });
    yield* ofTools;
    if (finish === 'steps')
      throw new ComponentError(
        'The agent ran out of steps before finishing. Try again, or break the request into smaller parts.',
        'Raise max_iterations of the agent.',
      );
    if (!wanted.has('structured_response')) return { response: message(text) };
    const schema = inputs['output_schema'];
    // A run asks for all outputs of an agent without connections.
    if (wanted.has('response') && (!Array.isArray(schema) || schema.length === 0)) {
      yield { kind: 'log', text: 'Gives no structured response, because output_schema has no fields.' };
      return { response: message(text) };
    }
    const extraction = { model: ref, system: EXTRACTION_PROMPT, text, columns: schema };
    const rows = yield* extractRows(services, { ...extraction, maxOutputTokens, signal });
    const [only] = rows;
    return {
      response: message(text),
      structured_response: rows.length === 1 && only !== undefined ? only : { results: rows },
    };
  },
};

const connectedTools = (value: unknown): readonly FlowTool[] =>
  Array.isArray(value) ? (value.flat() as FlowTool[]) : [];

/** The tools as a request takes them. Of two tools with one name, the second gets a number. */
function withUniqueNames(tools: readonly FlowTool[], report: (progress: Progress) => void): readonly ModelTool[] {
  const taken = new Set<string>();
  return tools.map((tool) => {
    let name = tool.name;
    for (let number = 2; taken.has(name); number++) name = `${tool.name.slice(0, 60)}_${number}`;
    taken.add(name);
    return {
      name,
      description: tool.description,
      parameters: tool.parameters,
      run: (args, signal) => tool.call(args, signal, report),
    };
  });
}
