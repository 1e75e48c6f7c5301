import { addressActivity } from './AddressActivity.ts'
import { icmUndelivered } from './IcmUndelivered.ts'
import type { Kind } from './Kind.ts'
import { primaryAddressActivity } from './PrimaryAddressActivity.ts'
import { validatorActivity } from './ValidatorActivity.ts'

/** All kinds of webhooks, by the kind of their events in requests, answers and messages. */
export const KINDS = {
  address_activity: addressActivity,
  primary_network_address_activity: primaryAddressActivity,
  validator_activity: validatorActivity,
  icm_undelivered: icmUndelivered,
} satisfies Readonly<Record<string, Kind>>

export type EventType = keyof typeof KINDS

/** The webhooks of a source in memory, as the kind stores them. */
export type IndexOf<T extends EventType> = ReturnType<(typeof KINDS)[T]['index']['create']>

export const EVENT_TYPES = Object.keys(KINDS) as readonly EventType[]

/** The kinds of events that the official client knows. */
export const OFFICIAL_EVENT_TYPES: readonly EventType[] = EVENT_TYPES.filter((type) => KINDS[type].isOfficial)

/** Returns whether this version has a kind. A newer one may store others in the same database. */
export const isEventType = (text: string): text is EventType => Object.hasOwn(KINDS, text)

/** Returns the kind of a stored webhook. */
export const kindOf = (type: string): Kind => KINDS[type as EventType]
