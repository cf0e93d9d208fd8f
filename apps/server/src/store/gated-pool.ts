import pg from 'pg';

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: boolean | Error) => void,
) => void;

/**
 * A pool whose connections are handed out only once a gate lets them: queries sent before the database is there, or while
 * it is being started again, wait instead of failing. What fails on a connection it already had still fails: only the
 * caller knows whether its transaction may be repeated.
 */
export class GatedPool extends pg.Pool {
  /** Fulfilled when a connection may be made; its failure is the caller's. */
  gate: () => Promise<void> = () => Promise.resolve();

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    if (!callback) return this.gate().then(() => super.connect());
    this.gate().then(
      () => super.connect(callback as Parameters<pg.Pool['connect']>[0]),
      (error: Error) => callback(error, undefined, () => {}),
    );
  }
}
