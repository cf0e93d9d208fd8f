import { earlierMessages, withInstructions } from '../inputs/history.ts';
import type { CroftComponent } from '../services.ts';
import { message, toText } from '../values.ts';
import { askModel, modelIn, modelOrPreferred, positive } from './ask-model.ts';
import { historyFields, maxTokensField, modelField } from './model-fields.ts';

/** One reply of a language model, or the model itself for other components. */
export const languageModel: CroftComponent = {
  descriptor: {
    type: 'LanguageModelComponent',
    label: 'Language model',
    description: 'Sends a message to a language model and gives its reply.',
    category: 'models',
    icon: 'brain',
    keywords: ['llm', 'chat', 'completion', 'openai', 'anthropic', 'gemini', 'groq', 'ollama'],
    aliases: ['LanguageModel'],
    effects: ['model'],
    fields: [
      modelField,
      { name: 'input_value', label: 'Message', kind: 'multiline', accepts: ['Message'], toolParameter: true },
      { name: 'system_message', label: 'System message', kind: 'multiline', accepts: ['Message'] },
      { name: 'stream', label: 'Show the reply while it is written', kind: 'switch', default: true, advanced: true },
      {
        name: 'temperature',
        label: 'Temperature',
        kind: 'slider',
        min: 0,
        max: 1,
        step: 0.01,
        default: 0.1,
        advanced: true,
        help: 'Models that reason ignore it.',
      },
      maxTokensField,
      ...historyFields(0),
    ],
    outputs: [
      { name: 'text_output', label: 'Reply', types: ['Message'] },
      { name: 'model_output', label: 'Language model', types: ['LanguageModel'] },
    ],
  },
  async *run({ inputs, wanted, services, signal }) {
    const { ref, settings } = modelIn(inputs['model']);
    const temperature = settings.temperature ?? (inputs['temperature'] as number | undefined);
    const maxTokens = settings.max_tokens ?? positive(inputs['max_tokens']);
    const model = {
      ...modelOrPreferred(services, ref),
      ...(temperature !== undefined && { temperature }),
      ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    };
    // A node that only passes its model on makes no request.
    if (wanted.has('model_output') && !wanted.has('text_output')) return { model_output: model };
    const earlier = await earlierMessages(services.history, inputs, signal);
    const request = {
      model: ref,
      system: withInstructions(toText(inputs['system_message'] ?? ''), earlier),
      messages: [...earlier.messages, { role: 'user' as const, text: toText(inputs['input_value'] ?? '') }],
      temperature,
      maxOutputTokens: maxTokens,
      signal,
    };
    const { text } = yield* askModel(services, request, { streams: inputs['stream'] !== false });
    return { text_output: message(text), model_output: model };
  },
};
