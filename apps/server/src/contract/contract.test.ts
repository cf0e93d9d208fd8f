import { expect, it } from 'vitest';
import { z } from 'zod';
import { ROUTES } from './contract.ts';
import { isRaw, type RouteDefinition } from './define-route.ts';

/** Clients of other systems send these, with members that Croft does not use. */
const FOREIGN = [
  'assist',
  'assistRun',
  'assistStream',
  'createChatCompletion',
  'createGatewayLink',
  'runAgUi',
  'toggleGateway',
];
const bodies = Object.entries(ROUTES as Readonly<Record<string, RouteDefinition>>).flatMap(([operation, { body }]) =>
  body instanceof z.ZodObject && !isRaw(body) ? [{ operation, body }] : [],
);
const refusesUnknown = (body: z.ZodType) =>
  body.safeParse({ a_mistyped_name: 1 }).error?.issues.some(({ code }) => code === 'unrecognized_keys') ?? false;

it('refuses a mistyped name in each body, except in those that clients of other systems send', () => {
  expect(bodies.length).toBeGreaterThan(30);
  const lenient = bodies.filter(({ body }) => !refusesUnknown(body)).map(({ operation }) => operation);
  expect(lenient.toSorted()).toEqual(FOREIGN);
});
