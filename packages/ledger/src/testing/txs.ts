import { Id } from '@firn/codec'
import type { UnsignedTx } from '@firn/txs'
import {
  AUTHORIZATION,
  id,
  L1_OWNER,
  message,
  node,
  type PlatformTestChain,
  signer,
  TYPED,
} from './platformTestChain.ts'

/** Stake of a test validator: 2,000 AVAX in nAVAX. */
export const STAKE = 2_000_000_000_000n
const DAY = 86_400

/**
 * Returns an AddPermissionlessValidatorTx for the Primary Network. The staking period starts `start` seconds
 * after the chain's time and lasts `seconds`.
 */
export function addValidator(
  testChain: PlatformTestChain,
  seed: number,
  { seconds = DAY, start = 1, stake = STAKE } = {},
): UnsignedTx.Of<'AddPermissionlessValidatorTx'> {
  const [from, end] = [testChain.after(start), testChain.after(start + seconds)]
  return {
    type: 'AddPermissionlessValidatorTx',
    ...testChain.base(stake),
    validator: { nodeID: node(seed), start: from, end, weight: stake },
    subnetID: Id.EMPTY,
    signer: { type: 'ProofOfPossession', ...signer(seed) },
    stake: [testChain.out(stake)],
    validationRewardsOwner: TYPED,
    delegationRewardsOwner: TYPED,
    shares: 100_000,
  }
}

/** Returns an AddPermissionlessDelegatorTx that delegates to a validator. */
export function addDelegator(
  testChain: PlatformTestChain,
  seed: number,
  { seconds = DAY, start = 1, stake = STAKE } = {},
): UnsignedTx.Of<'AddPermissionlessDelegatorTx'> {
  const {
    signer: _,
    shares: __,
    validationRewardsOwner: ___,
    delegationRewardsOwner: ____,
    ...rest
  } = addValidator(testChain, seed, { seconds, start, stake })
  return { ...rest, type: 'AddPermissionlessDelegatorTx', rewardsOwner: TYPED }
}

/** Returns an AddValidatorTx, the first type that added a validator. Before Banff it required a proposal. */
export function addOldValidator(
  testChain: PlatformTestChain,
  seed: number,
  options = {},
): UnsignedTx.Of<'AddValidatorTx'> {
  const {
    subnetID: _,
    signer: __,
    validationRewardsOwner: ___,
    delegationRewardsOwner: ____,
    ...rest
  } = addValidator(testChain, seed, options)
  return { ...rest, type: 'AddValidatorTx', rewardsOwner: TYPED }
}

/** Returns an AddSubnetValidatorTx that adds a validator to a permissioned subnet. */
export function addSubnetValidator(
  testChain: PlatformTestChain,
  subnetId: Uint8Array,
  nodeId: Uint8Array,
  seconds = 3600,
): UnsignedTx.Of<'AddSubnetValidatorTx'> {
  const validator = {
    nodeID: nodeId,
    start: testChain.after(1),
    end: testChain.after(1 + seconds),
    weight: 5n,
    subnetID: subnetId,
  }
  return { type: 'AddSubnetValidatorTx', ...testChain.base(), validator, subnetAuthorization: AUTHORIZATION }
}

/** Returns an AddAutoRenewedValidatorTx. */
export function addAutoRenewed(
  testChain: PlatformTestChain,
  seed: number,
  period: bigint,
  autoCompoundRewardShares: number,
): UnsignedTx.Of<'AddAutoRenewedValidatorTx'> {
  return {
    type: 'AddAutoRenewedValidatorTx',
    ...testChain.base(STAKE),
    nodeID: node(seed),
    signer: { type: 'ProofOfPossession', ...signer(seed) },
    stake: [testChain.out(STAKE)],
    validationRewardsOwner: TYPED,
    delegationRewardsOwner: TYPED,
    validatorAuthority: TYPED,
    delegationShares: 100_000,
    autoCompoundRewardShares,
    period,
  }
}

/** Returns a CreateSubnetTx. */
export function createSubnet(testChain: PlatformTestChain): UnsignedTx.Of<'CreateSubnetTx'> {
  return { type: 'CreateSubnetTx', ...testChain.base(), owner: TYPED }
}

/** Returns a CreateChainTx that adds a chain to a subnet. */
export function createChain(
  testChain: PlatformTestChain,
  subnetId: Uint8Array,
): UnsignedTx.Of<'CreateChainTx'> {
  const chain = { chainName: 'a', vmID: id(9), fxIDs: [], genesisData: new Uint8Array() }
  return {
    type: 'CreateChainTx',
    ...testChain.base(),
    subnetID: subnetId,
    ...chain,
    subnetAuthorization: AUTHORIZATION,
  }
}

/** Chain and contract that manage the L1s created by {@link convert}. */
export const MANAGER = { chainId: id(50), address: id(51, 20) }

/**
 * Returns a ConvertSubnetToL1Tx whose validators have the given balances. Their node ids and keys are derived from
 * `seed`, `seed + 1`, and so on.
 */
export function convert(
  testChain: PlatformTestChain,
  subnetId: Uint8Array,
  balances: readonly bigint[],
  seed = 61,
): UnsignedTx.Of<'ConvertSubnetToL1Tx'> {
  const validators = balances.map((balance, i) => ({
    nodeID: node(seed + i),
    weight: 10n,
    balance,
    signer: signer(seed + i),
    remainingBalanceOwner: L1_OWNER,
    deactivationOwner: L1_OWNER,
  }))
  const total = balances.reduce((sum, balance) => sum + balance, 0n)
  return {
    type: 'ConvertSubnetToL1Tx',
    ...testChain.base(total),
    subnetID: subnetId,
    chainID: MANAGER.chainId,
    address: MANAGER.address,
    validators,
    subnetAuthorization: AUTHORIZATION,
  }
}

/** Returns a RegisterL1ValidatorTx whose message comes from the L1's manager, or from another sender. */
export function register(
  testChain: PlatformTestChain,
  subnetId: Uint8Array,
  {
    seed = 80,
    expiry = testChain.after(100),
    balance = 1_000_000n,
    ...from
  }: {
    seed?: number
    expiry?: bigint
    balance?: bigint
    chainId?: Uint8Array
    address?: Uint8Array
  } = {},
): UnsignedTx.Of<'RegisterL1ValidatorTx'> {
  const { chainId, address } = { ...MANAGER, ...from }
  const call = {
    type: 'RegisterL1Validator',
    subnetID: subnetId,
    nodeID: node(seed),
    blsPublicKey: id(seed, 48),
    expiry,
    remainingBalanceOwner: L1_OWNER,
    disableOwner: { threshold: 0, addresses: [] },
    weight: 3n,
  } as const
  return {
    type: 'RegisterL1ValidatorTx',
    ...testChain.base(balance),
    balance,
    proofOfPossession: id(1, 96),
    message: message(chainId, address, call),
  }
}

/** Returns a SetL1ValidatorWeightTx. */
export function setWeight(
  testChain: PlatformTestChain,
  validationId: Uint8Array,
  nonce: bigint,
  weight: bigint,
): UnsignedTx.Of<'SetL1ValidatorWeightTx'> {
  const call = { type: 'L1ValidatorWeight', validationID: validationId, nonce, weight } as const
  return {
    type: 'SetL1ValidatorWeightTx',
    ...testChain.base(),
    message: message(MANAGER.chainId, MANAGER.address, call),
  }
}

/** Returns a RewardValidatorTx that proposes to reward a staker. */
export function reward(txId: Uint8Array): UnsignedTx.Of<'RewardValidatorTx'> {
  return { type: 'RewardValidatorTx', txID: txId }
}

/** Returns a BaseTx whose only output is change. */
export function base(testChain: PlatformTestChain): UnsignedTx.Of<'BaseTx'> {
  return { type: 'BaseTx', ...testChain.base() }
}

/**
 * Returns a TransformSubnetTx that makes a subnet elastic, with AVAX as its asset and a maximum consumption rate of
 * 10 %.
 */
export function transform(
  testChain: PlatformTestChain,
  subnetId: Uint8Array,
  supply: { readonly initialSupply: bigint; readonly maximumSupply: bigint },
): UnsignedTx.Of<'TransformSubnetTx'> {
  return {
    type: 'TransformSubnetTx',
    ...testChain.base(supply.maximumSupply - supply.initialSupply, 0n),
    subnetID: subnetId,
    assetID: testChain.state.rules.avaxAssetId,
    ...supply,
    minConsumptionRate: 10n,
    maxConsumptionRate: 100_000n,
    minValidatorStake: 1n,
    maxValidatorStake: 1_000_000_000n,
    minStakeDuration: 1,
    maxStakeDuration: 31_536_000,
    minDelegationFee: 0,
    minDelegatorStake: 1n,
    maxValidatorWeightFactor: 5,
    uptimeRequirement: 0,
    subnetAuthorization: AUTHORIZATION,
  }
}
