import * as Codec from '@firn/codec/Codec'

/** An epoch in a container: 24 bytes. */
export const codec = Codec.struct({
  pChainHeight: Codec.u64,
  number: Codec.u64,
  startTime: Codec.i64,
})

/**
 * The period over which the chain's validators are those of `pChainHeight`; `number` counts from 1 and `startTime` is Unix
 * seconds. Source: ACP-181.
 */
export type Epoch = Codec.Infer<typeof codec>

/** The epoch of a container without one. */
export const NONE: Epoch = { pChainHeight: 0n, number: 0n, startTime: 0n }

const U64_MASK = 0xffff_ffff_ffff_ffffn

/** Returns true for the epoch of a container without one. */
export function isNone(epoch: Epoch): boolean {
  return epoch.pChainHeight === 0n && epoch.number === 0n && epoch.startTime === 0n
}

/** The facts that determine the epoch of a child; times are Unix seconds. */
export interface ChildInput {
  /** When the network activates Granite. */
  readonly graniteTime: bigint
  readonly epochDurationSeconds: number
  readonly parentPChainHeight: bigint
  /** The parent's own epoch, {@link NONE} if it has none. */
  readonly parentEpoch: Epoch
  readonly parentTimestamp: bigint
  readonly childTimestamp: bigint
}

/**
 * Returns the epoch of a child: none before Granite, the first one after a parent without, the parent's own
 * until a block at or after its end has sealed it, then the next one from that block on.
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
