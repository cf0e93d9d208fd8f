import type { Models } from '@croft/models';

/** The same models, and whether one of a provider was asked. The token counts of croft/offline are estimates without a cost. */
export function watchProviders(models: Models): { readonly models: Models; hasAskedProvider(): boolean } {
  let hasAsked = false;
  return {
    models: {
      ...models,
      embed(request) {
        hasAsked = true;
        return models.embed(request);
      },
      stream(request) {
        if ((request.model ?? models.preferred).provider !== 'croft') hasAsked = true;
        return models.stream(request);
      },
    },
    hasAskedProvider: () => hasAsked,
  };
}
