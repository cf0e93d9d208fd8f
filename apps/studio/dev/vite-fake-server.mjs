/** `npx vite apps/studio`: the studio with a server that exists only in memory. Development only; a build has none of it. */
export function fakeServer() {
  return {
    name: 'croft-fake-server',
    apply: 'serve',
    async configureServer(server) {
      const { createFake } = await server.ssrLoadModule('/dev/fake-server.ts');
      const fake = createFake({ autoLogin: process.env.FAKE_AUTO_LOGIN === '1', signedIn: true });
      server.middlewares.use((request, response, next) => {
        void fake.handle(request, response).then((handled) => handled || next(), next);
      });
    },
  };
}
