/** Work for a worker thread of a sync. */
export interface Jobs {
  /** Checks the signatures of the proposers of containers of one chain. */
  readonly checkSignatures: {
    readonly input: {
      /** Id (32 bytes) of the chain. */
      readonly chainId: Uint8Array
      /** The containers one after the other, and the length of each. */
      readonly containers: Uint8Array
      readonly lengths: Uint32Array
    }
    /** 1 for each valid container, and 0 for each other one. */
    readonly output: Uint8Array
  }
}
