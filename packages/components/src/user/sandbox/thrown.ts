import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core';

/** Of a text that is shown to the user. A longer one is not copied to the host. */
const MAX_SHOWN_CHARS = 1_000_000;

export interface Thrown {
  readonly name: string;
  readonly fix: string;
  readonly message: string;
  readonly stack: string;
}

/** The texts of a thrown value. The properties of an error may be getters of the component: they run within the limits. */
export function describe(context: QuickJSContext, error: QuickJSHandle): Thrown {
  const property = (name: string, maxChars: number) =>
    context.getProp(error, name).consume((value) => textOf(context, value, maxChars));
  const isObject = context.typeof(error) === 'object';
  const thrown = isObject
    ? {
        name: property('name', 100),
        message: property('message', 1_000),
        stack: property('stack', 4_000),
        fix: property('fix', 1_000),
      }
    : { name: '', message: textOf(context, error, 1_000), stack: '', fix: '' };
  error.dispose();
  return thrown;
}

const PRIMITIVES = new Set(['string', 'number', 'boolean', 'bigint']);

/** A primitive value as text; an empty one for others, whose conversion would run the component's code. */
export function textOf(context: QuickJSContext, value: QuickJSHandle, maxChars: number): string {
  if (!PRIMITIVES.has(context.typeof(value))) return '';
  const length = lengthOf(context, value);
  return length > MAX_SHOWN_CHARS ? `A text of ${length} characters` : context.getString(value).slice(0, maxChars);
}

/** The length of a text; NaN for another primitive, none of which is long. */
export const lengthOf = (context: QuickJSContext, value: QuickJSHandle): number =>
  context.typeof(value) === 'string'
    ? context.getProp(value, 'length').consume((each) => context.getNumber(each))
    : NaN;
