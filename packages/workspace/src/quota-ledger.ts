/** Bytes and files. */
export interface Reserved {
  readonly bytes: bigint;
  readonly files: bigint;
}

/** The reservations of all threads that share the memory of the ledger: sums since its start. */
export interface QuotaLedger {
  begun(): Reserved;
  /** Of calls whose bytes are in place, or will not be. */
  ended(): Reserved;
  /**
   * Adds a reservation, unless another one of bytes began since the sum was `since` bytes: two threads that each make an empty
   * file at the same moment may pass a limit of files by one.
   *
   * @returns whether it began
   */
  begin(bytes: number, files: number, since: bigint): boolean;
  end(bytes: number, files: number): void;
}

const BEGUN = { bytes: 0, files: 1 };
const ENDED = { bytes: 2, files: 3 };
export const LEDGER_BYTES = 4 * BigInt64Array.BYTES_PER_ELEMENT;

/** @param memory of zeros at first; shared where other threads use the workspace too */
export function openLedger(
  memory: BigInt64Array = new BigInt64Array(LEDGER_BYTES / BigInt64Array.BYTES_PER_ELEMENT),
): QuotaLedger {
  const read = ({ bytes, files }: typeof BEGUN): Reserved => ({
    bytes: Atomics.load(memory, bytes),
    files: Atomics.load(memory, files),
  });
  return {
    begun: () => read(BEGUN),
    ended: () => read(ENDED),
    begin(bytes, files, since) {
      if (Atomics.compareExchange(memory, BEGUN.bytes, since, since + BigInt(bytes)) !== since) return false;
      Atomics.add(memory, BEGUN.files, BigInt(files));
      return true;
    },
    end(bytes, files) {
      Atomics.add(memory, ENDED.bytes, BigInt(bytes));
      Atomics.add(memory, ENDED.files, BigInt(files));
    },
  };
}
