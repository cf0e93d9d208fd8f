/** Clients give up after a minute; a call that waits longer gives the id of its work instead. */
const WAIT_MS = 30_000;

/** Waits for the end of some work; undefined where it takes longer than a call may. */
export async function endWithin<Result>(work: Promise<Result>, ms = WAIT_MS): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
