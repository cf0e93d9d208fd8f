/** Does each step after the one before. One that fails, such as by the time of its statement, does not stop the later ones. Never rejects. */
export async function cleanUp(
  steps: readonly (() => Promise<unknown>)[],
  onFailure: (error: unknown) => void,
): Promise<void> {
  for (const step of steps)
    try {
      await step();
    } catch (error) {
      onFailure(error);
    }
}
