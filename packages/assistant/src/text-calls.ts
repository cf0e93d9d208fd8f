/** A call that a model wrote as text instead of making it. */
export interface TextCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

const FORMS: readonly RegExp[] = [
  /<tool_call>\s*([\s\S]*?)\s*<\/tool_call>/g,
  /```(?:json|tool_call)?\s*\n([\s\S]*?)\n\s*```/g,
];
const MAX_CALLS = 5;

/**
 * The calls in a reply of a model that cannot call tools properly: JSON with a known tool's name, as the whole reply, in a
 * code fence or in tags. JSON inside a sentence does not count.
 */
export function callsInText(text: string, names: ReadonlySet<string>): readonly TextCall[] {
  const found = FORMS.flatMap((form) => [...text.matchAll(form)].map(([, inner = '']) => inner));
  const candidates = found.length > 0 ? found : [text.trim()];
  return candidates.flatMap((each) => readCall(each, names) ?? []).slice(0, MAX_CALLS);
}

function readCall(text: string, names: ReadonlySet<string>): TextCall | undefined {
  const value = parsedObject(text);
  const inner = asObject(value?.['function']) ?? value;
  const name = inner?.['name'] ?? inner?.['tool'] ?? inner?.['tool_name'];
  if (inner === undefined || typeof name !== 'string' || !names.has(name)) return undefined;
  const given = inner['arguments'] ?? inner['args'] ?? inner['parameters'] ?? inner['input'] ?? {};
  const args = typeof given === 'string' ? parsedObject(given) : asObject(given);
  return args && { name, args };
}

function parsedObject(text: string): Record<string, unknown> | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

const asObject = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
