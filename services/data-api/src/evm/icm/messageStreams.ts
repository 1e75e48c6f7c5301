import { Bytes } from '@firn/codec'
import { EvmIcm } from '@firn/evm-store'
import type { PartialRead } from '../../http/endpoint/List.ts'
import { type IcmChain, knownSources } from './IcmChains.ts'

/** Which messages a list contains. */
export interface MessageFilter {
  readonly source?: Uint8Array | undefined
  readonly destination?: Uint8Array | undefined
  /** Blockchain id of the source or the destination. */
  readonly either?: Uint8Array | undefined
  readonly from?: Uint8Array | undefined
  readonly to?: Uint8Array | undefined
  /** Sender or recipient. */
  readonly address?: Uint8Array | undefined
  /** Times (Unix seconds) from which on, and before which, messages were sent, or received if only that is known. */
  readonly since?: bigint | undefined
  readonly until?: bigint | undefined
}

/** A message and the chain that logged it. */
export interface Found {
  readonly row: EvmIcm.IcmMessage
  readonly chain: IcmChain
}

/** Maximum number of messages that a page examines on each chain. */
const MOST_EXAMINED = 2_000

/** A list of messages that one chain sent or received, newest first. */
interface Stream {
  readonly chain: IcmChain
  readonly isSent: boolean
  readonly where: EvmIcm.IcmQuery['where']
}

/**
 * Returns the messages of all chains, newest first: on the chain that sent them, or on the one that received them if the
 * source does not tell of them. A message counts at the time of that block. Equal times are sorted by chain, then by
 * position, both in descending order.
 * @param chains the chains whose messages are listed
 * @param all all chains
 */
export async function newestMessages(
  { chains, all }: { readonly chains: readonly IcmChain[]; readonly all: readonly IcmChain[] },
  filter: MessageFilter,
  after: readonly string[] | undefined,
  limit: number,
): Promise<PartialRead<Found>> {
  const known = knownSources(all)
  const streams = chains.flatMap((chain) => streamsOf(chain, filter))
  const pages = await Promise.all(
    streams.map((stream) => readStream(stream, { filter, known, after, limit })),
  )
  const stops = pages.flatMap(({ stop }) => (stop === undefined ? [] : [stop])).sort(compareKeys)
  const [stop] = stops
  // An address may be sender and recipient.
  const unique = new Map(pages.flatMap(({ found }) => found).map((one) => [keyOf(one).join(), one]))
  const listed = [...unique.values()]
    .filter((one) => stop === undefined || compareKeys(keyOf(one), stop) <= 0)
    .sort((a, b) => compareKeys(keyOf(a), keyOf(b)))
  const page = listed.slice(0, limit)
  const last = page.at(-1)
  const elements = await withoutSent(page, all)
  const isCut = elements.length < page.length && page.length === limit
  return { elements, stoppedAt: isCut ? last && keyOf(last) : page.length < limit ? stop : undefined }
}

/** Returns the key of a message for a page token. */
export function keyOf({ row, chain }: Found): readonly string[] {
  return keyAt(chain, row)
}

function keyAt({ source }: IcmChain, { time, height, logIndex }: EvmIcm.IcmPlace): readonly string[] {
  return [time, source.chain.chainId, height, logIndex].map(String)
}

/** Sorts keys in descending order. */
function compareKeys(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((value, i) => value !== other[i])
  return at === -1 ? 0 : Number(BigInt(other[at] as string) - BigInt(one[at] as string))
}

function streamsOf(chain: IcmChain, filter: MessageFilter): readonly Stream[] {
  return [true, false].flatMap((isSent) => {
    const route = routeOf(chain.blockchainId, isSent, filter)
    if (route === undefined) return []
    const { from, to, address } = filter
    const parties: [EvmIcm.IcmColumn, Uint8Array][] = []
    if (from !== undefined) parties.push(['sender', from])
    if (to !== undefined) parties.push(['recipient', to])
    const either: EvmIcm.IcmQuery['where'][] =
      address === undefined ? [[]] : [[['sender', address]], [['recipient', address]]]
    return either.map((own) => ({ chain, isSent, where: [...own, ...parties, ...route] }))
  })
}

/**
 * Returns the conditions for the blockchain ids of messages that the chain with an id sent or received; undefined if it
 * has none. What the chain sent has its own id as source, what it received has it as destination.
 */
function routeOf(
  own: Uint8Array | undefined,
  isSent: boolean,
  { source, destination, either }: MessageFilter,
): EvmIcm.IcmQuery['where'] | undefined {
  const [near, far] = isSent ? [source, destination] : [destination, source]
  const isOwn = (id: Uint8Array) => own !== undefined && Bytes.equals(own, id)
  if (near !== undefined && !isOwn(near)) return undefined
  const column = isSent ? 'destination' : 'source'
  const others = [far, either !== undefined && !isOwn(either) ? either : undefined]
  return others.flatMap((id) => (id === undefined ? [] : [[column, id] as const]))
}

interface StreamPage {
  readonly found: readonly Found[]
  readonly stop: readonly string[] | undefined
}

async function readStream(
  { chain, isSent, where }: Stream,
  {
    filter,
    known,
    after,
    limit,
  }: {
    readonly filter: MessageFilter
    readonly known: readonly Uint8Array[]
    readonly after: readonly string[] | undefined
    readonly limit: number
  },
): Promise<StreamPage> {
  const { messages, stoppedAt } = await EvmIcm.page(chain.source.store, chain.at, {
    ...{ isSent, where, limit, mostExamined: MOST_EXAMINED },
    ...(isSent ? {} : { exceptSources: known }),
    since: filter.since,
    after: earlier(placeOf(chain, after), filter.until === undefined ? undefined : endAt(filter.until)),
  })
  const found = messages.map((row) => ({ row, chain }))
  return { found, stop: stoppedAt && keyAt(chain, stoppedAt) }
}

/** Returns the place before the first message at a time. */
function endAt(time: bigint): EvmIcm.IcmPlace {
  return { time, height: 0n, logIndex: 0n }
}

/** Returns the place in a chain at which a page starts. */
function placeOf({ source }: IcmChain, after: readonly string[] | undefined): EvmIcm.IcmPlace | undefined {
  if (after === undefined) return undefined
  const [time = 0n, chainId = 0n, height = 0n, logIndex = 0n] = after.map(BigInt)
  const own = source.chain.chainId
  if (own === chainId) return { time, height, logIndex }
  return endAt(own < chainId ? time + 1n : time)
}

function earlier(
  one: EvmIcm.IcmPlace | undefined,
  other: EvmIcm.IcmPlace | undefined,
): EvmIcm.IcmPlace | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return one.time < other.time || (one.time === other.time && one.height <= other.height) ? one : other
}

/** Returns the messages without those that were received, but are listed where they were sent. */
async function withoutSent(page: readonly Found[], all: readonly IcmChain[]): Promise<readonly Found[]> {
  const received = page.filter(({ row }) => !row.isSent)
  if (received.length === 0) return page
  const sources = all.filter(({ blockchainId }) =>
    received.some(({ row }) => blockchainId !== undefined && Bytes.equals(blockchainId, row.source)),
  )
  const ids = received.map(({ row }) => row.messageId)
  const sent = await Promise.all(sources.map(({ source, at }) => EvmIcm.byIds(source.store, at, ids)))
  const isSent = new Set(sent.flat().flatMap((row) => (row.isSent ? [row.messageId.join()] : [])))
  return page.filter(({ row }) => row.isSent || !isSent.has(row.messageId.join()))
}
