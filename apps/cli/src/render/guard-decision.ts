import type { Decision } from '@croft/guard/judging';
import type { Palette } from './colours.ts';
import { printable, printableName } from './printable.ts';

/** Renders a decision for people: the verdict, the reason, the paths, and the alternative. Ends with a line break. */
export function renderDecision(name: string, decision: Decision, { bold, dim, red, green, yellow }: Palette): string {
  const isBlocked = decision.decision === 'block';
  const verdict = isBlocked ? red('blocked') : decision.undecidable ? yellow('allowed') : green('allowed');
  const lines = [
    `${verdict}  ${bold(printableName(name) || '(no call)')}  ${dim(decision.rule)}`,
    `  ${printable(decision.reason)}`,
    ...decision.paths.map(
      ({ written, read_as, inside }) =>
        `  ${inside ? green('inside ') : red('outside')}  ${printableName(written)}${read_as === written || read_as === '' ? '' : dim(`  read as ${printableName(read_as)}`)}`,
    ),
    ...(isBlocked && decision.accepted !== '' ? [`  ${dim('Instead:')} ${printable(decision.accepted)}`] : []),
  ];
  return `${lines.join('\n')}\n`;
}
