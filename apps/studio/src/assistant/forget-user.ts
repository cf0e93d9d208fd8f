/** Begins the keys of the assistant's panel in the storage of a browser. */
export const KEY_PREFIX = 'croft-assistant-';

/** Removes what the panel kept for a user. The keys end with the user's id. */
export function forgetUser(userId: string, storage: () => Storage = () => localStorage): void {
  try {
    const kept = storage();
    const isOwn = (key: string) => key.startsWith(KEY_PREFIX) && key.endsWith(`:${userId}`);
    for (const key of Object.keys(kept).filter(isOwn)) kept.removeItem(key);
  } catch {
    // The browser allows no storage.
  }
}
