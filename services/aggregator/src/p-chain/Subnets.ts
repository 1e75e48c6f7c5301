import { Bytes, Hex, Id } from '@firn/codec'
import type { Clock, Logger } from '@firn/runtime'
import type { ValidatorSet } from '@firn/warp'
import { LRUCache } from 'lru-cache'
import { AggregatorError } from '../errors/AggregatorError.ts'
import { createMemo, withPatience } from '../internal/flights.ts'
import { isUpstreamError } from './Heights.ts'
import type { PChain, Subnet } from './PChain.ts'

/**
 * Balance in nAVAX below which an L1 validator is about to become inactive: four seconds of fees at 512
 * nAVAX/s.
 */
export const MIN_BALANCE = 2048n

const UNKNOWN_TTL_MS = 10_000
const NOT_L1_TTL_MS = 10_000
const BALANCE_TTL_MS = 2_000
const MAX_ENTRIES = 4096
const NOBODY: ReadonlySet<string> = new Set()
const PRIMARY: Subnet = { isL1: false, conversionId: Id.EMPTY }

/** Cached data about chains and subnets. Data that can change expires soon; other data does not expire. */
export interface Subnets {
  /**
   * Returns the id (32 bytes) of the subnet that validates a chain.
   * @throws AggregatorError `AGGREGATOR_CHAIN_UNKNOWN`, `AGGREGATOR_UPSTREAM`
   */
  ofChain(chainId: Uint8Array, signal?: AbortSignal): Promise<Uint8Array>
  /**
   * Returns the state of a subnet, or undefined if the subnet is unknown. The result for the Primary Network says
   * that it is not an L1.
   */
  find(subnetId: Uint8Array, signal?: AbortSignal): Promise<Subnet | undefined>
  /**
   * Returns the canonical indices of the validators that cannot sign, because all their nodes are L1
   * validators whose balance is too low.
   */
  inactive(
    subnetId: Uint8Array,
    set: ValidatorSet.ValidatorSet,
    signal?: AbortSignal,
  ): Promise<ReadonlySet<number>>
}

/** Options of {@link createSubnets}. */
export interface SubnetsDependencies {
  readonly pChain: PChain
  readonly clock: Clock
  readonly log: Logger
  /** Maximum time that a request waits for balances, in milliseconds. */
  readonly patienceMs: number
}

/** Creates an empty cache for P-chain data. Lookups of different chains never wait for each other. */
export function createSubnets(dependencies: SubnetsDependencies): Subnets {
  const { pChain, clock } = dependencies
  const chains = createMemo<Uint8Array | undefined>({
    max: MAX_ENTRIES,
    clock,
    ttlMs: (subnet) => (subnet === undefined ? UNKNOWN_TTL_MS : Number.POSITIVE_INFINITY),
  })
  const known = createMemo<Subnet | undefined>({
    max: MAX_ENTRIES,
    clock,
    /** A conversion to an L1 is final, so only entries of unknown and unconverted subnets expire. */
    ttlMs: (subnet) =>
      subnet === undefined ? UNKNOWN_TTL_MS : subnet.isL1 ? Number.POSITIVE_INFINITY : NOT_L1_TTL_MS,
  })
  const find: Subnets['find'] = async (subnetId, signal) => {
    if (Bytes.isZero(subnetId)) return PRIMARY
    return known.get(Hex.encodeBare(subnetId), () => pChain.subnet(subnetId), signal)
  }
  return {
    ofChain: async (chainId, signal) => {
      if (Bytes.isZero(chainId)) return Id.EMPTY
      const subnet = await chains.get(Hex.encodeBare(chainId), () => pChain.subnetOf(chainId), signal)
      if (subnet === undefined) throw unknownChain(chainId)
      return subnet
    },
    find,
    inactive: createInactive(dependencies, find),
  }
}

/**
 * Returns a function that finds the inactive validators by their balances. The balances only serve to avoid
 * requests to validators that cannot sign, so callers do not wait long for them. If an upstream fails or is
 * slow, the last known balances are used. Until balances are known, all validators count as active.
 */
function createInactive(
  { pChain, clock, log, patienceMs }: SubnetsDependencies,
  find: Subnets['find'],
): Subnets['inactive'] {
  const poor = createMemo<ReadonlySet<string>>({ max: MAX_ENTRIES, clock, ttlMs: () => BALANCE_TTL_MS })
  const last = new LRUCache<string, ReadonlySet<string>>({ max: MAX_ENTRIES })
  const load = async (subnetId: Uint8Array): Promise<ReadonlySet<string>> => {
    if (!(await find(subnetId))?.isL1) return NOBODY
    const nodes = nodesWithoutBalance(await pChain.currentValidators(subnetId))
    last.set(Hex.encodeBare(subnetId), nodes)
    return nodes
  }
  return async (subnetId, set, signal) => {
    if (Bytes.isZero(subnetId)) return new Set()
    const name = Hex.encodeBare(subnetId)
    const known = last.get(name) ?? NOBODY
    const flight = poor
      .get(name, () => load(subnetId), signal)
      .catch((error: unknown) => {
        if (!isUpstreamError(error)) throw error
        log.warn({ err: error, subnetId: Id.format(subnetId) }, 'cannot get the balances of L1 validators')
        return known
      })
    return indicesOf(set, await withPatience(flight, known, patienceMs, clock))
  }
}

function unknownChain(chainId: Uint8Array): AggregatorError {
  const text = Id.format(chainId)
  return new AggregatorError(
    'AGGREGATOR_CHAIN_UNKNOWN',
    `message: its source chain ${text} is unknown on this network`,
    { details: { field: 'message', chainId: text } },
  )
}

function nodesWithoutBalance(
  validators: Awaited<ReturnType<PChain['currentValidators']>>,
): ReadonlySet<string> {
  const poor = validators.filter(({ balance }) => balance !== undefined && balance < MIN_BALANCE)
  return new Set(poor.map(({ nodeId }) => Hex.encodeBare(nodeId)))
}

function indicesOf(set: ValidatorSet.ValidatorSet, nodes: ReadonlySet<string>): ReadonlySet<number> {
  const inactive = new Set<number>()
  if (nodes.size === 0) return inactive
  set.validators.forEach(({ nodeIds }, index) => {
    if (nodeIds.every((nodeId) => nodes.has(Hex.encodeBare(nodeId)))) inactive.add(index)
  })
  return inactive
}
