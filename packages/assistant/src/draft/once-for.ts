/** `find`, called once for each object. Requests compare with the same components and templates again and again. */
export function onceFor<Key extends object, Found extends object>(find: (key: Key) => Found): (key: Key) => Found {
  const known = new WeakMap<Key, Found>();
  return (key) => {
    const found = known.get(key) ?? find(key);
    known.set(key, found);
    return found;
  };
}
