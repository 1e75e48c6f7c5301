/** A block with the id that was asked for. */
export interface Block {
  readonly height: bigint
  /** Id of the container, or of the bare block (32 bytes). */
  readonly id: Uint8Array
  readonly parentId: Uint8Array
  /** The container as the network has it, or the bare block from before proposervm. */
  readonly bytes: Uint8Array
}

/** Heights from `from` to `to`, both included. */
export interface Interval {
  readonly from: bigint
  readonly to: bigint
}

/**
 * The blocks of one chain. The store is the only memory of a sync: after a kill, the next one continues with what the
 * store has. It may contain blocks that are not accepted, above the accepted tip, or not linked to it yet. Only the
 * heights up to the tip that `bootstrap` or `follow` returned are verified.
 */
export interface BlockStore {
  /** Returns the stored heights above `height` as ascending intervals, which do not touch each other. */
  intervals(height: bigint): Promise<readonly Interval[]>
  /** Stores blocks of successive, descending heights. After a kill, all or none of them are stored. */
  put(blocks: readonly Block[]): Promise<void>
  /** Returns the block at a height, or undefined if it is not stored. */
  get(height: bigint): Promise<Block | undefined>
  /** Returns the block with an id, or undefined if it is not stored. */
  getById(id: Uint8Array): Promise<Block | undefined>
  /** Deletes the blocks of an interval, because they are not on the accepted chain. */
  remove(interval: Interval): Promise<void>
}
