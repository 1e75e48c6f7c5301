import { Hex } from '@firn/codec'

/** The position of a chain. */
export interface EvmPosition {
  readonly height: bigint
  /** 32 bytes. */
  readonly hash: Uint8Array
  /** Unix seconds. */
  readonly time: bigint
}

/** The data that one request sees: a chain up to a block. */
export interface EvmSnapshot extends EvmPosition {
  /** The height and the first bytes of the hash: equal for equal contents. */
  readonly key: string
  /** The sequence number of the newest change when the snapshot was read. */
  readonly sequence: bigint
}

const PREFIX = 8

/** Creates the snapshot of a position. */
export function create({ height, hash, time }: EvmPosition, sequence: bigint): EvmSnapshot {
  return { key: `${height}.${Hex.encode(hash.subarray(0, PREFIX))}`, height, hash, time, sequence }
}
