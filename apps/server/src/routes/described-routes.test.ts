import { expect, it } from 'vitest';
import { serverRoutes } from '../contract/server-routes.ts';
import { toolRoutes } from '../contract/tool-routes.ts';
import { describedRoutes } from './described-routes.ts';
import type { Route } from './route.ts';

const served = [...Object.values(serverRoutes), toolRoutes.callTool].map(
  (definition) => ({ definition, run: () => ({}) }) as Route,
);
const of = (hasGuard: boolean) => describedRoutes(served, hasGuard);

it('describes the routes that are served, with one for each tool in place of the one for all', () => {
  const names = of(false).map(({ operationId }) => operationId);
  expect(names).toEqual(expect.arrayContaining(Object.keys(serverRoutes)));
  expect(names).not.toContain('callTool');
  const tools = of(false).filter(({ route }) => route.includes('/tools/full/'));
  expect(tools.map(({ route }) => route)).toContain('POST /api/v1/tools/full/read_file');
  expect(of(false).some(({ route }) => route.endsWith('/mcp'))).toBe(true);
});

it('describes the guard only where it is served', () => {
  const guarded = (hasGuard: boolean) => of(hasGuard).filter(({ servedBy }) => servedBy === 'guard').length;
  expect([guarded(false), guarded(true) > 0]).toEqual([0, true]);
});

it('has one definition for each method and path', () => {
  const routes = of(true).map(({ route }) => route);
  expect(routes).toHaveLength(new Set(routes).size);
});
