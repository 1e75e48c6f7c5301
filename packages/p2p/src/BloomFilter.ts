/** A bloom filter as peers exchange it. */
export interface BloomFilter {
  readonly seeds: readonly bigint[]
  readonly entries: Uint8Array
}
