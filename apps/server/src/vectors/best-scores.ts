/** A chunk of a collection, by position, and how close it is. */
export interface Scored {
  readonly position: number;
  readonly score: number;
}

/** The highest scores of those that were added. */
export interface BestScores {
  add(position: number, score: number): void;
  /** Highest first. */
  list(): readonly Scored[];
}

/** Collects the highest scores above 0. Of equal scores, those that were added first. */
export function bestOf(limit: number): BestScores {
  const best: Scored[] = [];
  return {
    add(position, score) {
      if (!(score > 0) || (best.length >= limit && score <= (best.at(-1) as Scored).score)) return;
      let [low, high] = [0, best.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((best[middle] as Scored).score >= score) low = middle + 1;
        else high = middle;
      }
      best.splice(low, 0, { position, score });
      if (best.length > limit) best.pop();
    },
    list: () => best,
  };
}
