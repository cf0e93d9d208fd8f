import type { AssistantEvent, Outcome } from './events.ts';

/** The results of a turn, as its events prove them. */
export interface Evidence {
  /** Stored changes of the canvas. */
  readonly changes: number;
  /** Whether a whole flow was built, and whether it is on the canvas. Dismissed: the user decided against it. */
  readonly built: 'no' | 'proposed' | 'dismissed' | 'on canvas';
  /** Fields whose change waits for the user. */
  readonly proposedFields: number;
  /** The check of the flow as it is now. A later change resets it, as it does `run`. */
  readonly validated: 'no' | 'clean' | 'problems';
  readonly run: 'no' | 'started' | 'waiting' | 'completed' | 'failed';
  readonly files: readonly string[];
  /** Files whose changes by an earlier message were taken back. */
  readonly undoneFiles: readonly string[];
  /** Components that were written and tried. */
  readonly components: readonly string[];
  /** How much of the message was carried out, and the parts that were not. */
  readonly outcome: Outcome;
  readonly leftOut: readonly string[];
}

/** Characters of a part of a message in the line about it. */
const MAX_PART = 60;

type Growing = { -readonly [Key in keyof Evidence]: Evidence[Key] };

/** Reads the evidence from events. The text of the model counts for nothing. */
export function evidenceOf(events: readonly AssistantEvent[]): Evidence {
  const found: Growing = {
    changes: 0,
    built: 'no',
    proposedFields: 0,
    validated: 'no',
    run: 'no',
    files: [],
    undoneFiles: [],
    components: [],
    outcome: 'done',
    leftOut: [],
  };
  let isFirst = true;
  const reset = () => {
    found.changes++;
    [found.validated, found.run] = ['no', 'no'];
  };
  for (const event of events) {
    switch (event.event) {
      case 'flow_update':
        if (event.action === 'propose_plan') break;
        if (event.action === 'edit_field') found.proposedFields++;
        else if (event.action === 'set_flow' && !event.auto_apply) found.built = 'proposed';
        else {
          reset();
          if (event.action === 'set_flow') found.built = 'on canvas';
        }
        break;
      case 'proposal_decided':
        if (event.version === undefined) break;
        reset();
        if (event.choice === 'accept') found.proposedFields = Math.max(0, found.proposedFields - 1);
        else found.built = 'on canvas';
        break;
      case 'validated':
        found.validated = event.errors === 0 ? 'clean' : 'problems';
        break;
      case 'run_started':
        found.run = 'started';
        break;
      case 'run_finished':
        found.run = event.status === 'completed' || event.status === 'waiting' ? event.status : 'failed';
        break;
      case 'component':
        found.components = [...found.components.filter((name) => name !== event.class_name), event.class_name];
        break;
      case 'complete': {
        // Turns that an earlier version stored have neither.
        const stored: Partial<Pick<typeof event.data, 'outcome' | 'left_out'>> = event.data;
        const outcome = stored.outcome ?? 'done';
        // A continued message is done in part where its turns differ.
        found.outcome = isFirst || found.outcome === outcome ? outcome : 'partly_done';
        found.leftOut = [...found.leftOut, ...(stored.left_out ?? [])];
        isFirst = false;
        break;
      }
      case 'file_written':
        found.files = [...found.files.filter((path) => path !== event.path), event.path];
        break;
      case 'files_undone':
        found.undoneFiles = [...new Set([...found.undoneFiles, ...event.paths])];
        break;
      default:
    }
  }
  return found;
}

/** Whether a turn changed nothing, and left something that waits for the user. */
export function onlyProposed(events: readonly AssistantEvent[]): boolean {
  const { changes, built, proposedFields, files } = evidenceOf(events);
  return changes === 0 && files.length === 0 && (built === 'proposed' || proposedFields > 0);
}

/** One line for people: what was changed, built, checked and run, and what was not. */
export function statusLine(evidence: Evidence): string {
  const { changes, built, proposedFields, validated, run, files, undoneFiles, components } = evidence;
  const parts: string[] = [];
  if (built === 'proposed') parts.push('Built, not in the flow yet: add or replace it');
  else if (built === 'dismissed') parts.push('Built, and not put into the flow');
  else if (built === 'on canvas') parts.push('Built into the flow');
  else if (changes > 0) parts.push(`Changed the flow (${changes} ${changes === 1 ? 'change' : 'changes'})`);
  if (proposedFields > 0)
    parts.push(`${proposedFields} proposed ${proposedFields === 1 ? 'change waits' : 'changes wait'} for you`);
  if (files.length > 0) parts.push(`Wrote ${files.join(', ')}`);
  if (undoneFiles.length > 0) parts.push(`Took back changes of ${undoneFiles.join(', ')}`);
  if (components.length > 0) parts.push(`Wrote component ${components.join(', ')}`);
  if (parts.length === 0) parts.push(run === 'no' ? 'Nothing was changed' : 'The flow was not changed');
  if (validated === 'clean') parts.push('checked without problems');
  if (validated === 'problems') parts.push('the check found problems');
  parts.push(RUN_TEXT[run]);
  return `${outcomeText(evidence)}${parts.join(' · ')}.`;
}

/** A sentence about the parts of the message that were not carried out; empty where all were. */
function outcomeText({ outcome, leftOut }: Pick<Evidence, 'outcome' | 'leftOut'>): string {
  if (outcome === 'not_done') return 'Not done. ';
  if (outcome === 'done') return '';
  const parts = leftOut.map((each) => `“${shortened(each)}”`).join(', ');
  return parts === '' ? 'Done in part. ' : `Done in part, without ${parts}. `;
}

const shortened = (text: string): string => (text.length > MAX_PART ? `${text.slice(0, MAX_PART)}…` : text);

const RUN_TEXT: Readonly<Record<Evidence['run'], string>> = {
  no: 'not run',
  started: 'run started',
  waiting: 'the run waits for you',
  completed: 'run completed',
  failed: 'the run failed',
};
