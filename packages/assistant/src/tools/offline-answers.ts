import { hideSecrets } from '../hide-secrets.ts';
import { endedText } from '../ended-text.ts';
import { asksForName } from '../draft/about-flow.ts';
import { type AssistantTool, failed, textOf, textParameters } from './assistant-tool.ts';
import { WITHOUT_RULES } from './offline-help.ts';
import { failureText } from './run-tools.ts';

/** Tools of croft/offline about the runs and the name of the flow. */
export const OFFLINE_ANSWERS: readonly AssistantTool[] = [
  {
    name: 'explain_last_run',
    description: 'Says how the newest run ended, and why it failed.',
    parameters: textParameters({}),
    label: () => 'Reading the last run',
    async run(_, { turn, working }) {
      const run = await turn.runs.latest();
      if (run === undefined) return answer('I know of no run of this flow. To run it, write: run it.');
      const { status } = run;
      if (status === 'completed') return answer('The last run did not fail: it completed.');
      const why = hideSecrets(failureText(run, await working.read(), turn.registry), turn.secrets);
      if (run.failure !== undefined) return answer(`The last run ${endedText(status)}. ${why}`);
      return answer(`The last run has no failure: it ${endedText(status)}.`);
    },
  },
  {
    name: 'rename_flow',
    description: 'Gives the flow itself another name.',
    parameters: textParameters({ name: 'The new name of the flow.' }),
    label: () => 'Renaming the flow',
    async run(args, { turn, working }) {
      // The rules choose a tool by words that it shares with the message, which may be about a file or a component.
      const name = textOf(args, 'name');
      if (name === '' || !asksForName(turn.message)) return failed(`I renamed nothing. ${RENAME} ${WITHOUT_RULES}`);
      await working.apply([{ kind: 'set_details', name }]);
      return answer(`Renamed the flow to “${name}”.`);
    },
  },
];

const RENAME = 'To give the flow another name, write: rename the flow to NAME.';

const answer = (text: string) => ({ text, summary: text });
