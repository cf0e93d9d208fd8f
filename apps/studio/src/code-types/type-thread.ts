import type { TypeAnswers, TypeRequest } from './types-worker.ts';

/** The part of a `Worker` that is used. */
export type TypeWorker = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>;

/**
 * A request got no answer. `slow`: the code kept the compiler busy. `failed`: the worker ended. `closed`: the editor was closed.
 * `outdated`: a later request replaced it.
 */
export class NoTypes extends Error {
  readonly reason: 'slow' | 'failed' | 'closed' | 'outdated';

  constructor(reason: NoTypes['reason']) {
    super(`The types are not known: ${reason}.`);
    this.reason = reason;
  }
}

/** The compiler in a worker of its own. Starts the worker with the first request, and again where it ended the last one. */
export interface TypeThread {
  /** Requests wait for each other. Of those of a kind that wait, only the last one is carried out. @throws NoTypes */
  ask<Kind extends TypeRequest['kind']>(request: Extract<TypeRequest, { kind: Kind }>): Promise<TypeAnswers[Kind]>;
  close(): void;
}

export interface TypeThreadOptions {
  readonly startWorker?: () => TypeWorker;
  /** For one answer. The type of one line of code can keep the compiler busy for 10 s. */
  readonly limitMs?: number;
  /** For the worker to load. */
  readonly loadMs?: number;
}

interface Message {
  readonly isReady?: true;
  readonly answer?: TypeAnswers[TypeRequest['kind']];
}

export function openTypeThread({
  startWorker = startTypesWorker,
  limitMs = 3_000,
  loadMs = 60_000,
}: TypeThreadOptions = {}): TypeThread {
  let worker: TypeWorker | undefined;
  let isClosed = false;
  let last: Promise<unknown> = Promise.resolve();
  const newest = new Map<TypeRequest['kind'], TypeRequest>();
  let fail = (_reason: NoTypes['reason']) => {};
  /** The next message. Ends a worker that does not send one. */
  const next = (of: TypeWorker, ms: number) =>
    new Promise<Message>((resolve, reject) => {
      const timer = setTimeout(() => fail('slow'), ms);
      fail = (reason) => {
        clearTimeout(timer);
        of.terminate();
        worker = undefined;
        reject(new NoTypes(reason));
      };
      of.onmessage = ({ data }: MessageEvent<Message>) => {
        clearTimeout(timer);
        resolve(data);
      };
      of.onerror = () => fail('failed');
    });
  const answerTo = async (request: TypeRequest) => {
    if (isClosed) throw new NoTypes('closed');
    if (worker === undefined) {
      worker = started(startWorker);
      await next(worker, loadMs);
    }
    const answer = next(worker, limitMs);
    worker.postMessage(request);
    return (await answer).answer;
  };
  return {
    ask<Kind extends TypeRequest['kind']>(request: Extract<TypeRequest, { kind: Kind }>) {
      newest.set(request.kind, request);
      const isNewest = () => newest.get(request.kind) === request;
      const answer = last.then(() => {
        if (!isNewest()) throw new NoTypes('outdated');
        return answerTo(request);
      }) as Promise<TypeAnswers[Kind]>;
      last = answer.catch(() => undefined);
      return answer;
    },
    close() {
      isClosed = true;
      if (worker !== undefined) fail('closed');
    },
  };
}

function started(startWorker: () => TypeWorker): TypeWorker {
  try {
    return startWorker();
  } catch {
    throw new NoTypes('failed');
  }
}

const startTypesWorker = (): TypeWorker =>
  new Worker(new URL('./types-worker.ts', import.meta.url), { type: 'module' });
