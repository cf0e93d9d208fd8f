import type { Palette } from '../render/colours.ts';
import { renderDiff } from '../render/diff.ts';
import type { Plan, PlannedPlace } from './plan-change.ts';
import { replaceFile, UnusableFile } from './replace-file.ts';

/** The options for a change. */
export interface Wishes {
  readonly remove: boolean;
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** The terminal of the user: where changes are shown and confirmed. */
export interface Person {
  readonly paint: Palette;
  readonly now: Date;
  write(text: string): void;
  ask(question: string): Promise<boolean>;
}

/** The outcome for one client's configuration. */
export interface Outcome {
  readonly client: PlannedPlace['id'];
  readonly title: string;
  readonly file: string;
  readonly state: 'written' | 'removed' | 'unchanged' | 'shown' | 'declined' | 'refused';
  readonly diff?: string;
  readonly backup?: string | undefined;
  readonly problem?: string;
}

/**
 * Shows a change, asks, and makes it. Writes only what it showed, and only after a yes. Keeps the old content in a backup
 * beside the file. With `json` it prints nothing; the outcome has the diff.
 *
 * @param unchanged why there is nothing to change, as the end of a sentence that starts with the file
 * @param prepare creates the program that the text names; called before the file is written, and if its text is already right
 */
export async function carryOut(
  plan: Plan,
  wishes: Wishes,
  person: Person,
  unchanged: string,
  prepare: () => void,
): Promise<Outcome> {
  const { write, ask, paint, now } = person;
  const { id, title, file } = plan.place;
  const about = { client: id, title, file };
  const say = (text: string): void => {
    if (!wishes.json) write(text);
  };
  if (plan.kind === 'refused') {
    say(`${paint.bold(title)}: ${paint.red('left alone')}, ${file} ${plan.problem}\n\n`);
    return { ...about, state: 'refused', problem: plan.problem };
  }
  if (plan.kind === 'nothing') {
    if (!wishes.dryRun && !wishes.remove) prepare();
    say(`${paint.bold(title)}: nothing to change, ${file} ${unchanged}\n\n`);
    return { ...about, state: 'unchanged' };
  }
  const shownAs = plan.found.path === file ? file : `${file} (a link to ${plan.found.path})`;
  say(`${paint.bold(title)}\n${renderDiff(shownAs, plan.before, plan.after ?? '', paint)}`);
  const diff = wishes.json
    ? renderDiff(shownAs, plan.before, plan.after ?? '', {
        ...paint,
        bold: String,
        dim: String,
        red: String,
        green: String,
      })
    : '';
  const shown = { ...about, ...(wishes.json && { diff }) };
  if (wishes.dryRun) {
    say('\n');
    return { ...shown, state: 'shown' };
  }
  if (!wishes.yes && !(await ask(`${wishes.remove ? 'Remove this from' : 'Write this to'} ${file}? [y/N] `))) {
    say('Not changed.\n\n');
    return { ...shown, state: 'declined' };
  }
  if (!wishes.remove) prepare();
  try {
    const backup = replaceFile(plan.found, plan.after, now);
    say(
      `${paint.green(wishes.remove ? 'removed' : 'written')}${backup === undefined ? '' : `; the old content is in ${backup}`}\n\n`,
    );
    return { ...shown, state: wishes.remove ? 'removed' : 'written', backup };
  } catch (error) {
    if (!(error instanceof UnusableFile)) throw error;
    say(`${paint.red('not written')}: ${file} ${error.message}\n\n`);
    return { ...shown, state: 'refused', problem: error.message };
  }
}
