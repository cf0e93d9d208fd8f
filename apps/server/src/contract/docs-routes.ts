import { defineRoutes, raw } from './define-route.ts';

/** The documentation of the routes. */
export const docsRoutes = defineRoutes('Documentation', {
  getOpenApi: {
    route: 'GET /api/openapi.json',
    summary: 'Get this API as an OpenAPI 3.1 document',
    access: 'caller',
    response: raw('The document', ['application/json']),
  },
  getDocs: {
    route: 'GET /api/docs',
    summary: 'Open a page that lists the routes and sends requests to them',
    access: 'caller',
    response: raw('The page', ['text/html']),
  },
  getDocsScript: {
    route: 'GET /api/docs.js',
    summary: 'Get the script of that page',
    access: 'anyone',
    skipsIdentity: true,
    response: raw('The script', ['text/javascript']),
    isHidden: true,
  },
});
