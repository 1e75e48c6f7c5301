import type { ChainAlias } from '@firn/codec'
/** Position of a chain: its last block. */
export interface Position {
  /** Height of the last block; 0 at the genesis. */
  readonly height: bigint
  /**
   * Id of the inner block (32 bytes). On the C-chain it is the hash of the EVM block, and all zero at the
   * genesis.
   */
  readonly blockId: Uint8Array
  /** The chain's time after the block, in Unix seconds. */
  readonly time: bigint
}

/**
 * The state that one request sees: the positions of the three chains, all read after the same commit of the writer.
 */
export interface Snapshot {
  /** Heights of the P-, X- and C-chain, separated by dots. Snapshots with equal contents have equal keys. */
  readonly key: string
  readonly P: Position
  readonly X: Position
  readonly C: Position
}

/**
 * Creates a snapshot from the positions of the three chains.
 *
 * @example
 * ```ts
 * import { type Position, Snapshots } from '@firn/store'
 *
 * declare const position: Position
 * const at = Snapshots.create({ P: position, X: position, C: position })
 * ```
 */
export function create(positions: Pick<Snapshot, ChainAlias>): Snapshot {
  const [P, X, C] = [positions.P, positions.X, positions.C].map(
    ({ height, blockId, time }): Position => ({ height, blockId, time }),
  ) as [Position, Position, Position]
  return { key: `${P.height}.${X.height}.${C.height}`, P, X, C }
}
