import type { ChainAlias } from '@firn/codec'
import type { Networks } from '@firn/genesis'
import type { Identity } from '@firn/p2p'
import { Container, Epoch } from '@firn/txs'
import * as RecordedChain from '../recorded/RecordedChain.ts'

/** Number of the newest P-chain blocks that can be too recent to be proposed. Source: avalanchego. */
const WINDOW = 64
const NS_PER_MS = 1_000_000n

/** What a container is made from. */
export interface ContainerOptions {
  readonly constants: Networks.Constants
  /** Validators that propose in turns. */
  readonly proposers: readonly Identity.Identity[]
  /** Time in milliseconds after acceptance before a P-chain block is proposed. */
  readonly proposedLagMs: number
}

/** An inner block without its container. */
export interface InnerBlock {
  readonly id: Uint8Array
  readonly bytes: Uint8Array
  /** Whether the block decides on a proposal, its parent. */
  readonly isOption: boolean
}

/** The values of a block's container that the next container depends on. */
export interface View {
  readonly pChainHeight: bigint
  readonly epoch: Epoch.Epoch
  /** Unix seconds. */
  readonly time: bigint
}

/**
 * Returns the P-chain height of new containers. It is one below the oldest recent block, or the height of the tip if no
 * block is recent.
 */
export function proposedHeight(
  { blocks }: RecordedChain.RecordedChain,
  nowMs: number,
  { proposedLagMs }: Pick<ContainerOptions, 'proposedLagMs'>,
): bigint {
  const after = BigInt(Math.floor(nowMs - proposedLagMs)) * NS_PER_MS
  const first = Math.max(1, blocks.length - WINDOW)
  for (let height = first; height < blocks.length; height++)
    if ((blocks[height]?.acceptedAt ?? 0n) > after) return BigInt(height - 1)
  return BigInt(blocks.length - 1)
}

/** Returns the proposervm's values of the last block of a chain. `time` is the time of block 0. */
export function lastView({ blocks }: RecordedChain.RecordedChain, time: bigint): View {
  for (const { bytes } of blocks.toReversed()) {
    const opened = Container.open(bytes)
    if (opened.kind === 'preFork') break
    const { container } = opened
    // An option has the values of its parent.
    if (container.type === 'Option') continue
    return {
      pChainHeight: container.pChainHeight,
      epoch: Container.epoch(container),
      time: container.timestamp,
    }
  }
  return { pChainHeight: 0n, epoch: Epoch.NONE, time }
}

/** Returns the time of a block that is made now, in Unix seconds. It is not before the time of its parent. */
export function nextTime(parent: Pick<View, 'time'>, nowMs: number): bigint {
  const seconds = BigInt(Math.floor(nowMs / 1_000))
  return seconds > parent.time ? seconds : parent.time
}

/** Returns the epoch of the container with the given time (Unix seconds) that follows a block. */
export function nextEpoch(
  parent: View,
  time: bigint,
  { upgrades }: ContainerOptions['constants'],
): Epoch.Epoch {
  return Epoch.newEpoch({
    graniteTime: upgrades.granite,
    epochDurationSeconds: Number(upgrades.graniteEpochDuration) / 1e9,
    parentPChainHeight: parent.pChainHeight,
    parentEpoch: parent.epoch,
    parentTimestamp: parent.time,
    childTimestamp: time,
  })
}

/** Wraps an inner block in the container of the next height, signed by its proposer. */
export function wrap(
  chain: RecordedChain.RecordedChain,
  inner: InnerBlock,
  {
    parent,
    pChainHeight,
    nowMs,
  }: { readonly parent: View; readonly pChainHeight: bigint; readonly nowMs: number },
  { constants, proposers }: ContainerOptions,
): RecordedChain.RecordedBlock {
  const { id: parentId } = chain.blocks.at(-1) as RecordedChain.RecordedBlock
  const acceptedAt = BigInt(Math.floor(nowMs)) * NS_PER_MS
  if (inner.isOption)
    return {
      ...RecordedChain.wrapped({ type: 'Option', parentID: parentId, block: inner.bytes }, inner.id),
      acceptedAt,
    }
  const timestamp = nextTime(parent, nowMs)
  const proposer = proposers[chain.blocks.length % proposers.length] as Identity.Identity
  const container = {
    type: 'GraniteBlock' as const,
    parentID: parentId,
    timestamp,
    pChainHeight: pChainHeight > parent.pChainHeight ? pChainHeight : parent.pChainHeight,
    certificate: proposer.certificate,
    block: inner.bytes,
    epoch: nextEpoch(parent, timestamp, constants),
    signature: new Uint8Array(),
  }
  const signed = Container.sign(container, chain.chainId, proposer.tlsSign)
  return { ...RecordedChain.wrapped(signed, inner.id), acceptedAt }
}

/** Chains in the order in which their blocks are built: exports from the P-chain can be imported at once. */
export const ORDER: readonly ChainAlias[] = ['P', 'X', 'C']
