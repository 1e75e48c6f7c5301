import { CHAIN_ALIASES, Hex } from '@firn/codec'
import type { LedgerState, Records } from '@firn/ledger'
import { expect, test } from 'vitest'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'
import { eachDatabase } from '../testing/databases.ts'
import { follow, load } from '../testing/recordings.ts'
import { Writer } from '../Writer.ts'
import * as Utxos from './index.ts'

const { genesis, constants, chains } = load('local')
const PLACES: readonly Utxos.Place[] = CHAIN_ALIASES.flatMap((chain) =>
  CHAIN_ALIASES.map((source) => ({ chain, source })),
)

/** Ids of UTXOs by chain and owner, newest first, as a reader sees them. */
type Lists = Readonly<Record<string, readonly string[]>>

const keyOf = ({ chain, source }: Utxos.Place, owner: string) => `${source} to ${chain} of ${owner}`

/** Returns the unspent UTXOs in the ledger's state. */
function held({ tables }: LedgerState.LedgerState): Lists {
  const lists: Record<string, Records.Utxo[]> = {}
  for (const utxo of tables.utxo.ordered())
    for (const owner of ownersOf(utxo)) {
      const key = keyOf(utxo, Hex.encode(owner))
      lists[key] = [...(lists[key] ?? []), utxo]
    }
  const sorted = Object.entries(lists).map(([key, list]) => [
    key,
    list
      .toSorted((a, b) => Number(b.height - a.height) || b.ordinal - a.ordinal)
      .map(({ id }) => Hex.encode(id)),
  ])
  return Object.fromEntries(sorted)
}

function ownersOf({ utxo: { output } }: Records.Utxo): readonly Uint8Array[] {
  return output.type === 'LockOut' ? output.output.addresses : output.addresses
}

/** Returns the UTXOs that a reader finds at a snapshot. */
async function found(store: Store, at: Snapshot, owners: ReadonlySet<string>): Promise<Lists> {
  const lists: Record<string, string[]> = {}
  const addresses = [...owners].map(Hex.decode)
  for (const place of PLACES) {
    const query = { ...place, addresses, after: undefined, limit: 10_000 }
    for (const { address, id } of await Utxos.list(store, at, query)) {
      const key = keyOf(place, Hex.encode(address))
      lists[key] = [...(lists[key] ?? []), Hex.encode(id)]
    }
  }
  return lists
}

eachDatabase(({ open }) => {
  test('returns the same UTXOs as the ledger at each snapshot, even after the chains have advanced', async () => {
    const store = await open()
    const { writer, state } = await Writer.open(store, genesis, constants)
    const owners = new Set<string>()
    const seen: { readonly at: Snapshot; readonly lists: Lists }[] = []
    const note = async (): Promise<void> => {
      const lists = held(state)
      for (const utxo of state.tables.utxo.ordered())
        for (const owner of ownersOf(utxo)) owners.add(Hex.encode(owner))
      const at = await store.snapshot()
      expect(await found(store, at, owners), at.key).toEqual(lists)
      seen.push({ at, lists })
    }
    await note()
    let batch = []
    for (const block of follow(state, chains)) {
      batch.push(block)
      if (batch.length < 25) continue
      await writer.commit(batch)
      batch = []
      await note()
    }
    await writer.commit(batch)
    await note()
    expect(seen.length).toBeGreaterThan(7)
    for (const { at, lists } of seen) expect(await found(store, at, owners), at.key).toEqual(lists)
  })
})
