import type { Json } from '@croft/flow';
import { previewOf, redactText } from '@croft/flow';
import type pg from 'pg';
import { RunError } from './errors.ts';
import type { Answer, Question } from './run.ts';
import type { Sealer } from './sealer.ts';
import { SCHEMA } from './tables.ts';

/** A question as a component asks it. */
export interface Asking {
  /** The step key of the node: one question per node and round. */
  readonly key: string;
  readonly node: string;
  readonly text: string;
  readonly options: readonly string[];
  /** The value in question. Stored bounded and redacted. */
  readonly context?: unknown;
}

/** Stores a question, or gives the answer to the stored one. */
export async function askOnce(
  pool: pg.Pool,
  sealer: Sealer,
  runId: string,
  { key, node, text, options, context }: Asking,
  secrets?: ReadonlySet<string>,
): Promise<Answer | undefined> {
  const asked = sealer.seal(
    JSON.stringify({ text: redactText(text, secrets), options, context: previewOf(context, secrets) }),
  );
  const { rows } = await pool.query<{ answer: string | null }>(
    `INSERT INTO ${SCHEMA}.question (run_id, key, node, asked) VALUES ($1, $2, $3, $4)
     ON CONFLICT (run_id, key) DO UPDATE SET is_read = question.answer IS NOT NULL RETURNING answer`,
    [runId, key, node, asked],
  );
  const answer = rows[0]?.answer ?? null;
  return answer === null ? undefined : (JSON.parse(sealer.open(answer)) as Answer);
}

interface QuestionRow {
  readonly key: string;
  readonly node: string;
  readonly asked: string;
  readonly answer: string | null;
  readonly asked_at: Date;
}

const COLUMNS = 'key, node, asked, answer, asked_at';
/** Questions of a run that are listed. A loop may ask more often. */
const MAX_LISTED = 200;

/** The questions of a run, oldest first; of more than 200, the ones that wait longest, and the newest of the answered ones. */
export async function questionsOf(pool: pg.Pool, sealer: Sealer, runId: string): Promise<Question[]> {
  const { rows } = await pool.query<QuestionRow>(
    `SELECT * FROM (
       SELECT ${COLUMNS} FROM ${SCHEMA}.question WHERE run_id = $1
       ORDER BY answer IS NOT NULL, CASE WHEN answer IS NULL THEN asked_at END, asked_at DESC, key LIMIT ${MAX_LISTED}
     ) AS listed ORDER BY asked_at, key`,
    [runId],
  );
  return rows.map((row) => questionIn(row, sealer));
}

function questionIn({ key, node, asked, answer, asked_at: askedAt }: QuestionRow, sealer: Sealer): Question {
  const { text, options, context } = JSON.parse(sealer.open(asked)) as {
    text: string;
    options: string[];
    context: Json;
  };
  return {
    key,
    node,
    text,
    options,
    context,
    askedAt,
    answer: answer === null ? null : (JSON.parse(sealer.open(answer)) as Answer),
  };
}

/**
 * Stores the answer to a question. The first answer counts.
 *
 * @throws RunError `unknown_question`, `already_answered`, `not_open` where the run has ended, `invalid_request`
 */
export async function storeAnswer(
  pool: pg.Pool,
  sealer: Sealer,
  runId: string,
  key: string,
  answer: Answer,
): Promise<void> {
  const { rows } = await pool.query<QuestionRow & { isOver: boolean }>(
    `SELECT ${COLUMNS}, finished_at IS NOT NULL AS "isOver" FROM ${SCHEMA}.question JOIN ${SCHEMA}.run ON id = run_id
     WHERE run_id = $1 AND key = $2`,
    [runId, key],
  );
  const [row] = rows;
  if (row === undefined) throw new RunError('unknown_question', 'The run has no such question.');
  if (row.isOver && row.answer === null)
    throw new RunError('not_open', 'The run has ended, so it takes no answer. Start it again.');
  const { options } = questionIn(row, sealer);
  if (!options.includes(answer.choice)) throw new RunError('invalid_request', `Choose one of: ${options.join(', ')}.`);
  const { rowCount } = await pool.query(
    `UPDATE ${SCHEMA}.question SET answer = $3, answered_at = now() WHERE run_id = $1 AND key = $2 AND answer IS NULL`,
    [runId, key, sealer.seal(JSON.stringify(answer))],
  );
  if (rowCount === 0) throw new RunError('already_answered', 'The question has an answer already.');
}
