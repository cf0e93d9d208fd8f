import { field } from './marks.ts';
import { givePaths } from './given-paths.ts';
import { list, type Named, parameters, place } from './powershell-arguments.ts';
import { READS } from './powershell-computed.ts';
import { PUTS } from './powershell-placed.ts';
import type { Session } from './powershell-session.ts';
import type { Token } from './powershell-tokens.ts';

/** Parameters that hold no path that a cmdlet writes: content and conditions. */
const OTHER_VALUES =
  /^(?:value|encoding|delimiter|filter|include|exclude|inputobject|stream|credential|itemtype|type|name|uri|headers|body|infile|method|contenttype|useragent|target|variable|erroraction|ea|warningaction|wa|informationaction|outvariable|ov|errorvariable|ev|pipelinevariable|pv)$/;

/** Parameters with the sources of a cmdlet that has a destination. */
const SOURCES = /^(?:path|literalpath|lp|pspath|source)$/;

/** Parameters that name an output in nearly every cmdlet that has them. */
const OUTPUT = /^(?:out(?!v|b)|\w*output|\w*dest|log)\w*$/;

/** Whether a cmdlet that writes gets its path from the pipeline, also as a property of an object, or asks for it. */
export function isWithoutPath(named: readonly Named[], positions: readonly Token[], { fed }: Session): boolean {
  const has = (names: readonly string[]) => named.some((one) => names.some((full) => full.startsWith(one.name)));
  if (positions.length > 0 || has(['path', 'literalpath', 'lp', 'pspath', 'filepath', 'outputdirectory', 'variable']))
    return false;
  return fed !== undefined || !has(['name']);
}

/** Records the paths that a cmdlet gets and may write: it is unknown, or only reads and has a parameter for its output. */
export function giveToCmdlet(name: string, args: readonly Token[], session: Session): void {
  if (READS.test(name))
    return giveValues(
      name,
      parameters(args).named.filter((one) => OUTPUT.test(one.name)),
      session,
    );
  give(name, args, session);
}

/** Records the values of parameters that the guard does not know, of a cmdlet that writes. */
export function giveValues(name: string, named: readonly Named[], session: Session): void {
  give(
    name,
    named
      .filter((one) => !OTHER_VALUES.test(one.name) && !(PUTS.test(name) && SOURCES.test(one.name)))
      .map((one) => one.value),
    session,
  );
}

function give(name: string, values: readonly Token[], { state, reader, variables }: Session): void {
  const args = values.flatMap(list).map(({ text, written }) => place(text, written, state, variables));
  givePaths({ name, command: field(name), args, state, input: undefined, reader });
}
