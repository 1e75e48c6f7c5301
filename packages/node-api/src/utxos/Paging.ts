import type { Utxos } from '@firn/store'

/** Where a page ends, or behind which the next begins. */
export interface Cursor {
  /** 20 bytes. */
  readonly address: Uint8Array
  /** The id of a UTXO, 32 bytes. */
  readonly utxoID: Uint8Array
}

/** The lists of UTXOs of a chain's addresses, each with its newest first. */
export interface Lists<E extends Entry> {
  /** The lists one after the other, the first from behind `after`; at most `limit` entries in all. */
  list(addresses: readonly Uint8Array[], after: Utxos.Age | undefined, limit: number): Promise<readonly E[]>
  /** Where in the list of an address a UTXO is; undefined where it isn't. */
  ageOf(address: Uint8Array, utxoId: Uint8Array): Promise<Utxos.Age | undefined>
}

/** What pages are made of. */
export type Entry = Pick<Utxos.Listed, 'address' | 'id' | 'height' | 'ordinal'>

/** Some UTXOs, each once, and where to go on. */
export interface Page<E> {
  readonly utxos: readonly E[]
  readonly end: Cursor
}

/** What a page is asked for with. */
export interface PageRequest {
  /** In any order, none twice. */
  readonly addresses: readonly Uint8Array[]
  readonly start: Cursor | undefined
  readonly limit: number
}

/** Where a request without a start begins: before everything. */
export const BEGIN: Cursor = { address: new Uint8Array(20), utxoID: new Uint8Array(32) }

/**
 * A page of the UTXOs that were made on the chain itself. It goes on behind the start, or from the head of the start's list when
 * that UTXO is there no more; a UTXO with several of the addresses comes again on a later page, but not on this one.
 * Source: avalanchego `vms/components/avax/utxo_fetching.go`.
 */
export async function native<E extends Entry>(lists: Lists<E>, request: PageRequest): Promise<Page<E>> {
  const { addresses, start } = begin(request)
  const after = await ageOfStart(lists, addresses, start)
  const { utxos, last } = await collect(lists, addresses, after, request.limit)
  const full = utxos.length === request.limit
  const address = full && last !== undefined ? last.address : (addresses.at(-1) ?? start.address)
  return { utxos, end: { address, utxoID: last?.id ?? start.utxoID } }
}

/**
 * A page of the UTXOs that another chain exported. It begins with the start itself, so that the last UTXO of a page is the first of
 * the next. Source: avalanchego `chains/atomic/state.go`.
 */
export async function atomic<E extends Entry>(lists: Lists<E>, request: PageRequest): Promise<Page<E>> {
  const { addresses, start } = begin(request)
  const at = await ageOfStart(lists, addresses, start)
  const after = at && { height: at.height, ordinal: at.ordinal + 1 }
  const { utxos, last } = await collect(lists, addresses, after, request.limit)
  const full = utxos.length === request.limit
  const address = full && last !== undefined ? last.address : (addresses.at(-1) ?? start.address)
  if (last !== undefined && same(last.address, address)) return { utxos, end: { address, utxoID: last.id } }
  return { utxos, end: { address, utxoID: same(address, start.address) ? start.utxoID : BEGIN.utxoID } }
}

/** A page that tells where the next begins: undefined at the end. */
export interface HalfOpenPage<E> {
  readonly utxos: readonly E[]
  readonly next: Cursor | undefined
}

/**
 * A page of the UTXOs that another chain exported, as the C-chain makes them since Helicon: the next one begins with the first UTXO
 * that isn't on this one. Source: avalanchego `vms/saevm/cchain/api.go`.
 */
export async function halfOpen<E extends Entry>(
  lists: Lists<E>,
  request: PageRequest,
): Promise<HalfOpenPage<E>> {
  const { limit } = request
  const { utxos, end } = await atomic(lists, { ...request, limit: limit + 1 })
  return { utxos: utxos.slice(0, limit), next: utxos.length > limit ? end : undefined }
}

/** The addresses that the start leaves, in the order of their bytes. */
function begin({ addresses, start = BEGIN }: PageRequest): { addresses: Uint8Array[]; start: Cursor } {
  const sorted = addresses.toSorted(Buffer.compare)
  return { addresses: sorted.filter((address) => Buffer.compare(address, start.address) >= 0), start }
}

async function ageOfStart<E extends Entry>(
  lists: Lists<E>,
  addresses: readonly Uint8Array[],
  { address, utxoID: utxoId }: Cursor,
): Promise<Utxos.Age | undefined> {
  const isFirst = addresses[0] !== undefined && same(addresses[0], address)
  return isFirst && !same(utxoId, BEGIN.utxoID) ? lists.ageOf(address, utxoId) : undefined
}

/** Takes what the lists hold, without what was taken before, and tells what it saw last: taken or not. */
async function collect<E extends Entry>(
  lists: Lists<E>,
  addresses: readonly Uint8Array[],
  start: Utxos.Age | undefined,
  limit: number,
): Promise<{ utxos: E[]; last: E | undefined }> {
  const utxos: E[] = []
  const seen = new Set<string>()
  let last: E | undefined
  let rest = addresses
  let after = start
  while (rest.length > 0) {
    const entries = await lists.list(rest, after, limit)
    for (const entry of entries) {
      last = entry
      const key = Buffer.from(entry.id.buffer, entry.id.byteOffset, entry.id.length).toString('latin1')
      if (seen.has(key)) continue
      seen.add(key)
      utxos.push(entry)
      if (utxos.length === limit) return { utxos, last }
    }
    if (last === undefined || entries.length < limit) break
    const { address } = last
    rest = rest.slice(rest.findIndex((candidate) => same(candidate, address)))
    after = last
  }
  return { utxos, last }
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}
