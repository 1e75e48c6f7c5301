import { Hex } from '@firn/codec'
import { type Change, Ledger, LedgerState, Vertices as LedgerVertices } from '@firn/ledger'
import { AvmTx } from '@firn/txs'
import { describe, expect, test } from 'vitest'
import type { AcceptedVertices } from '../Accepted.ts'
import * as Blocks from '../blocks/index.ts'
import * as StateDigest from '../StateDigest.ts'
import type { Store } from '../Store.ts'
import { eachDatabase } from '../testing/databases.ts'
import { type InventedDag, inventedDag, storeDag } from '../testing/inventedDag.ts'
import { load, type Recorded } from '../testing/recordings.ts'
import { contents } from '../testing/states.ts'
import * as Transactions from '../transactions/index.ts'
import { type OpenResult, Writer } from '../Writer.ts'
import * as Vertices from './Vertices.ts'

const DAG = inventedDag(load('local'), { transactions: 24, seed: 3 })

/** Opens the writer of a network, as a process does when it starts. */
function start(store: Store, { genesis, constants }: InventedDag): Promise<OpenResult> {
  return Writer.open(store, genesis, constants)
}

/** Applies vertices and stores them. Returns the progress after them. */
async function advance(
  store: Store,
  { writer, state }: OpenResult,
  progress: LedgerVertices.Progress,
  given: readonly Uint8Array[],
): Promise<LedgerVertices.Progress> {
  const vertices = given.map((bytes) => LedgerVertices.decode(bytes, state.rules.chainIds.X))
  const known = await Vertices.known(store, vertices)
  const applied = LedgerVertices.apply(state, progress, vertices, known)
  await writer.commit([entry(applied)])
  LedgerState.commit(state, applied.changes)
  return applied.progress
}

function entry({ vertices, changes, progress }: LedgerVertices.Applied): AcceptedVertices {
  return { chain: 'X', vertices, changes, progress }
}

async function accept({ writer, state }: OpenResult, block: Recorded): Promise<readonly Change.Change[]> {
  const changes = Ledger.apply(state, block.chain, block.bytes)
  await writer.commit([{ ...block, changes }])
  LedgerState.commit(state, changes)
  return changes
}

/**
 * Stores a whole network in batches of `size` vertices. The writer is opened again before each batch if `restarts` is
 * set. `pause` is the number of batches before the first P-chain block that the vertices allow.
 */
async function fill(
  store: Store,
  dag: InventedDag,
  size: number,
  restarts: boolean,
  pause = 0,
): Promise<string> {
  let opened = await start(store, dag)
  let progress = opened.vertices
  const left = [...dag.vertices]
  const blocks = [...dag.chains.P]
  for (let step = 0; left.length > 0 || !LedgerVertices.isDone(opened.state.rules, progress); step++) {
    if (restarts) {
      opened = await start(store, dag)
      expect(opened.vertices).toEqual(progress)
      progress = opened.vertices
    }
    progress = await advance(store, opened, progress, left.splice(0, size))
    if (step < pause) continue
    try {
      while (blocks.length > 0) {
        await accept(opened, blocks[0] as Recorded)
        blocks.shift()
      }
    } catch {
      // The block imports an output of a vertex that is not applied yet.
    }
  }
  for (const block of [...blocks, ...dag.chains.X]) await accept(opened, block)
  expect(contents((await start(store, dag)).state)).toEqual(contents(opened.state))
  return Hex.encode(await StateDigest.of(store))
}

eachDatabase(({ open }) => {
  describe('vertices in the database', () => {
    test('lead to the same digest in any batches, with restarts between them, and whenever blocks arrive', async () => {
      const expected = await fill(await open(), DAG, DAG.vertices.length, false)
      expect(await fill(await open(), DAG, 7, true, 3)).toBe(expected)
    })

    test('change the digest', async () => {
      const [store, other] = [await open(), await open()]
      const opened = await start(store, DAG)
      await start(other, DAG)
      await advance(store, opened, opened.vertices, DAG.vertices.slice(0, 1))
      expect(Hex.encode(await StateDigest.of(store))).not.toBe(Hex.encode(await StateDigest.of(other)))
    })

    test('are found by id and position, and by their transactions', async () => {
      const store = await open()
      await fill(store, DAG, 20, false)
      const all = await Vertices.range(store, 0, DAG.vertices.length)
      expect(all.map(({ bytes }) => Hex.encode(bytes))).toEqual(
        DAG.vertices.map((bytes) => Hex.encode(bytes)),
      )
      const last = all.at(-1) as Vertices.Vertex
      expect(await Vertices.byId(store, last.id)).toEqual(last)
      expect(await Vertices.byId(store, new Uint8Array(32))).toBeUndefined()
      const { first, ...extent } = await Vertices.extent(store)
      expect(extent).toEqual({ vertices: DAG.vertices.length, transactions: DAG.transactions })
      const at = await store.snapshot()
      const decoded = all.map(({ bytes }) => LedgerVertices.decode(bytes, DAG.genesis.xChain.blockchainId))
      const ids = new Map(decoded.flatMap(({ txs }) => txs.map((tx) => [Hex.encode(tx.id), tx.id] as const)))
      const places = new Map<number, string>()
      for (const [name, id] of ids) {
        const stored = await Transactions.byId(store, at, 'X', id)
        expect([stored?.height, stored?.name]).toEqual([
          0n,
          AvmTx.decode(stored?.bytes ?? id).unsignedTx.type,
        ])
        places.set(stored?.position ?? -1, name)
      }
      expect([...places.keys()].toSorted((a, b) => a - b)).toEqual([...ids].map((_, i) => first + i))
      const found = await Vertices.ofTransactions(store, [...places.keys()])
      for (const [position, name] of places) {
        const vertices = decoded.filter(({ txs }) => txs.some(({ id }) => Hex.encode(id) === name))
        expect(found.get(position)?.map(({ id }) => Hex.encode(id))).toEqual(
          vertices.map(({ id }) => Hex.encode(id)),
        )
      }
    })

    test('are not counted among the transactions of block 0', async () => {
      const store = await open()
      await storeDag(store, DAG)
      const ids = await Blocks.transactionIds(store, await store.snapshot(), 'X', [0n, 1n])
      expect(ids.get(0n)).toHaveLength(LedgerVertices.start(DAG.genesis, DAG.constants).position)
      expect(ids.get(1n)).toHaveLength(1)
    })

    test('are refused after block 1, and by a writer whose last vertices are lost', async () => {
      const store = await open()
      const opened = await start(store, DAG)
      const progress = await advance(store, opened, opened.vertices, DAG.vertices.slice(0, 2))
      await store.driver.transaction((session) => session.query('delete from vertex where position = 1'))
      const again = { chain: 'X', vertices: [], changes: [], progress } as const
      await expect(opened.writer.commit([again])).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
      const full = await open()
      await fill(full, DAG, 100, false)
      const after = await start(full, DAG)
      const none = { chain: 'X', vertices: [], changes: [], progress: after.vertices } as const
      await expect(after.writer.commit([none])).rejects.toMatchObject({ code: 'STORE_CURSOR' })
    })

    test('are found if no other vertex has them as a parent', async () => {
      const store = await open()
      await fill(store, DAG, 100, false)
      const stop = (await Vertices.range(store, DAG.vertices.length - 1, DAG.vertices.length))[0]
        ?.id as Uint8Array
      expect(await Vertices.childless(store, stop)).toBeUndefined()
      const first = (await Vertices.range(store, 0, 0))[0]?.id
      expect(await Vertices.childless(store, first as Uint8Array)).toEqual(stop)
    })

    test('are counted as none on a network without them', async () => {
      const store = await open()
      const { genesis, constants } = load('local')
      const { vertices } = await Writer.open(store, genesis, constants)
      expect(vertices).toEqual(LedgerVertices.start(genesis, constants))
      expect(await Vertices.extent(store)).toEqual({ vertices: 0, first: 0, transactions: 0 })
      expect(await Vertices.ofTransactions(store, [0])).toEqual(new Map())
    })
  })
})
