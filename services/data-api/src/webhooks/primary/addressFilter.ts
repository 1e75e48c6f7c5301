import { Hex } from '@firn/codec'
import type { Webhooks } from '@firn/service-store'
import type { ChainName } from '../../primary/network/Names.ts'
import type { Filter } from '../common/Filters.ts'

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

/** A webhook for addresses. Its keys are the addresses in hexadecimal, without 0x. */
export interface AddressFilter extends Filter {
  readonly subEvents: ReadonlySet<AddressSubEvent>
  /** Alert threshold of a balance in nAVAX. */
  readonly threshold: { readonly type: BalanceType; readonly amount: bigint } | undefined
}

/** Returns the filter of a stored webhook. */
export function addressFilter(webhook: Webhooks.KeyedWebhook): AddressFilter {
  const { subEvents, balanceThresholdFilter: filter } = webhook.settings as AddressSettings
  return {
    id: webhook.id,
    fromSequence: webhook.from_sequence,
    keys: webhook.keys.map((key) => Hex.encodeBare(key)),
    subEvents: new Set(subEvents),
    threshold: filter && { type: filter.balanceType, amount: BigInt(filter.balanceThreshold) },
  }
}
