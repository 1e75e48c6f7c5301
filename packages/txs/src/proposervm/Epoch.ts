import * as Codec from '@firn/codec/Codec'

/** Codec of an epoch in a container: 24 bytes. */
export const codec = Codec.struct({
  pChainHeight: Codec.u64,
  number: Codec.u64,
  startTime: Codec.i64,
})

/**
 * A period during which the chain uses the validators of `pChainHeight`. `number` counts from 1, and
 * `startTime` is in Unix seconds. Source: ACP-181.
 */
export type Epoch = Codec.Infer<typeof codec>

/** The epoch of a container that has none: all zero. */
export const NONE: Epoch = { pChainHeight: 0n, number: 0n, startTime: 0n }

const U64_MASK = 0xffff_ffff_ffff_ffffn

/**
 * Returns true if the epoch is {@link NONE}.
 * @example
 * ```ts
 * import { Epoch } from '@firn/txs'
 *
 * Epoch.isNone(Epoch.NONE) // true
 * ```
 */
export function isNone(epoch: Epoch): boolean {
  return epoch.pChainHeight === 0n && epoch.number === 0n && epoch.startTime === 0n
}

/** The values that determine the epoch of a child block. Times are in Unix seconds. */
export interface ChildInput {
  /** Time at which the network activates Granite. */
  readonly graniteTime: bigint
  readonly epochDurationSeconds: number
  readonly parentPChainHeight: bigint
  /** The parent's epoch, or {@link NONE} if it has none. */
  readonly parentEpoch: Epoch
  readonly parentTimestamp: bigint
  readonly childTimestamp: bigint
}

/**
 * Returns the epoch of a child block. It is {@link NONE} before Granite, and epoch 1 if the parent has no epoch.
 * Otherwise it is the parent's epoch or, if the parent's time is at or after the end of that epoch, the next epoch.
 * @example
 * ```ts
 * import { Epoch } from '@firn/txs'
 *
 * const epoch = Epoch.newEpoch({
 *   parentEpoch: { pChainHeight: 100n, number: 1n, startTime: 1_763_568_000n },
 *   parentTimestamp: 1_763_568_400n,
 *   parentPChainHeight: 120n,
 *   childTimestamp: 1_763_568_402n,
 *   graniteTime: 1_763_568_000n,
 *   epochDurationSeconds: 300,
 * })
 * epoch.number // 2n
 * ```
 */
export function newEpoch(input: ChildInput): Epoch {
  const { parentEpoch, parentTimestamp, parentPChainHeight } = input
  if (input.childTimestamp < input.graniteTime) return NONE
  const next = { pChainHeight: parentPChainHeight, startTime: parentTimestamp }
  if (isNone(parentEpoch)) return { ...next, number: 1n }
  const end = parentEpoch.startTime + BigInt(input.epochDurationSeconds)
  if (parentTimestamp < end) return parentEpoch
  return { ...next, number: (parentEpoch.number + 1n) & U64_MASK }
}
