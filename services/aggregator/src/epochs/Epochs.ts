import { Id } from '@firn/codec'
import type { Clock } from '@firn/runtime'
import { createMemo } from '../internal/flights.ts'
import { notConfigured } from './ChainRpc.ts'

/**
 * An epoch of a chain (ACP-181). All blocks of an epoch verify messages at its P-chain height. The first block at or
 * after `startTime + durationSeconds` seals the epoch; the next block opens the next epoch at the sealing block's
 * P-chain height.
 */
export interface Epoch {
  readonly number: bigint
  /** Unix seconds. */
  readonly startTime: bigint
  readonly pChainHeight: bigint
  /** Minimum length of the epoch. The epoch of a chain without blocks lasts longer. */
  readonly durationSeconds: number
}

/** Returns the epoch of a chain's next block, as its node reports it; undefined if the chain has no epochs. */
export type CurrentEpoch = (signal?: AbortSignal) => Promise<Omit<Epoch, 'durationSeconds'> | undefined>

/** The epochs of the chains whose node APIs are configured. */
export interface Epochs {
  /**
   * Throws if the operator has not configured a node API for the chain (32 bytes).
   * @throws AggregatorError `AGGREGATOR_CHAIN_NOT_CONFIGURED`
   */
  assertConfigured(chainId: Uint8Array): void
  /**
   * Returns the epoch of the next block of a chain (32 bytes); undefined if the chain has no epochs yet.
   * @throws AggregatorError `AGGREGATOR_CHAIN_NOT_CONFIGURED`, `AGGREGATOR_CHAIN_RPC`
   */
  current(chainId: Uint8Array, signal?: AbortSignal): Promise<Epoch | undefined>
}

/** Options of {@link createEpochs}. */
export interface EpochsDependencies {
  /** The chains by their ids in cb58. */
  readonly chains: ReadonlyMap<string, CurrentEpoch>
  /** Returns the length of an epoch on this network, in seconds. */
  readonly durationSeconds: (signal?: AbortSignal) => Promise<number>
  readonly clock: Clock
}

/**
 * Creates a source of epochs. Concurrent queries for a chain share one request. Epochs are not cached, because a chain
 * can open a new one at any time.
 */
export function createEpochs({ chains, durationSeconds, clock }: EpochsDependencies): Epochs {
  const flights = createMemo<Epoch | undefined>({ max: 1, clock, ttlMs: () => 0 })
  const find = (name: string): CurrentEpoch => {
    const current = chains.get(name)
    if (current === undefined) throw notConfigured('destinationChain', name)
    return current
  }
  return {
    assertConfigured: (chainId) => void find(Id.format(chainId)),
    current: async (chainId, signal) => {
      const name = Id.format(chainId)
      const ask = find(name)
      const load = async () => {
        const [epoch, duration] = await Promise.all([ask(), durationSeconds()])
        return epoch === undefined ? undefined : { ...epoch, durationSeconds: duration }
      }
      return flights.get(name, load, signal)
    },
  }
}
