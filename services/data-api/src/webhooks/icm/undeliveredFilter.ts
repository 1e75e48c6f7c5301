import { Hex, Id } from '@firn/codec'
import type { EvmIcm } from '@firn/evm-store'
import type { Webhooks } from '@firn/service-store'
import type { Filter } from '../common/Filters.ts'

/** Most minutes after which a message can be reported as undelivered: a week. */
export const MOST_MINUTES = 10_080

/** Options of a webhook for messages to other chains that were not delivered in time. */
export interface UndeliveredSettings {
  readonly minutes: number
  /** Destinations to which the events are limited, as text; empty for all. */
  readonly destinationBlockchainIds: readonly string[]
}

/** The key of a webhook that observes the messages of all senders. */
export const ANY_SENDER: Uint8Array = new Uint8Array(0)

/** A webhook for messages that were not delivered in time. Its keys are the senders in hexadecimal, or {@link ANY_SENDER}. */
export interface UndeliveredFilter extends Filter {
  readonly minutes: number
  /** Blockchain ids in hexadecimal; empty for all. */
  readonly destinations: ReadonlySet<string>
}

/** Returns the filter of a stored webhook. */
export function undeliveredFilter(webhook: Webhooks.KeyedWebhook): UndeliveredFilter {
  const { minutes, destinationBlockchainIds } = webhook.settings as UndeliveredSettings
  return {
    id: webhook.id,
    fromSequence: webhook.from_sequence,
    keys: webhook.keys.map((key) => Hex.encodeBare(key)),
    minutes,
    destinations: new Set(destinationBlockchainIds.map((text) => Hex.encodeBare(Id.parse(text)))),
  }
}

/** Returns whether a webhook receives the event of a message that was not delivered within its time. */
export function observes(
  { keys, destinations, fromSequence, minutes }: UndeliveredFilter,
  { sender, destination, time }: EvmIcm.IcmMessage,
): boolean {
  const isSender = [sender, ANY_SENDER].some((key) => keys.includes(Hex.encodeBare(key)))
  const isDestination = destinations.size === 0 || destinations.has(Hex.encodeBare(destination))
  return isSender && isDestination && dueAt(time, minutes) * 1_000n > fromSequence
}

/** Returns the time (Unix seconds) until which a message must be delivered. */
export function dueAt(sentAt: bigint, minutes: number): bigint {
  return sentAt + 60n * BigInt(minutes)
}
