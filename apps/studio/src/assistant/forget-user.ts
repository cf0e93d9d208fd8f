/** Begins the keys of the assistant's panel in the storage of a browser. */
export const KEY_PREFIX = 'croft-assistant-';
/** Begins the keys of texts that the user typed and did not send. */
export const INPUT_PREFIX = 'croft-input-';

/** Removes what a storage keeps for a user under these prefixes. The keys end with the user's id. */
export function forgetUser(userId: string, storage: () => Storage = () => localStorage): void {
  try {
    const kept = storage();
    const isOwn = (key: string) =>
      [KEY_PREFIX, INPUT_PREFIX].some((prefix) => key.startsWith(prefix)) && key.endsWith(`:${userId}`);
    for (const key of Object.keys(kept).filter(isOwn)) kept.removeItem(key);
  } catch {
    // The browser allows no storage.
  }
}
