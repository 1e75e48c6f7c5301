import type { InventedParts } from '@firn/evm/testing'

/** A webhook for an EVM chain, as far as it decides which messages are sent. For tests only. */
export interface Filter {
  readonly id: string
  /** Addresses in lower case. */
  readonly addresses: readonly string[]
  /** Hashes of event signatures; empty if any activity counts. */
  readonly signatures: readonly string[]
}

/** A message, as far as it tells the order. For tests only. */
export interface Told {
  readonly id: string
  readonly removed: boolean
  readonly blockHash: string
  readonly height: number
  readonly index: number
}

/**
 * Returns the addresses in each transaction of a block, each with the signatures of its logs, from the JSON of a node. For
 * tests only.
 */
export function activityIn({
  block,
  receipts,
  traces,
}: InventedParts): readonly ReadonlyMap<string, ReadonlySet<string>>[] {
  // biome-ignore lint/suspicious/noExplicitAny: the JSON of a node
  const transactions = block['transactions'] as any[]
  return transactions.map((transaction, i) => {
    const found = new Map<string, Set<string>>()
    const put = (address: string | null | undefined, signature?: string) => {
      if (typeof address !== 'string') return
      const own = found.get(address.toLowerCase()) ?? new Set()
      found.set(address.toLowerCase(), own)
      if (signature !== undefined) own.add(signature)
    }
    put(transaction.from)
    put(transaction.to)
    // biome-ignore lint/suspicious/noExplicitAny: the JSON of a node
    const receipt = receipts[i] as any
    // A failed creation has an address, too, at which nothing was created.
    if (receipt.status === '0x1') put(receipt.contractAddress)
    for (const { address, topics } of receipt.logs) {
      put(address, topics[0])
      for (const topic of topics.slice(1)) if (/^0x0{24}/.test(topic)) put(`0x${topic.slice(26)}`, topics[0])
    }
    // biome-ignore lint/suspicious/noExplicitAny: the JSON of a node
    const walk = (call: any) => {
      for (const inner of call.calls ?? []) {
        put(inner.from)
        put(inner.to)
        walk(inner)
      }
    }
    // biome-ignore lint/suspicious/noExplicitAny: the JSON of a node
    walk((traces[i] as any).result ?? traces[i])
    return found
  })
}

function matches(
  { addresses, signatures }: Filter,
  activity: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  return addresses.some((address) => {
    const emitted = activity.get(address)
    if (emitted === undefined) return false
    return signatures.length === 0 || signatures.some((signature) => emitted.has(signature))
  })
}

/**
 * Replays the messages of a webhook without repetitions. Returns the transactions that are there at the end, each as the
 * block's hash and the index. For tests only.
 * @throws RangeError unless messages are in the order of the chain, and each removal removes the newest
 *   transaction that is there
 */
export function live(messages: readonly Told[]): readonly string[] {
  const seen = new Set<string>()
  const there: Told[] = []
  for (const told of messages) {
    if (seen.has(told.id)) continue
    seen.add(told.id)
    const last = there.at(-1)
    if (told.removed) {
      if (last === undefined || placeOf(last) !== placeOf(told))
        throw new RangeError(`${placeOf(told)} was removed, but ${last && placeOf(last)} is the newest`)
      there.pop()
      continue
    }
    const isLater =
      last === undefined ||
      told.height > last.height ||
      (told.height === last.height && told.index > last.index)
    if (!isLater)
      throw new RangeError(`height ${told.height}, ${told.index} came after ${last.height}, ${last.index}`)
    there.push(told)
  }
  return there.map(placeOf)
}

/** Returns the transactions in blocks about which each webhook must get a message, as {@link live} does. For tests only. */
export function expectedOf(
  blocks: readonly InventedParts[],
  filters: readonly Filter[],
): ReadonlyMap<string, readonly string[]> {
  const expected = new Map<string, string[]>(filters.map(({ id }) => [id, []]))
  for (const parts of blocks)
    activityIn(parts).forEach((activity, index) => {
      for (const one of filters)
        if (matches(one, activity))
          expected.get(one.id)?.push(placeOf({ blockHash: parts.block.hash, index }))
    })
  return expected
}

const placeOf = ({ blockHash, index }: Pick<Told, 'blockHash' | 'index'>) => `${blockHash} ${index}`
