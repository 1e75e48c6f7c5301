import type { WebhookQueue } from '@firn/service-store'

/** How far a reader has read the messages of a webhook. */
export interface Cursor {
  /** Place of the last message. */
  readonly place: WebhookQueue.DeliveryPlace
  /** Time in Unix milliseconds of which all messages up to the place were read. */
  readonly readMs: number
}

/** Place before all messages. */
export const START: WebhookQueue.DeliveryPlace = { sequence: 0n, position: 0 }

/** Returns the text of a cursor. */
export function format({ place, readMs }: Cursor): string {
  return `${place.sequence}.${place.position}.${Math.floor(readMs)}`
}

/** Returns the cursor of a text, or undefined if the text is none. `0` is the cursor before the oldest kept message. */
export function parse(text: string): Cursor | undefined {
  if (text === '0') return { place: START, readMs: Number.POSITIVE_INFINITY }
  const [matched, sequence = '', position = '', readMs = ''] =
    /^([0-9]{1,18})\.([0-9]{1,9})\.([0-9]{1,15})$/.exec(text) ?? []
  if (matched === undefined) return undefined
  return { place: { sequence: BigInt(sequence), position: Number(position) }, readMs: Number(readMs) }
}
