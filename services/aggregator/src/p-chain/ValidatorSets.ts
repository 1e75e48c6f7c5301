import { Bytes, Hex, Id } from '@firn/codec'
import type { Clock } from '@firn/runtime'
import { ValidatorSet } from '@firn/warp'
import { LRUCache } from 'lru-cache'
import { Counter, Histogram, type Registry } from 'prom-client'
import { AggregatorError } from '../errors/AggregatorError.ts'
import { createMemo, withPatience } from '../internal/flights.ts'
import { areEqual } from './EqualSets.ts'
import { type Heights, insteadOfUpstream, isUpstreamError, stale } from './Heights.ts'
import type { PChain } from './PChain.ts'
import { createPublicKeys, type PublicKeys } from './PublicKeys.ts'
import type { Subnets } from './Subnets.ts'

const MAX_SETS = 512

/** The validators of a subnet at a height. */
export interface SetAtHeight {
  readonly subnetId: Uint8Array
  readonly height: bigint
  readonly set: ValidatorSet.ValidatorSet
}

/** Validator sets by subnet and height. A set never changes, so it is fetched only once. */
export interface ValidatorSets {
  /**
   * Returns the validator set of a subnet (32 bytes) at a height, or at the proposed height. At the proposed
   * height, if an upstream fails or is slow, the last set is returned while it is fresh.
   * @throws AggregatorError `AGGREGATOR_SUBNET_UNKNOWN`, `AGGREGATOR_HEIGHT`, `AGGREGATOR_UPSTREAM`,
   * `AGGREGATOR_UPSTREAM_STALE`
   */
  at(subnetId: Uint8Array, height: bigint | 'proposed', signal?: AbortSignal): Promise<SetAtHeight>
  /**
   * Returns the validator set at a height that a chain uses, however old it is.
   * @throws AggregatorError `AGGREGATOR_SUBNET_UNKNOWN`, `AGGREGATOR_UPSTREAM`
   */
  atAnyAge(subnetId: Uint8Array, height: bigint, signal?: AbortSignal): Promise<SetAtHeight>
}

/** Options of {@link createValidatorSets}. */
export interface ValidatorSetsDependencies {
  readonly pChain: PChain
  readonly heights: Heights
  readonly subnets: Subnets
  readonly clock: Clock
  readonly register: Registry
  readonly staleAfterMs: number
  readonly patienceMs: number
  /** Default: an empty cache that decodes keys in this thread. */
  readonly publicKeys?: PublicKeys
}

/** Creates an empty cache of validator sets. */
export function createValidatorSets(dependencies: ValidatorSetsDependencies): ValidatorSets {
  const { heights, subnets, clock, staleAfterMs, patienceMs } = dependencies
  const sets = createMemo<SetAtHeight>({ max: MAX_SETS, clock, ttlMs: () => Number.POSITIVE_INFINITY })
  const lastGood = new LRUCache<string, { readonly value: SetAtHeight; readonly confirmedAt: number }>({
    max: MAX_SETS,
  })
  const fetchSet = createFetch(dependencies)
  /** The last loaded set of each subnet. */
  const latest = new LRUCache<string, ValidatorSet.ValidatorSet>({ max: MAX_SETS })
  /** Loads a set. Most blocks change no validators, so sets of neighbouring heights share one object. */
  const loadSet = async (subnetId: Uint8Array, height: bigint): Promise<SetAtHeight> => {
    const name = Hex.encodeBare(subnetId)
    const loaded = await fetchSet(subnetId, height)
    const before = latest.get(name)
    const set = before !== undefined && areEqual(before, loaded.set) ? before : loaded.set
    latest.set(name, set)
    return { ...loaded, set }
  }

  const atHeight = async (subnetId: Uint8Array, height: bigint, signal?: AbortSignal) => {
    const key = `${Hex.encodeBare(subnetId)}@${height}`
    const value = await sets.get(key, () => loadSet(subnetId, height), signal)
    if (value.set.totalWeight === 0n) throw await noValidators(subnets, subnetId, height, signal)
    return value
  }
  const atProposed = async (subnetId: Uint8Array, signal?: AbortSignal) => {
    const { height, confirmedAt } = await heights.proposed(signal)
    const value = await atHeight(subnetId, height, signal)
    lastGood.set(Hex.encodeBare(subnetId), { value, confirmedAt })
    return value
  }
  return {
    atAnyAge: atHeight,
    at: async (subnetId, height, signal) => {
      if (height !== 'proposed') {
        await heights.assertServed(height, signal)
        return atHeight(subnetId, height, signal)
      }
      const good = lastGood.get(Hex.encodeBare(subnetId))
      const flight = atProposed(subnetId, signal)
      if (good === undefined) return flight
      const ageMs = clock.now() - good.confirmedAt
      if (ageMs <= staleAfterMs)
        return withPatience(insteadOfUpstream(flight, good.value), good.value, patienceMs, clock)
      return flight.catch((cause) => {
        throw isUpstreamError(cause) ? stale(ageMs, cause) : cause
      })
    },
  }
}

function createFetch({
  pChain,
  clock,
  register,
  publicKeys = createPublicKeys(undefined),
}: ValidatorSetsDependencies) {
  const registers = [register]
  const seconds = new Histogram({
    name: 'signature_aggregator_validator_set_fetch_seconds',
    help: 'Seconds to fetch and prepare the validator set of a subnet at a height',
    buckets: [0.005, 0.02, 0.1, 0.3, 1, 3, 10],
    registers,
  })
  const failures = new Counter({
    name: 'signature_aggregator_failures_to_get_validator_set',
    help: 'Number of validator sets that could not be fetched',
    registers,
  })
  return async (subnetId: Uint8Array, height: bigint): Promise<SetAtHeight> => {
    const start = clock.now()
    try {
      const nodes = await pChain.validatorsAt(subnetId, height)
      if (nodes === undefined) throw unavailable(subnetId, height, 'the API responded with an error')
      await publicKeys.prepare(nodes.flatMap(({ publicKey }) => publicKey ?? []))
      const set = ValidatorSet.create(nodes, { decodePublicKey: publicKeys.decode })
      seconds.observe((clock.now() - start) / 1000)
      return { subnetId, height, set }
    } catch (cause) {
      failures.inc()
      throw cause instanceof AggregatorError
        ? cause
        : unavailable(subnetId, height, (cause as Error).message, cause)
    }
  }
}

function unavailable(subnetId: Uint8Array, height: bigint, reason: string, cause?: unknown): AggregatorError {
  const where = `the validators of subnet ${Id.format(subnetId)} at P-chain height ${height}`
  return new AggregatorError(
    'AGGREGATOR_UPSTREAM',
    `the P-chain API returned no usable response for ${where}: ${reason}`,
    { cause },
  )
}

async function noValidators(
  subnets: Subnets,
  subnetId: Uint8Array,
  height: bigint,
  signal: AbortSignal | undefined,
) {
  const name = Bytes.isZero(subnetId) ? 'the Primary Network' : `subnet ${Id.format(subnetId)}`
  const isKnown = (await subnets.find(subnetId, signal)) !== undefined
  const why = isKnown
    ? `${name} has no validators at P-chain height ${height}`
    : `${name} is unknown on this network`
  return new AggregatorError('AGGREGATOR_SUBNET_UNKNOWN', `signingSubnetId: ${why}`, {
    details: { subnetId: Id.format(subnetId), height, known: isKnown },
  })
}
