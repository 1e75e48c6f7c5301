/** A block by id and height. */
export interface Tip {
  readonly id: Uint8Array
  readonly height: bigint
}

/** A block that is known to be on the chain. Its height is learned from the block if it is not known. */
export interface Checkpoint {
  readonly id: Uint8Array
  readonly height?: bigint
}
