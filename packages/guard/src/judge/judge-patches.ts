import type { Findings } from './extract/findings.ts';
import { readPatch } from './extract/patch.ts';
import type { JudgeContext } from './judge-own-paths.ts';
import { judgePath } from './judge-path.ts';
import { block, type Part, pathsPart, undecided } from './part.ts';
import type { ToolName } from './tool-kind.ts';

/** Judges the patches in the arguments of a call. */
export function judgePatches(context: JudgeContext, found: Findings, name: ToolName): Part[] {
  const isPatchTool = name.kind === 'patch';
  const texts = isPatchTool ? [...found.patches, ...found.texts] : found.patches;
  const isMissing = isPatchTool && texts.length === 0 && found.candidates.length === 0;
  if (isMissing) return [undecided('no-path-found', 'No patch was found in a call of a tool that applies patches')];
  const hasPath = found.candidates.length > 0;
  return texts.flatMap((text) => judgePatchText(context, text, isPatchTool && !hasPath));
}

/** Judges one patch. `needsPath`: a patch without a file name is undecidable. */
export function judgePatchText(context: JudgeContext, text: string, needsPath: boolean): Part[] {
  const { paths, undecidable, isPatch } = readPatch(text);
  if (!isPatch || paths.length === 0)
    return needsPath ? [undecided('no-path-found', 'The patch names no file, so it is not known what it changes')] : [];
  const parts = [
    pathsPart(
      paths.map((written) => judgePath({ written, weight: 'path', role: 'plain' }, context.place, context.protect)),
    ),
  ];
  if (undecidable.length > 0) parts.push(block('unresolvable-path', undecidable[0] as string));
  return parts;
}
