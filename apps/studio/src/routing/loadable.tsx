import { type ComponentType, lazy, useState } from 'react';

/**
 * A component whose code loads on first use, or earlier by `preload`. Suspends while the code loads. Unlike `lazy`,
 * it renders at once if the code is loaded: React keeps a fallback for at least 300 ms.
 */
export function loadable<P extends object>(load: () => Promise<ComponentType<P>>) {
  let loaded: ComponentType<P> | undefined;
  let loading: Promise<{ default: ComponentType<P> }> | undefined;
  const start = () =>
    (loading ??= load().then(
      (component) => {
        loaded = component;
        return { default: component };
      },
      (error: unknown) => {
        // A preload during a restart of the server must not fail the page later.
        loading = undefined;
        throw error;
      },
    ));
  const Lazy = lazy(start);
  function Loadable(props: P) {
    // Chosen once: another component type would mount it again.
    const [Component] = useState<ComponentType<P>>(() => loaded ?? (Lazy as ComponentType<P>));
    return <Component {...props} />;
  }
  return Object.assign(Loadable, {
    /** Loads the code. Does not throw: a failure appears when the component renders. */
    async preload() {
      await start().catch(() => undefined);
    },
  });
}
