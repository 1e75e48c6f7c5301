import { Address, Hex, Network } from '@firn/codec'
import { type GenesisConfig, initialSupply } from './GenesisConfig.ts'
import { GenesisError, type GenesisErrorCode } from './GenesisError.ts'
import * as Networks from './Networks.ts'

/** The values against which a configuration is validated. */
export interface Expectation {
  readonly networkId: number
  /** Current time in Unix seconds. */
  readonly now: bigint
  /** Maximum stake duration in seconds; defaults to the maximum of the network. */
  readonly maxStakeDuration?: bigint
}

/**
 * Validates a genesis configuration with the checks of a node at startup, in the node's order.
 * @example
 * ```ts
 * import { GenesisConfig, Validation } from '@firn/genesis'
 *
 * declare const text: string // a node's genesis file
 * const now = BigInt(Math.floor(Date.now() / 1000))
 * Validation.assertValid(GenesisConfig.parse(text), { networkId: 1337, now })
 * ```
 * @throws GenesisError `GENESIS_NETWORK_ID`, `GENESIS_SUPPLY`, `GENESIS_START_TIME`,
 * `GENESIS_STAKE_DURATION`, `GENESIS_STAKERS`, `GENESIS_STAKED_FUNDS`, `GENESIS_LOCKED_AMOUNT`,
 * `GENESIS_C_CHAIN`
 */
export function assertValid(config: GenesisConfig, expectation: Expectation): void {
  const { networkId, now } = expectation
  if (config.networkId !== networkId) {
    refuse(
      'GENESIS_NETWORK_ID',
      `networkID: expected ${networkId}, got ${config.networkId}`,
      networkId,
      config.networkId,
    )
  }
  if (initialSupply(config) === 0n)
    refuse('GENESIS_SUPPLY', 'allocations: expected more than 0 nAVAX in total, got 0', 0n, 0n)
  // Go stores the seconds as a signed number, so values of 2^63 and above are negative and count as past.
  if (BigInt.asIntN(64, config.startTime) > now) {
    refuse(
      'GENESIS_START_TIME',
      `startTime: expected at most ${now} (the current time), got ${config.startTime}`,
      now,
      config.startTime,
    )
  }
  assertDurations(config, expectation.maxStakeDuration ?? Networks.of(networkId).staking.maxStakeDuration)
  assertStakedFunds(config)
  assertLocked(config)
  if (config.cChainGenesis === '') {
    throw new GenesisError(
      'GENESIS_C_CHAIN',
      'cChainGenesis is missing or empty; add the genesis of the C-chain',
    )
  }
}

function assertDurations(config: GenesisConfig, maximum: bigint): void {
  const duration = config.initialStakeDuration
  if (duration === 0n)
    refuse(
      'GENESIS_STAKE_DURATION',
      'initialStakeDuration: expected more than 0 seconds, got 0',
      0n,
      duration,
    )
  if (duration > maximum) {
    refuse(
      'GENESIS_STAKE_DURATION',
      `initialStakeDuration: expected at most ${maximum} seconds, got ${duration}`,
      maximum,
      duration,
    )
  }
  const stakers = BigInt(config.initialStakers.length)
  if (stakers === 0n) refuse('GENESIS_STAKERS', 'initialStakers: expected at least 1 staker, got 0', 0n, 0n)
  const needed = BigInt.asUintN(64, config.initialStakeDurationOffset * (stakers - 1n))
  if (needed > duration) {
    refuse(
      'GENESIS_STAKE_DURATION',
      `initialStakeDuration: expected at least ${needed} seconds (the offset of the last staker), got ${duration}`,
      needed,
      duration,
    )
  }
}

function assertStakedFunds(config: GenesisConfig): void {
  if (config.initialStakedFunds.length === 0) {
    refuse('GENESIS_STAKED_FUNDS', 'initialStakedFunds: expected at least 1 address, got 0', 0n, 0n)
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
    const problem = seen.has(key) ? 'is listed more than once' : 'has no allocation'
    throw new GenesisError('GENESIS_STAKED_FUNDS', `initialStakedFunds: ${address} ${problem}`, {
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
  if (locked < stakers) {
    refuse(
      'GENESIS_LOCKED_AMOUNT',
      `expected locked allocations of at least 1 nAVAX per initial staker (${stakers}), got ${locked}`,
      stakers,
      locked,
    )
  }
}

function refuse(
  code: GenesisErrorCode,
  message: string,
  expected: bigint | number,
  actual: bigint | number,
): never {
  throw new GenesisError(code, message, { details: { expected, actual } })
}
