import type { Utxos } from '@firn/store'

/** Position of a UTXO in the lists of addresses, at which a page starts or ends. */
export interface Cursor {
  /** The address in whose list the UTXO is, 20 bytes. */
  readonly address: Uint8Array
  /** The id of a UTXO, 32 bytes. */
  readonly utxoId: Uint8Array
}

/** UTXOs by address on one chain, newest first. */
export interface Lists<E extends Entry> {
  /**
   * Returns at most `limit` entries from the lists of the addresses, one list after the other. In the first
   * list, the entries up to `after` are skipped.
   */
  list(addresses: readonly Uint8Array[], after: Utxos.Age | undefined, limit: number): Promise<readonly E[]>
  /**
   * Returns the position of a UTXO in the list of an address; undefined if the list does not contain the
   * UTXO.
   */
  ageOf(address: Uint8Array, utxoId: Uint8Array): Promise<Utxos.Age | undefined>
}

/** An entry of a page. */
export type Entry = Pick<Utxos.OwnedUtxo, 'address' | 'id' | 'height' | 'ordinal'>

/** A page of distinct UTXOs and the cursor for the next page. */
export interface Page<E> {
  readonly utxos: readonly E[]
  readonly end: Cursor
}

/** Parameters of a page. */
export interface PageRequest {
  /** Addresses in any order, without duplicates. */
  readonly addresses: readonly Uint8Array[]
  readonly start: Cursor | undefined
  readonly limit: number
}

/** Start of the first page, before all UTXOs. */
export const BEGIN: Cursor = { address: new Uint8Array(20), utxoId: new Uint8Array(32) }

/**
 * Returns a page of the UTXOs that were created on the chain itself. It starts after the UTXO at `request.start` or,
 * if that UTXO no longer exists, at the head of the list of its address. A UTXO that several of the addresses own can
 * appear again on a later page, but not twice on the same page. Source: avalanchego
 * `vms/components/avax/utxo_fetching.go`.
 */
export async function native<E extends Entry>(lists: Lists<E>, request: PageRequest): Promise<Page<E>> {
  const { addresses, start } = begin(request)
  const after = await ageOfStart(lists, addresses, start)
  const { utxos, last } = await collect(lists, addresses, after, request.limit)
  const full = utxos.length === request.limit
  const address = full && last !== undefined ? last.address : (addresses.at(-1) ?? start.address)
  return { utxos, end: { address, utxoId: last?.id ?? start.utxoId } }
}

/**
 * Returns a page of the UTXOs that another chain exported. The page includes the UTXO at its start, so the
 * last UTXO of a page is the first of the next page. Source: avalanchego `chains/atomic/state.go`.
 */
export async function atomic<E extends Entry>(lists: Lists<E>, request: PageRequest): Promise<Page<E>> {
  const { addresses, start } = begin(request)
  const at = await ageOfStart(lists, addresses, start)
  const after = at && { height: at.height, ordinal: at.ordinal + 1 }
  const { utxos, last } = await collect(lists, addresses, after, request.limit)
  const full = utxos.length === request.limit
  const address = full && last !== undefined ? last.address : (addresses.at(-1) ?? start.address)
  if (last !== undefined && same(last.address, address)) return { utxos, end: { address, utxoId: last.id } }
  return { utxos, end: { address, utxoId: same(address, start.address) ? start.utxoId : BEGIN.utxoId } }
}

/** A page and the start of the next page, which is undefined at the end. */
export interface HalfOpenPage<E> {
  readonly utxos: readonly E[]
  readonly next: Cursor | undefined
}

/**
 * Returns a page of the UTXOs that another chain exported, as the C-chain does since Helicon. The next page
 * starts with the first UTXO that is not on this page. Source: avalanchego `vms/saevm/cchain/api.go`.
 */
export async function halfOpen<E extends Entry>(
  lists: Lists<E>,
  request: PageRequest,
): Promise<HalfOpenPage<E>> {
  const { limit } = request
  const { utxos, end } = await atomic(lists, { ...request, limit: limit + 1 })
  return { utxos: utxos.slice(0, limit), next: utxos.length > limit ? end : undefined }
}

/** Returns the start of the page and the sorted addresses from the start on. */
function begin({ addresses, start = BEGIN }: PageRequest): { addresses: Uint8Array[]; start: Cursor } {
  const sorted = addresses.toSorted(Buffer.compare)
  return { addresses: sorted.filter((address) => Buffer.compare(address, start.address) >= 0), start }
}

async function ageOfStart<E extends Entry>(
  lists: Lists<E>,
  addresses: readonly Uint8Array[],
  { address, utxoId }: Cursor,
): Promise<Utxos.Age | undefined> {
  const isFirst = addresses[0] !== undefined && same(addresses[0], address)
  return isFirst && !same(utxoId, BEGIN.utxoId) ? lists.ageOf(address, utxoId) : undefined
}

/**
 * Collects entries of the lists and skips duplicates. Also returns the last entry that was read, even if it
 * was skipped.
 */
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
