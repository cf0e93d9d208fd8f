import type { Effect } from '@croft/flow';

/**
 * The treatment of a step that a lost worker had begun, whose effect may have happened or not: `safe` runs it again
 * silently, `reported` runs it again and says so, `attention` stops the run for a person's decision.
 */
export type RepeatPolicy = 'safe' | 'reported' | 'attention';

/** Everything a policy may look at. */
export interface StepFacts {
  readonly node: string;
  readonly type: string;
  /** The effects of the component, and of the components that it uses as tools. */
  readonly effects: readonly Effect[];
}

const BY_EFFECT: Readonly<Record<Effect, RepeatPolicy>> = {
  none: 'safe',
  wait: 'safe',
  // User code has no access to anything outside its sandbox.
  code: 'safe',
  'network-read': 'safe',
  'workspace-read': 'safe',
  'database-read': 'safe',
  // A file gets the same content again; a component that appends guards itself with `remember`.
  'workspace-write': 'safe',
  // Costs twice.
  model: 'reported',
  // Requests carry the step's key as Idempotency-Key, which a receiver may ignore.
  'network-write': 'reported',
  'database-write': 'attention',
};

const ORDER: readonly RepeatPolicy[] = ['safe', 'reported', 'attention'];

/** The strictest policy of the step's effects. */
export function repeatByEffect({ effects }: StepFacts): RepeatPolicy {
  return effects.map((effect) => BY_EFFECT[effect]).reduce(stricter, 'safe');
}

const stricter = (a: RepeatPolicy, b: RepeatPolicy): RepeatPolicy => (ORDER.indexOf(a) > ORDER.indexOf(b) ? a : b);
