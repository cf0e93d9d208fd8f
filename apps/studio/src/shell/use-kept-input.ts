import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { meQuery } from '../api/me.ts';
import { INPUT_PREFIX } from '../assistant/forget-user.ts';

/**
 * State of an input that stays in the tab while the user visits other pages, until it is `empty` again or the user signs out. The
 * name names the input among all of the studio. A full or missing storage keeps nothing.
 */
export function useKeptInput<T>(name: string, empty: T): readonly [value: T, setValue: (value: T) => void] {
  const client = useQueryClient();
  const userId = client.getQueryData(meQuery.queryKey)?.user?.id;
  const keyOf = (named: string) => (userId === undefined ? undefined : `${INPUT_PREFIX}${named}:${userId}`);
  const key = keyOf(name);
  const [value, setValue] = useState(() => read<T>(key) ?? empty);
  const [keptAs, setKeptAs] = useState(name);
  // A new chat that is stored gets a name of its own: what was typed meanwhile goes with it.
  if (keptAs !== name) {
    write(keyOf(keptAs), undefined);
    write(key, value === empty ? undefined : value);
    setKeptAs(name);
  }
  return [
    value,
    (next) => {
      setValue(next);
      write(key, next === empty ? undefined : next);
    },
  ];
}

function read<T>(key: string | undefined): T | undefined {
  try {
    const text = key === undefined ? null : sessionStorage.getItem(key);
    return text === null ? undefined : (JSON.parse(text) as T);
  } catch {
    return undefined;
  }
}

function write(key: string | undefined, value: unknown): void {
  if (key === undefined) return;
  try {
    if (value === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Too large, or the browser allows no storage.
  }
}
