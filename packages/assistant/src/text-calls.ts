/** A call that a model wrote as text instead of making it. */
export interface TextCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Calls as Qwen, Hermes, Mistral and DeepSeek write them. The end of a tag may be missing at the end of the text. */
const FORMS: readonly RegExp[] = [
  /<(?:tool_calls?|function_calls?)>([\s\S]*?)(?:<\/(?:tool_calls?|function_calls?)>|$)/g,
  /\[TOOL_CALLS\]([\s\S]*)$/g,
  /<\|python_tag\|>([\s\S]*?)(?:<\|\w+\|>|$)/g,
];
/** The languages of code fences with calls. */
const FENCES: ReadonlySet<string> = new Set(['', 'json', 'tool_call', 'tool_calls', 'tool_code']);
/** Calls whose name is outside of the JSON: `<function=NAME>{…}</function>` of Llama, and Action with Action Input. */
const NAMED: readonly RegExp[] = [
  /<function=(\w+)>([\s\S]*?)(?:<\/function>|$)/g,
  /^Action: *`?(\w+)`? *\n+Action Input: *([\s\S]*?)(?:\nObservation:|$(?![\s\S]))/gm,
];
const MAX_CALLS = 5;

/**
 * The calls in a reply of a model that cannot call tools properly: JSON with a known tool's name, as the whole reply, as its
 * last line, in a code fence or in the marks of such models. JSON inside a sentence does not count.
 */
export function callsInText(text: string, names: ReadonlySet<string>): readonly TextCall[] {
  const named = NAMED.flatMap((form) => [...text.matchAll(form)]).map(([, name = '', args = '']) => ({ name, args }));
  const marked = FORMS.flatMap((form) => [...text.matchAll(form)].map(([, inner = '']) => inner));
  const found = [...fencesIn(text), ...marked];
  const isMarked = found.length > 0 || named.length > 0;
  const whole = text.trim();
  const last = whole.slice(whole.lastIndexOf('\n') + 1);
  const candidates = isMarked ? found : whole === last ? [whole] : [whole, last];
  const calls = [...named, ...candidates.flatMap((each) => recordsIn(each.trim()))];
  return calls.flatMap((each) => readCall(each, names) ?? []).slice(0, MAX_CALLS);
}

/** The texts in code fences. Line by line: a search from each beginning for an end takes more than linear time. */
function fencesIn(text: string): readonly string[] {
  const found: string[] = [];
  let open: string[] | undefined;
  for (const line of text.split('\n')) {
    if (open === undefined) {
      const at = line.lastIndexOf('```');
      if (at >= 0 && FENCES.has(line.slice(at + 3).trimEnd())) open = [];
    } else if (line.trimStart().startsWith('```')) {
      found.push(open.join('\n'));
      open = undefined;
    } else open.push(line);
  }
  return found;
}

/** One object, a list of them, or one with a list of calls. */
function recordsIn(text: string): readonly Readonly<Record<string, unknown>>[] {
  const value = parsed(text);
  const calls = asObject(value)?.['tool_calls'] ?? value;
  const list: readonly unknown[] = Array.isArray(calls) ? calls : [calls];
  return list.map(asObject).filter((each) => each !== undefined);
}

function readCall(record: Readonly<Record<string, unknown>>, names: ReadonlySet<string>): TextCall | undefined {
  const inner = asObject(record['function']) ?? record;
  const name = inner['name'] ?? inner['tool'] ?? inner['tool_name'];
  if (typeof name !== 'string' || !names.has(name)) return undefined;
  const given = inner['arguments'] ?? inner['args'] ?? inner['parameters'] ?? inner['input'] ?? {};
  const args = asObject(typeof given === 'string' ? parsed(given.trim()) : given);
  return args && { name, args };
}

/** A JSON value, also where it is encoded twice. */
function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? JSON.parse(value) : value;
  } catch {
    return undefined;
  }
}

const asObject = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
