import * as declarations from 'virtual:component-types';
import { createTypeChecker, type TypeChecker } from './type-checker.ts';

/** A question to the worker. Plain data. */
export type TypeRequest =
  | { readonly kind: 'check'; readonly code: string }
  | { readonly kind: 'complete'; readonly code: string; readonly at: number }
  | { readonly kind: 'inform'; readonly code: string; readonly at: number; readonly name?: string };

export interface TypeAnswers {
  readonly check: ReturnType<TypeChecker['check']>;
  readonly complete: ReturnType<TypeChecker['complete']>;
  readonly inform: ReturnType<TypeChecker['inform']>;
}

const checker = createTypeChecker(declarations);

function answerTo(request: TypeRequest): TypeAnswers[TypeRequest['kind']] {
  if (request.kind === 'check') return checker.check(request.code);
  if (request.kind === 'complete') return checker.complete(request.code, request.at);
  return checker.inform(request.code, request.at, request.name);
}

// A thread of its own: the compiler would hold the page. The page ends it where it does not answer.
self.addEventListener('message', ({ data }: MessageEvent<TypeRequest>) => self.postMessage({ answer: answerTo(data) }));
// Reads the declarations, which takes longer than most checks, before the page measures the time of an answer.
checker.check('');
self.postMessage({ isReady: true });
