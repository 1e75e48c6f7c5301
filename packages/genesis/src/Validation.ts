import { Address, Hex, Network } from '@firn/codec'
import { type GenesisConfig, initialSupply } from './GenesisConfig.ts'
import { GenesisError, type GenesisErrorCode } from './GenesisError.ts'
import * as Networks from './Networks.ts'

/** The facts that a genesis is checked against. */
export interface Expectation {
  readonly networkId: number
  /** Unix seconds. */
  readonly now: bigint
  /** Maximum stake duration in seconds; by default the network's. */
  readonly maxStakeDuration?: bigint
}

/**
 * Checks a genesis as a node does before it starts, in the node's order.
 * @throws GenesisError `GENESIS_NETWORK_ID`, `GENESIS_SUPPLY`, `GENESIS_START_TIME`,
 * `GENESIS_STAKE_DURATION`, `GENESIS_STAKERS`, `GENESIS_STAKED_FUNDS`, `GENESIS_LOCKED_AMOUNT`,
 * `GENESIS_C_CHAIN`
 */
export function assertValid(config: GenesisConfig, expectation: Expectation): void {
  const { networkId, now } = expectation
  if (config.networkId !== networkId) {
    refuse('GENESIS_NETWORK_ID', 'a genesis of the network', networkId, config.networkId)
  }
  if (initialSupply(config) === 0n) refuse('GENESIS_SUPPLY', 'a supply above', 0n, 0n)
  // Seconds are signed in Go, so values above 2^63 are far in the past.
  if (BigInt.asIntN(64, config.startTime) > now) {
    refuse('GENESIS_START_TIME', 'a start time of at most', now, config.startTime)
  }
  assertDurations(config, expectation.maxStakeDuration ?? Networks.of(networkId).staking.maxStakeDuration)
  assertStakedFunds(config)
  assertLocked(config)
  if (config.cChainGenesis === '') {
    throw new GenesisError('GENESIS_C_CHAIN', 'the genesis of the C-chain is missing')
  }
}

function assertDurations(config: GenesisConfig, maximum: bigint): void {
  const duration = config.initialStakeDuration
  if (duration === 0n) refuse('GENESIS_STAKE_DURATION', 'an initial stake duration above', 0n, duration)
  if (duration > maximum) {
    refuse('GENESIS_STAKE_DURATION', 'an initial stake duration of at most', maximum, duration)
  }
  const stakers = BigInt(config.initialStakers.length)
  if (stakers === 0n) refuse('GENESIS_STAKERS', 'initial stakers, more than', 0n, 0n)
  const needed = BigInt.asUintN(64, config.initialStakeDurationOffset * (stakers - 1n))
  if (needed > duration) {
    refuse('GENESIS_STAKE_DURATION', 'an initial stake duration of at least', needed, duration)
  }
}

function assertStakedFunds(config: GenesisConfig): void {
  if (config.initialStakedFunds.length === 0) {
    refuse('GENESIS_STAKED_FUNDS', 'initially staked funds, more than', 0n, 0n)
  }
  const allocated = new Set(config.allocations.map(({ avaxAddr }) => Hex.encodeBare(avaxAddr)))
  const seen = new Set<string>()
  for (const payload of config.initialStakedFunds) {
    const key = Hex.encodeBare(payload)
    if (allocated.has(key) && !seen.has(key)) {
      seen.add(key)
      continue
    }
    const address = Address.format({ chain: 'X', hrp: Network.hrp(config.networkId), payload })
    const what = seen.has(key) ? 'once' : 'with an allocation'
    throw new GenesisError('GENESIS_STAKED_FUNDS', `expected the staked address ${address} ${what}`, {
      details: { address },
    })
  }
}

function assertLocked(config: GenesisConfig): void {
  const amounts = config.allocations.flatMap(({ unlockSchedule }) =>
    unlockSchedule.map(({ amount }) => amount),
  )
  const locked = amounts.reduce((sum, amount) => sum + amount, 0n)
  const stakers = BigInt(config.initialStakers.length)
  if (locked < stakers) refuse('GENESIS_LOCKED_AMOUNT', 'locked allocations of at least', stakers, locked)
}

function refuse(
  code: GenesisErrorCode,
  what: string,
  expected: bigint | number,
  actual: bigint | number,
): never {
  throw new GenesisError(code, `expected ${what} ${expected}, got ${actual}`, {
    details: { expected, actual },
  })
}
