import { Hex } from '@firn/codec'

/** Position of a chain: its last block. */
export interface EvmPosition {
  readonly height: bigint
  /** Hash of the block (32 bytes). */
  readonly hash: Uint8Array
  /** Time of the block in Unix seconds. */
  readonly time: bigint
  /**
   * Height of the newest block whose execution results the block's header contains; null if the header contains the
   * results of the block itself, or if it is not known.
   */
  readonly settledHeight: bigint | null
}

/** The state that one request sees: a chain up to a block. */
export interface EvmSnapshot extends EvmPosition {
  /** The height and the first bytes of the block hash. Snapshots with equal contents have equal keys. */
  readonly key: string
  /** Sequence number of the newest change when the snapshot was read. */
  readonly sequence: bigint
  /**
   * Height of the first block that was stored without its traces when the snapshot was read. Internal calls are complete
   * up to the block before it. Undefined if no traces are missing, or if the chain is stored without traces.
   */
  readonly untracedFrom: bigint | undefined
}

const PREFIX = 8

/** Creates a snapshot from a position of the chain. */
export function create(
  { height, hash, time, settledHeight }: EvmPosition,
  sequence: bigint,
  untracedFrom: bigint | undefined,
): EvmSnapshot {
  const key = `${height}.${Hex.encode(hash.subarray(0, PREFIX))}`
  return { key, height, hash, time, settledHeight, sequence, untracedFrom }
}
