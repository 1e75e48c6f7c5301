import { Bytes, Hex } from '@firn/codec'
import { Ledger, LedgerState, type Reads, Records } from '@firn/ledger'
import { fetchRows } from '@firn/sql'
import { codeOf } from '@firn/sql/testing'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Accepted } from './Accepted.ts'
import * as SnapshotFile from './SnapshotFile.ts'
import * as StateDigest from './StateDigest.ts'
import type { Network, Store } from './Store.ts'
import { eachDatabase } from './testing/databases.ts'
import { recordedStore } from './testing/recordedStore.ts'
import { follow, load } from './testing/recordings.ts'
import * as Transactions from './transactions/index.ts'
import * as Utxos from './utxos/index.ts'
import { Writer } from './Writer.ts'

const { genesis, constants, chains } = load('local')
const own = { P: chains.P, X: chains.X }
const digest = async (store: Store) => Hex.encode(await StateDigest.of(store))

/** Returns the first blocks, up to the first one of the C-chain. */
function* untilC(state: LedgerState.LedgerState): Iterable<Accepted> {
  for (const block of follow(state, chains)) {
    yield block
    if (block.chain === 'C') return
  }
}

eachDatabase(({ open }) => {
  describe('a database without the C-chain', () => {
    it('can follow it until something was imported, and has the same digest whether the state is windowed or not', async () => {
      const store = await open()
      const openWith = (followsCChain?: boolean) =>
        Writer.resume(store, genesis, constants, undefined, { followsCChain, recent: 0 })
      for (const followsCChain of [false, true, false, undefined]) {
        const { state } = await openWith(followsCChain)
        expect(state.rules.followsCChain).toBe(followsCChain ?? false)
      }
      const { writer, state } = await openWith(false)
      const batch: Accepted[] = []
      for (const block of follow(LedgerState.create(genesis, constants, false), own)) {
        const fetch = (reads: readonly Reads.Read[]) => writer.fetch(reads)
        const changes = await Ledger.applyFetched(state, block.chain, block.bytes, fetch)
        LedgerState.commit(state, changes)
        batch.push({ ...block, changes })
        if (batch.length === 40) await writer.commit(batch.splice(0))
      }
      await writer.commit(batch)
      expect(await digest(store)).toBe(await digest(await recordedStore('local', false)))
      expect(await digest(store)).not.toBe(await digest(await recordedStore('local')))
      expect((await store.network())?.followsCChain).toBe(false)
      expect(await codeOf(openWith(true))).toBe('STORE_C_CHAIN')
    })

    it('is described by its snapshot file', async () => {
      const [source, store] = [await recordedStore('local', false), await open()]
      const frames: Uint8Array[] = []
      await SnapshotFile.write(source, async (frame) => void frames.push(frame))
      const read = async function* () {
        yield* frames
      }
      await SnapshotFile.read(store, read())
      expect((await store.network())?.followsCChain).toBe(false)
      expect(await digest(store)).toBe(await digest(source))
    })

    it('is not made from one that has blocks of the C-chain', async () => {
      const store = await open()
      const { writer, state } = await Writer.open(store, genesis, constants)
      await writer.commit([...untilC(state)])
      const withoutX = { followsXChain: false }
      expect(await codeOf(Writer.open(store, genesis, constants, undefined, withoutX))).toBe('STORE_X_CHAIN')
      const options = { followsCChain: false }
      expect(await codeOf(Writer.open(store, genesis, constants, undefined, options))).toBe('STORE_C_CHAIN')
    })
  })
})

describe('imports from the C-chain without the C-chain', () => {
  it('have the ids, assets and amounts of what they consume, and signers who are among its owners', async () => {
    const [full, store] = await Promise.all([recordedStore('local'), recordedStore('local', false)])
    const network = (await store.network()) as Network
    let count = 0
    for (const chain of ['P', 'X'] as const) {
      const at = await store.snapshot()
      const rows = await fetchRows(
        store,
        sql<{ id: Uint8Array }>`select id from transaction where chain = ${chain}`,
      )
      const ids = rows.map(({ id }) => id)
      const { consumed } = await Utxos.touched(full, await full.snapshot(), ids)
      for (const details of await Transactions.detailsByIds(store, at, chain, ids)) {
        const expected = consumed
          .filter((one) => one.source === 'C' && Bytes.equals(one.consumed?.txId as Uint8Array, details.id))
          .toSorted((a, b) => Bytes.compare(a.txId, b.txId) || a.outputIndex - b.outputIndex)
        const unknown = Transactions.unknownInputs(network, chain, details)
        expect(Transactions.unknownInputs({ ...network, followsCChain: true }, chain, details)).toEqual([])
        expect(unknown.map(({ signatures: _, signers: __, ...known }) => known)).toEqual(
          expected.map(({ id, txId, outputIndex, assetId, amount }) => ({
            id,
            txId,
            outputIndex,
            assetId,
            amount,
          })),
        )
        for (const [i, { signers, signatures }] of unknown.entries()) {
          const { addresses, threshold } = Records.unlocked(expected[i]?.output as Records.Output)
          expect(signatures).toHaveLength(threshold)
          expect(signers).toHaveLength(threshold)
          const owners = addresses.map(Hex.encodeBare)
          for (const signer of signers) expect(owners).toContain(Hex.encodeBare(signer))
        }
        count += unknown.length
      }
    }
    expect(count).toBeGreaterThan(0)
  })

  it('are found by the addresses that signed them', async () => {
    const places = async (followsCChain: boolean) => {
      const rows = await fetchRows(
        await recordedStore('local', followsCChain),
        sql<{
          place: string
        }>`select chain || height || ':' || position || ':' || encode(address, 'hex') as place
          from transaction_address where chain <> 'C'`,
      )
      return rows.map(({ place }) => place).sort()
    }
    // In the recordings, all owners of what is imported have signed.
    expect(await places(false)).toEqual(await places(true))
  })
})
