import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { CHAIN_ALIASES, Hex } from '@firn/codec'
import { fetchRows } from '@firn/sql'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import * as Blocks from './blocks/index.ts'
import * as Derivation from './Derivation.ts'
import type { Database } from './Schema.ts'
import * as SnapshotFile from './SnapshotFile.ts'
import type { Store } from './Store.ts'
import { eachDatabase } from './testing/databases.ts'
import { recordedStore } from './testing/recordedStore.ts'
import { follow, load } from './testing/recordings.ts'
import { Writer } from './Writer.ts'

const { genesis, constants, chains } = load('local')

/** AVAX burned per chain and day, added up from the recorded node's JSON of all transactions. */
const BURNED: unknown = JSON.parse(readFileSync(new URL('../vectors/burned.json', import.meta.url), 'utf8'))

/** Offset of the certificate in a container: codec version, type, parent, time, P-chain height and length. */
const CERTIFICATE = 2 + 4 + 32 + 8 + 8 + 4

/** Returns the heights that each node proposed, newest first, by hashing the certificates in the recorded bytes. */
function proposed(chain: 'P' | 'X' | 'C'): ReadonlyMap<string, readonly bigint[]> {
  const heights = new Map<string, bigint[]>()
  for (const [i, { container }] of chains[chain].entries()) {
    const bytes = Buffer.from(container?.bytes ?? [])
    if (bytes.length === 0 || bytes.readUInt32BE(2) === 1) continue
    const certificate = bytes.subarray(CERTIFICATE, CERTIFICATE + bytes.readUInt32BE(CERTIFICATE - 4))
    if (certificate.length === 0) continue
    const digest = createHash('sha256').update(certificate).digest()
    const nodeId = createHash('ripemd160').update(digest).digest('hex')
    heights.set(nodeId, [BigInt(i + 1), ...(heights.get(nodeId) ?? [])])
  }
  return heights
}

const PROPOSED = new Map(CHAIN_ALIASES.map((chain) => [chain, proposed(chain)]))
const QUERY = { from: undefined, until: undefined, after: undefined, order: 'desc', limit: 1_000 } as const

async function expectDerived(store: Store): Promise<void> {
  const at = await store.snapshot()
  for (const [chain, nodes] of PROPOSED) {
    expect(await Derivation.completeFrom(store, 'proposal', chain)).toBe(0n)
    for (const [nodeId, heights] of nodes) {
      const found = await Blocks.proposedBy(store, at, chain, { ...QUERY, nodeId: Hex.decodeBare(nodeId) })
      expect([chain, nodeId, found.map(({ height }) => height)]).toEqual([chain, nodeId, heights])
    }
    const [row] = await fetchRows(
      store,
      sql<{ nodes: bigint }>`select count(distinct node_id) as nodes from proposal
      where chain = ${chain}`,
    )
    expect(row?.nodes).toBe(BigInt(nodes.size))
  }
  expect(await burned(store)).toEqual(BURNED)
}

function rewarded(store: Store): Promise<Database['rewarded'][]> {
  return fetchRows(
    store,
    sql<Database['rewarded']>`select * from rewarded order by height, position, address`,
  )
}

async function burned(store: Store): Promise<unknown> {
  const rows = await fetchRows(
    store,
    sql<{
      chain: string
      day: bigint
      fee: bigint
      deposited: bigint
    }>`select * from burned order by chain, day`,
  )
  return rows.map(({ chain, day, fee, deposited }) => ({
    ...{ chain, day: Number(day), fee: String(fee), deposited: String(deposited) },
  }))
}

eachDatabase(({ open }) => {
  describe('data that follows from blocks', () => {
    test('is stored with the blocks', async () => {
      const store = await open()
      const { writer, state } = await Writer.open(store, genesis, constants)
      const blocks = [...follow(state, chains)]
      for (let i = 0; i < blocks.length; i += 40) await writer.commit(blocks.slice(i, i + 40))
      await expectDerived(store)
      expect(await Derivation.advance(store, 10)).toBe(false)
    })

    test('is derived in steps from blocks that an earlier version stored, while new blocks arrive', async () => {
      const store = await open()
      const first = await Writer.open(store, genesis, constants)
      const blocks = [...follow(first.state, chains)]
      await first.writer.commit(blocks.slice(0, 150))
      await store.driver.transaction(async (session) => {
        for (const table of ['proposal', 'burned']) await session.query(`delete from ${table}`)
        await session.query('update cursor set derived = null')
      })
      const before = (await store.snapshot()).P.height
      expect(await Derivation.completeFrom(store, 'proposal', 'P')).toBe(before + 1n)
      const { writer } = await Writer.open(store, genesis, constants)
      for (let i = 150; i < blocks.length; i += 9) {
        await writer.commit(blocks.slice(i, i + 9))
        await Derivation.advance(store, 17)
      }
      let last = before + 1n
      while (await Derivation.advance(store, 17)) {
        const complete = await Derivation.completeFrom(store, 'proposal', 'P')
        expect(complete).toBeLessThanOrEqual(last)
        last = complete
      }
      await expectDerived(store)
    })

    test('names the owners of rewards whose staking transactions do not name them', async () => {
      const eras = load('eras')
      const store = await open()
      const first = await Writer.open(store, eras.genesis, eras.constants)
      await first.writer.commit([...follow(first.state, eras.chains)])
      const expected = await rewarded(store)
      // Before Cortina, the validator's share was paid under the id of the delegator's transaction.
      expect(expected.length).toBeGreaterThan(2)
      for (const { name } of expected) expect(name).toMatch(/DelegatorTx$/)
      await store.driver.transaction(async (session) => {
        await session.query('delete from rewarded')
        await session.query('update cursor set rewarded = null')
      })
      await Writer.open(store, eras.genesis, eras.constants)
      while (await Derivation.advance(store, 17));
      expect(await rewarded(store)).toEqual(expected)
    })

    test('names the owners of rewards in blocks that a writer of the previous version stored after the migration', async () => {
      const eras = load('eras')
      const store = await open()
      const first = await Writer.open(store, eras.genesis, eras.constants)
      const blocks = [...follow(first.state, eras.chains)]
      await first.writer.commit(blocks.slice(0, 9))
      const before = await store.snapshot()
      await first.writer.commit(blocks.slice(9))
      const expected = await rewarded(store)
      expect(expected.length).toBeGreaterThan(2)
      // The previous version also set `derived`, but neither filled the table nor set the column of this name.
      await store.driver.transaction(async (session) => {
        await session.query('delete from rewarded where since > $1', [String(before.P.height)])
        for (const chain of CHAIN_ALIASES)
          await session.query('update cursor set rewarded = $2 where chain = $1', [
            chain,
            String(before[chain].height),
          ])
      })
      expect(await Derivation.completeFrom(store, 'rewarded', 'P')).toBeGreaterThan(before.P.height)
      expect(await Derivation.completeFrom(store, 'proposal', 'P')).toBe(0n)
      await Writer.open(store, eras.genesis, eras.constants)
      while (await Derivation.advance(store, 17));
      expect(await rewarded(store)).toEqual(expected)
      expect(await Derivation.completeFrom(store, 'rewarded', 'P')).toBe(0n)
    })

    test('is derived after the import of a snapshot file', async () => {
      const frames: Uint8Array[] = []
      await SnapshotFile.write(await recordedStore('local'), async (frame) => void frames.push(frame))
      const store = await open()
      await SnapshotFile.read(
        store,
        (async function* () {
          yield* frames
        })(),
        {},
      )
      while (await Derivation.advance(store, 1_000));
      await expectDerived(store)
    })
  })
})
