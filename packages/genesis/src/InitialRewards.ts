import { GenesisError } from './GenesisError.ts'
import type { Constants } from './Networks.ts'
import * as PlatformGenesis from './PlatformGenesis.ts'
import * as Rewards from './Rewards.ts'

/** The potential reward of a validator in the genesis. */
export interface InitialReward {
  /** Id of the validator's transaction, 32 bytes. */
  readonly txId: Uint8Array
  readonly nodeId: Uint8Array
  /** Reward in nAVAX. */
  readonly potentialReward: bigint
}

/** The result of {@link of}. */
export interface InitialRewards {
  /**
   * Rewards in the order of the validators in the genesis. Each reward increases the supply from which the
   * next reward is calculated.
   */
  readonly rewards: readonly InitialReward[]
  /**
   * The result of `platform.getCurrentSupply` before the first block, in nAVAX. It includes the allocations
   * and all potential rewards.
   */
  readonly currentSupply: bigint
}

const SECOND = 1_000_000_000n

/**
 * Returns the potential rewards of the validators in a genesis, and the initial supply including these
 * rewards.
 * @example
 * ```ts
 * import { type Genesis, InitialRewards, Networks } from '@firn/genesis'
 *
 * declare const genesis: Genesis.Genesis
 * const { currentSupply } = InitialRewards.of(genesis.platform, Networks.of(genesis.networkId))
 * ```
 * @throws GenesisError `GENESIS_REWARD`; `GENESIS_VALIDATOR` if a transaction adds no validator
 */
export function of(
  genesis: PlatformGenesis.PlatformGenesis,
  { reward, upgrades }: Pick<Constants, 'reward' | 'upgrades'>,
): InitialRewards {
  let currentSupply = genesis.initialSupply
  const rewards = genesis.validators.map((tx) => {
    const { unsignedTx } = tx
    if (unsignedTx.type !== 'AddValidatorTx' && unsignedTx.type !== 'AddPermissionlessValidatorTx') {
      throw new GenesisError(
        'GENESIS_VALIDATOR',
        `expected a transaction that adds a validator in the genesis, got ${unsignedTx.type}`,
      )
    }
    const { nodeID: nodeId, start, end, weight } = unsignedTx.validator
    const stake = { duration: (end - start) * SECOND, amount: weight, currentSupply }
    const potentialReward = Rewards.calculatePrimary(reward, upgrades.helicon, start, stake)
    currentSupply += potentialReward
    return { txId: PlatformGenesis.transactionId(tx), nodeId, potentialReward }
  })
  return { rewards, currentSupply }
}
