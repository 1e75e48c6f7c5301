import type { Utxos } from '@firn/store'
import fc from 'fast-check'
import type { Cursor, Entry, Lists, Page, PageRequest } from '../utxos/Paging.ts'

/** A UTXO with several owners. It is created at one height, and may be consumed at a later height. */
export interface TestUtxo {
  readonly id: Uint8Array
  readonly owners: readonly Uint8Array[]
  readonly height: bigint
  readonly ordinal: number
  readonly consumedHeight: bigint | undefined
}

const bytes = (length: number, value: number) => new Uint8Array(length).fill(value)

/** The addresses from which UTXO owners are drawn. */
export const ADDRESSES: readonly Uint8Array[] = [3, 200, 7, 90].map((value) => bytes(20, value))

/**
 * Generates UTXOs with few different heights and addresses, so that many UTXOs share a height and an address.
 */
export const utxos: fc.Arbitrary<readonly TestUtxo[]> = fc
  .array(
    fc.record({
      owners: fc.subarray([...ADDRESSES], { minLength: 1 }),
      height: fc.bigInt(0n, 4n),
      age: fc.option(fc.bigInt(1n, 4n), { nil: undefined }),
    }),
    { maxLength: 24 },
  )
  .map((made) =>
    made.map(({ owners, height, age }, ordinal) => ({
      id: bytes(32, ordinal + 1),
      owners,
      height,
      ordinal,
      consumedHeight: age === undefined ? undefined : height + age,
    })),
  )

/** Generates page requests with arbitrary starts, including the id of a UTXO that does not exist. */
export const request: fc.Arbitrary<PageRequest> = fc.record({
  addresses: fc.shuffledSubarray([...ADDRESSES]),
  start: fc.option(
    fc.record({
      address: fc.constantFrom(...ADDRESSES, bytes(20, 0), bytes(20, 50), bytes(20, 255)),
      utxoId: fc.integer({ min: 0, max: 26 }).map((value) => bytes(32, value)),
    }),
    { nil: undefined },
  ),
  limit: fc.integer({ min: 1, max: 9 }),
})

/** Returns whether a UTXO exists at a height. */
export function isLive({ height, consumedHeight }: TestUtxo, at: bigint): boolean {
  return height <= at && (consumedHeight === undefined || consumedHeight > at)
}

/** Returns the UTXOs of an address at a height, newest first. */
export function listOf(allUtxos: readonly TestUtxo[], at: bigint, address: Uint8Array): Entry[] {
  return allUtxos
    .filter((utxo) => isLive(utxo, at) && utxo.owners.some((owner) => same(owner, address)))
    .toSorted((a, b) => Number(b.height - a.height) || b.ordinal - a.ordinal)
    .map(({ id, height, ordinal }) => ({ address, id, height, ordinal }))
}

/** Returns the UTXO lists of all addresses at a height. */
export function lists(allUtxos: readonly TestUtxo[], at: bigint): Lists<Entry> {
  const isBehind = (entry: Entry, after: Utxos.Age | undefined) =>
    after === undefined ||
    entry.height < after.height ||
    (entry.height === after.height && entry.ordinal < after.ordinal)
  return {
    list: async (addresses, after, limit) =>
      addresses
        .flatMap((address, i) =>
          listOf(allUtxos, at, address).filter((entry) => isBehind(entry, i === 0 ? after : undefined)),
        )
        .slice(0, limit),
    ageOf: async (address, utxoId) => listOf(allUtxos, at, address).find(({ id }) => same(id, utxoId)),
  }
}

/**
 * Computes a page of UTXOs that were created on the chain itself, with the node's algorithm. It takes up to
 * `limit` ids from each list and skips duplicates.
 */
export function nativeByTheNode(allUtxos: readonly TestUtxo[], at: bigint, page: PageRequest): Page<Entry> {
  let { address, utxoId } = startOf(page)
  const found: Entry[] = []
  for (const owner of sorted(page)) {
    const comparison = Buffer.compare(owner, startOf(page).address)
    if (comparison < 0) continue
    const start = comparison === 0 ? startOf(page).utxoId : undefined
    address = owner
    const list = listOf(allUtxos, at, owner)
    const position = start === undefined ? -1 : list.findIndex(({ id }) => same(id, start))
    for (const entry of list.slice(position + 1, position + 1 + page.limit)) {
      utxoId = entry.id
      if (found.some(({ id }) => same(id, entry.id))) continue
      found.push(entry)
      if (found.length === page.limit) return { utxos: found, end: { address, utxoId } }
    }
  }
  return { utxos: found, end: { address, utxoId } }
}

/** Computes a page of UTXOs that another chain exported, with the node's algorithm. */
export function atomicByTheNode(allUtxos: readonly TestUtxo[], at: bigint, page: PageRequest): Page<Entry> {
  let { address, utxoId: key } = startOf(page)
  let last = key
  const found: Entry[] = []
  for (const owner of sorted(page)) {
    const comparison = Buffer.compare(owner, startOf(page).address)
    if (comparison < 0) continue
    if (comparison > 0) key = bytes(32, 0)
    address = owner
    last = key
    const list = listOf(allUtxos, at, owner)
    const from = Math.max(
      0,
      list.findIndex(({ id }) => same(id, key)),
    )
    for (const entry of list.slice(from)) {
      if (found.length === page.limit) break
      last = entry.id
      if (!found.some(({ id }) => same(id, entry.id))) found.push(entry)
    }
    if (found.length === page.limit) break
  }
  return { utxos: found, end: { address, utxoId: last } }
}

function startOf({ start }: PageRequest): Cursor {
  return start ?? { address: bytes(20, 0), utxoId: bytes(32, 0) }
}

function sorted({ addresses }: PageRequest): Uint8Array[] {
  return addresses.toSorted(Buffer.compare)
}

/** Returns whether two byte arrays are equal. */
export function same(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}
