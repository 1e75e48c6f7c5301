import { Hex } from '@firn/codec'
import type { Webhooks } from '@firn/store'
import type { Filter } from '../Filters.ts'
import type * as Settings from '../Settings.ts'

/** A webhook for addresses. Its keys are the addresses in hexadecimal, without 0x. */
export interface AddressFilter extends Filter {
  readonly subEvents: ReadonlySet<Settings.AddressSubEvent>
  /** A balance, and the amount in nAVAX below which it is told. */
  readonly threshold: { readonly type: Settings.BalanceType; readonly amount: bigint } | undefined
}

/** Returns the filter of a stored webhook. */
export function addressFilter(webhook: Webhooks.KeyedWebhook): AddressFilter {
  const { subEvents, balanceThresholdFilter: filter } = webhook.settings as Settings.AddressSettings
  return {
    id: webhook.id,
    fromSequence: webhook.from_sequence,
    keys: webhook.keys.map((key) => Hex.encodeBare(key)),
    subEvents: new Set(subEvents),
    threshold: filter && { type: filter.balanceType, amount: BigInt(filter.balanceThreshold) },
  }
}
