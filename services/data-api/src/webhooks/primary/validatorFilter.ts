import { Hex, Id, NodeId } from '@firn/codec'
import type { Webhooks } from '@firn/store'
import type { Filter } from '../Filters.ts'
import type * as Settings from '../Settings.ts'

/** A webhook for validators. Its key is a node id or a subnet id in hexadecimal. */
export interface ValidatorFilter extends Filter {
  readonly subEvents: ReadonlySet<Settings.ValidatorSubEvent>
  readonly keyType: Settings.ValidatorKeyType
  readonly key: Uint8Array
  /** Node ids and subnet ids in hexadecimal to which the events are limited; empty for all. */
  readonly nodeIds: ReadonlySet<string>
  readonly subnetIds: ReadonlySet<string>
  /** Balance of an L1 validator in nAVAX below which it is told. */
  readonly threshold: bigint | undefined
}

/** Returns the filter of a stored webhook. */
export function validatorFilter(webhook: Webhooks.KeyedWebhook): ValidatorFilter {
  const settings = webhook.settings as Settings.ValidatorSettings
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

/** Whether a webhook is told of an event of a validator. */
export function observes(
  { subEvents, nodeIds, subnetIds, fromSequence }: ValidatorFilter,
  event: {
    readonly subEvent: Settings.ValidatorSubEvent
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
