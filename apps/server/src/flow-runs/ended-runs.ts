/** The ended runs whose events stay in memory for a while. */
export interface EndedRuns {
  /** Adds a run. The oldest run of the user goes where the user has too many, else that of the user with the most. */
  add(userId: string, id: string): void;
  remove(userId: string, id: string): void;
}

/** Bounds ended runs by user first, so that the runs of one user do not displace those of another. */
export function createEndedRuns(
  limits: { readonly ofUser: number; readonly ofServer: number },
  forget: (id: string) => void,
): EndedRuns {
  /** Oldest first. */
  const byUser = new Map<string, string[]>();
  let count = 0;
  const remove = (userId: string, id: string) => {
    const own = byUser.get(userId);
    const at = own?.indexOf(id) ?? -1;
    if (own === undefined || at < 0) return;
    own.splice(at, 1);
    if (own.length === 0) byUser.delete(userId);
    count--;
  };
  const forgetOldest = (userId: string) => {
    const oldest = byUser.get(userId)?.[0];
    if (oldest === undefined) return;
    remove(userId, oldest);
    forget(oldest);
  };
  return {
    add(userId, id) {
      const own = byUser.get(userId) ?? [];
      byUser.set(userId, own);
      own.push(id);
      count++;
      if (own.length > limits.ofUser) forgetOldest(userId);
      if (count <= limits.ofServer) return;
      let most = userId;
      for (const [each, { length }] of byUser) if (length > (byUser.get(most)?.length ?? 0)) most = each;
      forgetOldest(most);
    },
    remove,
  };
}
