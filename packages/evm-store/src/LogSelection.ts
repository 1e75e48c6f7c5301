/** The logs that are stored of a chain of which only events are stored: those that match one of the elements. */
export type LogSelection = readonly {
  /** First topic of the logs (32 bytes). */
  readonly topic0: Uint8Array
  /** Contract that emits the logs; undefined for all contracts. */
  readonly address: Uint8Array | undefined
}[]
