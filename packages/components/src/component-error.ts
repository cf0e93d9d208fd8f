/** A failure of a component with advice for the author of the flow. */
export class ComponentError extends Error {
  readonly fix: string;

  constructor(message: string, fix: string) {
    super(message);
    this.name = 'ComponentError';
    this.fix = fix;
  }
}
