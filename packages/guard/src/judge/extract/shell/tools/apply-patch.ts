import type { Call, Handler } from '../call.ts';
import { readPatch } from '../../patch.ts';
import { ANY, field, withoutGlobMarks } from '../marks.ts';
import { otherProgram } from '../other-program.ts';

/**
 * The patch command of Codex and similar agents: the patch is an operand or the input, and its headers name the files.
 */
export const PATCH_HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ...['apply_patch', 'applypatch', 'apply-patch'].map((name): [string, Handler] => [
    name,
    (call) => applyPatch(call, call.args),
  ]),
  ['codex', runCodex],
]);

function runCodex(call: Call): undefined {
  const at = call.args.findIndex((arg) => arg.value === '--codex-run-as-apply-patch');
  if (at !== -1) return applyPatch(call, call.args.slice(at + 1));
  otherProgram(call);
}

function applyPatch({ state, input, reader }: Call, args: Call['args']): undefined {
  const first = args.find((arg) => !/^-{1,2}[\w-]*$/.test(arg.value));
  if (first === undefined && args.some((arg) => /^(?:--help|-h|--version|-V)$/.test(arg.value))) return;
  const texts = first === undefined ? input : [withoutGlobMarks(first.value)];
  if (texts === undefined) {
    reader.undecidable('A patch is applied that is not in the command.');
    return;
  }
  for (const text of texts) {
    const { paths, undecidable, isPatch } = readPatch(text);
    if (!isPatch || text.includes(ANY)) reader.undecidable('A patch is applied that is not in the command.');
    for (const reason of undecidable) reader.undecidable(`${reason}.`);
    for (const path of paths) reader.write(state, field(path));
  }
}
