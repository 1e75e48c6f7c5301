import type { TokenBasis } from '../Zoo.ts'
import type { ZOO_CODE } from '../zooCode.ts'

/** Contracts that proxies delegate to. */
export const DELEGATES = ['Plain', 'FeeWithGrossLog'] as const
export type Delegate = (typeof DELEGATES)[number]

/** A kind of token contract, and how it is used. */
export interface Kind {
  /** Contract in `contracts/Zoo.sol`. */
  readonly contract: keyof typeof ZOO_CODE
  /** Name; by default the contract's. */
  readonly name?: string
  readonly basis: TokenBasis
  /** Standard of its tokens; by default 20. */
  readonly standard?: 20 | 721 | 1155
  /** Whether its logs have the layout of ERC-20, with an id as the value. */
  readonly hasIdsAsValues?: boolean
  /** Contracts that a proxy delegates to, before and after `act`; undefined for none. */
  readonly delegates?: readonly [Delegate | undefined, Delegate]
  /** Whether tokens are minted by a payment to the contract. */
  readonly isPaid?: boolean
  /** Whether the contract creates the token at another address. */
  readonly isCreator?: boolean
  /** Whether `act` is called more often than for others. */
  readonly isActive?: boolean
}

/** Every kind of token contract in the zoo. */
export const KINDS: readonly Kind[] = [
  { contract: 'Plain', basis: 'logs' },
  { contract: 'WithoutReturn', basis: 'logs' },
  { contract: 'Undivided', basis: 'logs' },
  { contract: 'Bridged', basis: 'logs', isActive: true },
  { contract: 'Pausable', basis: 'logs' },
  { contract: 'WrappedNativeWithTransfer', basis: 'logs', isPaid: true },
  { contract: 'FeeWithLog', basis: 'logs' },
  { contract: 'Unindexed', basis: 'logs' },
  { contract: 'OneIndexed', basis: 'logs' },
  { contract: 'Proxy', name: 'LateProxy', basis: 'logs', delegates: [undefined, 'Plain'], isActive: true },
  { contract: 'Collectible', basis: 'logs', standard: 721 },
  { contract: 'BurnableCollectible', basis: 'logs', standard: 721 },
  { contract: 'Consecutive', basis: 'logs', standard: 721 },
  { contract: 'Kitties', basis: 'logs', standard: 721, hasIdsAsValues: true },
  { contract: 'CollectibleWithErc20Log', basis: 'logs', standard: 721, hasIdsAsValues: true },
  { contract: 'Items', basis: 'logs', standard: 1155 },
  { contract: 'WrappedNative', basis: 'chain', isPaid: true },
  { contract: 'FeeWithGrossLog', basis: 'chain' },
  { contract: 'FeeWithoutLog', basis: 'chain' },
  { contract: 'Shares', basis: 'chain', isActive: true },
  { contract: 'Multiplied', basis: 'chain', isActive: true },
  { contract: 'Interest', basis: 'chain' },
  { contract: 'Reflection', basis: 'chain' },
  { contract: 'MintAndBurnLog', basis: 'chain' },
  { contract: 'ConstructorMint', basis: 'chain' },
  { contract: 'FakeAmounts', basis: 'chain' },
  { contract: 'LiesByBlock', basis: 'chain' },
  { contract: 'Confiscated', basis: 'chain' },
  { contract: 'SilentAirdrop', basis: 'chain' },
  { contract: 'NativeAlias', basis: 'chain' },
  {
    contract: 'Proxy',
    name: 'UpgradedProxy',
    basis: 'chain',
    delegates: ['Plain', 'FeeWithGrossLog'],
    isActive: true,
  },
  { contract: 'Recreator', name: 'Recreated', basis: 'chain', isCreator: true },
  { contract: 'ConstructorItems', basis: 'chain', standard: 1155 },
  { contract: 'ConfiscatedItems', basis: 'chain', standard: 1155 },
  { contract: 'LiesToContracts', basis: 'lying' },
  { contract: 'LiesByGas', basis: 'lying' },
  { contract: 'LogSpam', basis: 'unreadable' },
  { contract: 'Reverting', basis: 'unreadable' },
  { contract: 'GasBurning', basis: 'unreadable' },
  { contract: 'Megabyte', basis: 'unreadable' },
  { contract: 'EmptyAnswer', basis: 'unreadable' },
  { contract: 'ShortAnswer', basis: 'unreadable' },
]
