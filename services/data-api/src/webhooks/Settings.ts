import type { ChainName } from '../primary/network/Names.ts'

/** The kinds of events. The first three are named as in the official client, which knows no others. */
export const EVENT_TYPES = [
  'address_activity',
  'primary_network_address_activity',
  'validator_activity',
  'icm_undelivered',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** The kinds of events that the official client knows. */
export const OFFICIAL_EVENT_TYPES: readonly EventType[] = EVENT_TYPES.filter(
  (type) => type !== 'icm_undelivered',
)

/** Whether this version knows a kind of events. A newer one may store others in the same database. */
export const isEventType = (text: string): text is EventType => EVENT_TYPES.some((type) => type === text)

/** When a webhook is told of a block: as soon as it is stored, or once its results are settled (ACP-194). */
export const FINALITIES = ['accepted', 'executed', 'settled'] as const
export type Finality = (typeof FINALITIES)[number]

/** Options of a webhook for activity on an EVM chain. */
export interface EvmSettings {
  /** Hashes of event signatures (topic 0) in lowercase hex. If it is not empty, only logs with one of them count. */
  readonly eventSignatures: readonly string[]
  readonly includeInternalTxs: boolean
  readonly includeLogs: boolean
  readonly finality: Finality
}

export const ADDRESS_SUB_EVENTS = ['balance_change', 'balance_threshold', 'reward_distribution'] as const
export type AddressSubEvent = (typeof ADDRESS_SUB_EVENTS)[number]

export const BALANCE_TYPES = [
  'unlockedUnstaked',
  'unlockedStaked',
  'lockedPlatform',
  'lockedStakeable',
  'lockedStaked',
  'pendingStaked',
  'unlocked',
  'locked',
  'atomicMemoryUnlocked',
  'atomicMemoryLocked',
] as const
export type BalanceType = (typeof BALANCE_TYPES)[number]

/** The kinds of balances that addresses have on each chain. */
export const BALANCE_TYPES_OF: { readonly [C in ChainName]: readonly BalanceType[] } = {
  'p-chain': [
    'unlockedUnstaked',
    'unlockedStaked',
    'lockedPlatform',
    'lockedStakeable',
    'lockedStaked',
    'pendingStaked',
    'atomicMemoryUnlocked',
    'atomicMemoryLocked',
  ],
  'x-chain': ['unlocked', 'locked', 'atomicMemoryUnlocked', 'atomicMemoryLocked'],
  'c-chain': ['atomicMemoryUnlocked', 'atomicMemoryLocked'],
}

/** The kinds of events that addresses have on each chain. Only the P-chain pays rewards. */
export const ADDRESS_SUB_EVENTS_OF: { readonly [C in ChainName]: readonly AddressSubEvent[] } = {
  'p-chain': ADDRESS_SUB_EVENTS,
  'x-chain': ['balance_change', 'balance_threshold'],
  'c-chain': ['balance_change', 'balance_threshold'],
}

/** Options of a webhook for activity of addresses on the Primary Network. */
export interface AddressSettings {
  readonly subEvents: readonly AddressSubEvent[]
  /** A balance, and the amount in nAVAX (decimal text) that it must cross. */
  readonly balanceThresholdFilter?:
    | { readonly balanceType: BalanceType; readonly balanceThreshold: string }
    | undefined
}

export const VALIDATOR_SUB_EVENTS = [
  'validator_stake',
  'delegator_stake',
  'reward_distribution',
  'l1_validator_balance_increased',
  'l1_validator_disabled',
  'l1_validator_removed',
  'l1_validator_balance_threshold',
] as const
export type ValidatorSubEvent = (typeof VALIDATOR_SUB_EVENTS)[number]

export const VALIDATOR_KEY_TYPES = ['nodeId', 'subnetId'] as const
export type ValidatorKeyType = (typeof VALIDATOR_KEY_TYPES)[number]

/** Options of a webhook for activity of validators. */
export interface ValidatorSettings {
  readonly keyType: ValidatorKeyType
  readonly subEvents: readonly ValidatorSubEvent[]
  /** Node ids and subnet ids to which the events are limited, as text; empty for all. */
  readonly nodeIds: readonly string[]
  readonly subnetIds: readonly string[]
  /** Balance of an L1 validator in nAVAX, as decimal text. */
  readonly l1ValidatorFeeBalanceThreshold?: string | undefined
}

/** Most minutes after which a message can be told as undelivered: a week. */
export const MOST_MINUTES = 10_080

/** Options of a webhook for messages to other chains that were not delivered in time. */
export interface UndeliveredSettings {
  readonly minutes: number
  /** Destinations to which the events are limited, as text; empty for all. */
  readonly destinationBlockchainIds: readonly string[]
}

/** The options of each kind of event. */
export interface SettingsOf {
  readonly address_activity: EvmSettings
  readonly primary_network_address_activity: AddressSettings
  readonly validator_activity: ValidatorSettings
  readonly icm_undelivered: UndeliveredSettings
}
