import { Hex, Id, NodeId } from '@firn/codec'
import type { Webhooks } from '@firn/service-store'
import type { Filter } from '../common/Filters.ts'

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

/** A webhook for validators. Its key is a node id or a subnet id in hexadecimal. */
export interface ValidatorFilter extends Filter {
  readonly subEvents: ReadonlySet<ValidatorSubEvent>
  readonly keyType: ValidatorKeyType
  readonly key: Uint8Array
  /** Node ids and subnet ids in hexadecimal to which the events are limited; empty for all. */
  readonly nodeIds: ReadonlySet<string>
  readonly subnetIds: ReadonlySet<string>
  /** Alert threshold of an L1 validator's balance in nAVAX. */
  readonly threshold: bigint | undefined
}

/** Returns the filter of a stored webhook. */
export function validatorFilter(webhook: Webhooks.KeyedWebhook): ValidatorFilter {
  const settings = webhook.settings as ValidatorSettings
  const [key = new Uint8Array()] = webhook.keys
  const threshold = settings.l1ValidatorFeeBalanceThreshold
  return {
    id: webhook.id,
    fromSequence: webhook.from_sequence,
    keys: webhook.keys.map((one) => Hex.encodeBare(one)),
    subEvents: new Set(settings.subEvents),
    keyType: settings.keyType,
    key,
    nodeIds: new Set(settings.nodeIds.map((text) => Hex.encodeBare(NodeId.parse(text)))),
    subnetIds: new Set(settings.subnetIds.map((text) => Hex.encodeBare(Id.parse(text)))),
    threshold: threshold === undefined ? undefined : BigInt(threshold),
  }
}

/** Returns whether a webhook receives an event of a validator. */
export function observes(
  { subEvents, nodeIds, subnetIds, fromSequence }: ValidatorFilter,
  event: {
    readonly subEvent: ValidatorSubEvent
    readonly height: bigint
    readonly nodeId: Uint8Array
    readonly subnetId: Uint8Array
  },
): boolean {
  const isIn = (ids: ReadonlySet<string>, id: Uint8Array) => ids.size === 0 || ids.has(Hex.encodeBare(id))
  return (
    event.height > fromSequence &&
    subEvents.has(event.subEvent) &&
    isIn(nodeIds, event.nodeId) &&
    isIn(subnetIds, event.subnetId)
  )
}
