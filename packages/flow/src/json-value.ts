import { z } from 'zod';
import { LIMITS } from './limits.ts';

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** The fault of a value that is not JSON, and where in the value it is. */
interface Fault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** A value inside of another one, with the way to it. */
interface Place {
  readonly value: unknown;
  readonly key: string | number | undefined;
  readonly parent: Place | undefined;
  readonly depth: number;
}

/** Parses a JSON value. One pass without recursion: large and deep values of a document cost neither minutes nor the stack. */
export const jsonSchema = schemaOf<Json>(jsonFault);

/** Parses an object of JSON values. */
export const jsonRecordSchema = schemaOf<Readonly<Record<string, Json>>>((value) =>
  isPlainObject(value) ? jsonFault(value) : { path: [], message: 'must be an object' },
);

function schemaOf<T>(faultOf: (value: unknown) => Fault | undefined): z.ZodType<T> {
  return z.unknown().superRefine((value, context) => {
    const fault = faultOf(value);
    if (fault) context.addIssue({ code: 'custom', path: [...fault.path], message: fault.message });
  }) as unknown as z.ZodType<T>;
}

function jsonFault(root: unknown): Fault | undefined {
  if (isScalar(root)) return undefined;
  const open: Place[] = [{ value: root, key: undefined, parent: undefined, depth: 0 }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value, depth } = place;
    if (typeof value === 'number') return faultAt(place, 'must be a finite number');
    if (depth >= LIMITS.depth) return faultAt(place, `is nested deeper than ${LIMITS.depth} levels`);
    // Most values are scalars: a place for each of a million numbers would take a quarter of a second.
    if (Array.isArray(value)) {
      for (let key = 0; key < value.length; key++) {
        const each: unknown = value[key];
        if (!isScalar(each)) open.push({ value: each, key, parent: place, depth: depth + 1 });
      }
    } else if (isPlainObject(value)) {
      for (const key of Object.keys(value)) {
        if (key === '__proto__') return faultAt(place, "has the key '__proto__', which no value may have");
        const each = value[key];
        if (!isScalar(each)) open.push({ value: each, key, parent: place, depth: depth + 1 });
      }
    } else return faultAt(place, 'must be JSON: text, number, true or false, null, a list or an object');
  }
  return undefined;
}

const isScalar = (value: unknown): boolean =>
  typeof value === 'string' ||
  (typeof value === 'number' && Number.isFinite(value)) ||
  typeof value === 'boolean' ||
  value === null;

function faultAt(place: Place, message: string): Fault {
  const path: (string | number)[] = [];
  for (let at: Place | undefined = place; at?.key !== undefined; at = at.parent) path.unshift(at.key);
  return { path: path.slice(0, MAX_PATH), message };
}

/** Keys of a path that a message shows. */
const MAX_PATH = 6;

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
