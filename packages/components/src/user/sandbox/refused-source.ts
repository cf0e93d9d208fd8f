import type { Node } from 'acorn';
import type { CodeProblem } from './messages.ts';

/** A node of any kind, read without types. */
export type AnyNode = Node & Record<string, any>;

/** A position in a source. */
export type Place = Pick<CodeProblem, 'line' | 'column'>;

/** A source that is refused, with the kind and the place of the problem. */
export class Refused extends Error {
  readonly kind: CodeProblem['kind'];
  readonly place: Place;

  constructor(kind: CodeProblem['kind'], place: Place, message: string) {
    super(message);
    this.kind = kind;
    this.place = place;
  }
}
