import { Hex } from '@firn/codec'
import { IcmEvents, type TeleporterMessage } from '@firn/evm'
import { EvmIcm } from '@firn/evm-store'
import type { IcmChain } from './IcmChains.ts'
import type { Found } from './messageStreams.ts'

/** Something that happened to a message, and the chain that logged it. */
export interface Happened {
  readonly event: EvmIcm.IcmEvent
  readonly chain: IcmChain
}

/** A message with everything that the followed chains logged about it. At least one of `sent` and `received` is there. */
export interface Message {
  readonly sent: Found | undefined
  readonly received: Found | undefined
  /** The events of the chains that sent and received it, in order for each chain. */
  readonly events: readonly Happened[]
  readonly content: TeleporterMessage.TeleporterMessage
}

/**
 * Returns the messages with ids, in the order of the ids, with at most `most` events of each kind. Ids that no chain knows
 * are left out.
 */
export async function loadMessages(
  chains: readonly IcmChain[],
  ids: readonly Uint8Array[],
  most: number,
): Promise<readonly Message[]> {
  if (ids.length === 0) return []
  const found = await Promise.all(
    chains.map(async (chain) => {
      const rows = await EvmIcm.byIds(chain.source.store, chain.at, ids)
      const events = await EvmIcm.eventsOf(chain.source.store, chain.at, keysOf(rows), most)
      return { rows: rows.map((row) => ({ row, chain })), events: events.map((event) => ({ event, chain })) }
    }),
  )
  const rows = Map.groupBy(
    found.flatMap((one) => one.rows),
    ({ row }) => Hex.encodeBare(row.messageId),
  )
  const events = Map.groupBy(
    found.flatMap((one) => one.events),
    ({ event }) => Hex.encodeBare(event.messageId as Uint8Array),
  )
  return ids.flatMap((id) => {
    const key = Hex.encodeBare(id)
    const own = rows.get(key) ?? []
    const sent = own.find(({ row }) => row.isSent)
    const received = own.find(({ row }) => !row.isSent)
    const content = contentOf(sent, received)
    return content === undefined ? [] : [{ sent, received, events: events.get(key) ?? [], content }]
  })
}

/** Returns each message once, even if the chain sent it to itself. */
function keysOf(rows: readonly EvmIcm.IcmMessage[]): readonly EvmIcm.IcmKey[] {
  return [...new Map(rows.map((row) => [Hex.encodeBare(row.messageId), row])).values()]
}

function contentOf(sent: Found | undefined, received: Found | undefined) {
  if (sent !== undefined) return IcmEvents.messageOf(sent.row.body)
  return received && IcmEvents.messageOfDelivery(received.row.body)
}

/** Returns the row of a message that tells its route and its parties. */
export function rowOf({ sent, received }: Pick<Message, 'sent' | 'received'>): EvmIcm.IcmMessage {
  return (sent ?? received)?.row as EvmIcm.IcmMessage
}

/** Returns the newest event of a kind. */
export function newest({ events }: Message, kind: EvmIcm.IcmEvent['kind']): EvmIcm.IcmEvent | undefined {
  return events.findLast(({ event }) => event.kind === kind)?.event
}

/** Returns the token and the amount of a message's fee; the amount includes what was added. */
export function feeOf(message: Message): { readonly token: Uint8Array; readonly amount: bigint } | undefined {
  const row = message.sent?.row
  if (row === undefined || row.feeToken === null || row.feeAmount === null) return undefined
  return { token: row.feeToken, amount: newest(message, 'feeAdded')?.feeAmount ?? row.feeAmount }
}
