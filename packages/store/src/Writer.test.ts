import { Hex } from '@firn/codec'
import { Ledger, LedgerState, Reads, Records } from '@firn/ledger'
import { PLANS, PLANS_WITHOUT_WAIT } from '@firn/sql'
import { codeOf, database, STEP } from '@firn/sql/testing'
import { describe, expect, test } from 'vitest'
import type { Accepted } from './Accepted.ts'
import * as StateDigest from './StateDigest.ts'
import type { Store } from './Store.ts'
import { eachDatabase } from './testing/databases.ts'
import { follow, load, type Name } from './testing/recordings.ts'
import { contents, orders } from './testing/states.ts'
import { Writer } from './Writer.ts'

/**
 * The first digest computed for each recorded network. Every later digest of the same network must be equal
 * to it.
 */
const digests = new Map<Name, string>()

function expectFinal(name: Name, actual: string): void {
  const expected = digests.get(name) ?? actual
  digests.set(name, expected)
  expect(actual).toBe(expected)
}

function replay(name: Name) {
  const { genesis, constants, chains } = load(name)
  const state = LedgerState.create(genesis, constants)
  const blocks: readonly Accepted[] = [...follow(state, chains)]
  return { genesis, constants, state, blocks }
}

const { genesis, constants, state: last, blocks } = replay('local')

async function digest(store: Store): Promise<string> {
  return Hex.encode(await StateDigest.of(store))
}

/** Calls `listener` with each statement of a transaction before it runs. */
function spy(store: Store, listener: (text: string) => void): void {
  const { transaction } = store.driver
  const spied: typeof transaction = (work) =>
    transaction((session) =>
      work({
        ...session,
        query(text, values) {
          listener(text)
          return session.query(text, values)
        },
      }),
    )
  Object.assign(store.driver, { transaction: spied })
}

eachDatabase(({ name, open, again }) => {
  const opened = async () => {
    const store = await open()
    return { store, ...(await Writer.open(store, genesis, constants)) }
  }

  test.each([7, 1000])('produces the same digest when blocks are written in batches of %i', async (size) => {
    const { store, writer } = await opened()
    for (let i = 0; i < blocks.length; i += size) await writer.commit(blocks.slice(i, i + size))
    expect((await store.snapshot()).key).toBe('85.35.83')
    expectFinal('local', await digest(store))
  })

  test('stores a recorded network with the Helicon upgrade', async () => {
    const helicon = replay('helicon')
    const store = await open()
    const { writer } = await Writer.open(store, helicon.genesis, helicon.constants)
    await writer.commit(helicon.blocks)
    expect((await store.snapshot()).key).toBe('43.5.192')
    expectFinal('helicon', await digest(store))
    const { state } = await Writer.open(store, helicon.genesis, helicon.constants)
    expect(contents(state)).toEqual(contents(helicon.state))
    expect(await store.network()).toEqual({
      genesis: helicon.genesis,
      constants: helicon.constants,
      followsCChain: true,
    })
  })

  test('stores the genesis in an empty database', async () => {
    const { store, state } = await opened()
    expect(contents(state)).toEqual(contents(LedgerState.create(genesis, constants)))
    expect((await store.snapshot()).key).toBe('0.0.0')
    expect(await store.network()).toEqual({ genesis, constants, followsCChain: true })
  })

  test('produces the same digest when blocks are written one by one by writers that resume from the stored state', async () => {
    let { store, writer, state } = await opened()
    // Each kind of database resumes at other heights.
    const offset = name === 'PGlite' ? 0 : 1
    for (const [i, block] of blocks.entries()) {
      // The option block of a proposal also applies after a restart.
      const isDecision = LedgerState.tip(state, 'P').platform?.proposal !== undefined
      if (isDecision || i % (3 * STEP) === offset)
        ({ writer, state } = await Writer.open(store, genesis, constants))
      const changes = Ledger.apply(state, block.chain, block.bytes)
      LedgerState.commit(state, changes)
      await writer.commit([{ ...block, changes }])
    }
    const { state: resumed } = await Writer.open(store, genesis, constants)
    expect(contents(resumed)).toEqual(contents(last))
    expect(orders(resumed)).toEqual(orders(last))
    expectFinal('local', await digest(store))
  })

  test.each([0, 20, 100_000])(
    'applies blocks to a state of which at most %i UTXOs stay in memory, with the same digest',
    async (recent) => {
      const store = await open()
      let { writer, state } = await Writer.resume(store, genesis, constants, undefined, { recent })
      const fetch = (reads: readonly Reads.Read[]) => writer.fetch(reads)
      for (let i = 0; i < blocks.length; i += 30) {
        const batch: Accepted[] = []
        for (const block of blocks.slice(i, i + 30)) {
          const changes = await Ledger.applyFetched(state, block.chain, block.bytes, fetch)
          LedgerState.commit(state, changes)
          batch.push({ ...block, changes })
        }
        await writer.commit(batch)
        if (i === 90)
          ({ writer, state } = await Writer.resume(store, genesis, constants, undefined, { recent }))
      }
      expectFinal('local', await digest(store))
    },
  )

  test('reads the records of many blocks in one statement for each source of UTXOs, and one for assets', async () => {
    const store = await open()
    const { writer, state } = await Writer.resume(store, genesis, constants)
    let statements: string[] = []
    spy(store, (text) => statements.push(text))
    const reads = blocks.flatMap(({ chain, bytes }) => Reads.of(state.rules, chain, bytes))
    await writer.fetch(reads)
    expect(statements.filter((text) => text !== PLANS)).toHaveLength(4)
    statements = []
    const known = [...last.tables.asset.ordered()].slice(0, 1).map(Records.KEYS.asset)
    await writer.fetch(known.map((key): Reads.Read => ({ table: 'asset', key, source: undefined })))
    expect(statements).toEqual([])
  })

  describe('a writer that was replaced by another writer', () => {
    test('rejects the commit of the replaced writer and stores nothing of the batch', async () => {
      const { store, writer: older } = await opened()
      await older.commit(blocks.slice(0, 10))
      const other = await again(store)
      const { writer: newer } = await Writer.open(other, genesis, constants)
      const before = await digest(store)
      expect(await codeOf(older.commit(blocks.slice(10, 20)))).toBe('STORE_FENCED')
      expect(await digest(other)).toBe(before)
      await newer.commit(blocks.slice(10))
      expect(await codeOf(older.commit(blocks.slice(10, 20)))).toBe('STORE_FENCED')
      expectFinal('local', await digest(other))
    })

    test('lets the replaced writer either finish its commit before the new writer opens, or store nothing of it', async () => {
      const { store, writer: older } = await opened()
      const other = await again(store)
      const [commit, { writer: newer, state }] = await Promise.all([
        codeOf(older.commit(blocks.slice(0, 10))),
        Writer.open(other, genesis, constants),
      ])
      const height = LedgerState.tip(state, 'P').height
      expect([commit, height > 0n]).toEqual(commit === 'none' ? ['none', true] : ['STORE_FENCED', false])
      await newer.commit(blocks.slice(commit === 'none' ? 10 : 0))
      expectFinal('local', await digest(other))
    })
  })

  describe('a batch that does not continue the chain', () => {
    const [first, second, ...rest] = blocks.filter(({ chain }) => chain === 'P') as [
      Accepted,
      Accepted,
      ...Accepted[],
    ]
    const refused: readonly (readonly [string, readonly Accepted[]])[] = [
      ['leaves a block out', [second]],
      ['repeats a block', [first, first]],
      ['follows another block', [{ ...first, parentId: new Uint8Array(32) }]],
      ['leaves a block out in the middle', [first, ...rest]],
      ['has another height', [{ ...second, parentId: first.parentId }]],
      ['has no changes', [{ ...first, changes: [] }]],
      ['is of another chain', [{ ...first, chain: 'X' }]],
      ['has another container', [{ ...first, container: { id: first.parentId, bytes: first.parentId } }]],
    ]

    test('rejects a batch with any kind of gap', async () => {
      const { store, writer } = await opened()
      const before = await digest(store)
      for (const [name, batch] of refused) {
        expect([name, await codeOf(writer.commit(batch))]).toEqual([name, 'STORE_CURSOR'])
        expect([name, await digest(store)]).toEqual([name, before])
      }
      // A rejected batch leaves the writer's position unchanged, so the correct batch is accepted.
      await writer.commit(blocks)
      expectFinal('local', await digest(store))
    })
  })

  test('detects on the next commit that a crashed server lost commits, and stores nothing after the gap', async () => {
    const { store, writer } = await opened()
    await writer.commit(blocks.slice(0, 50))
    const before = await database(store)
      .selectFrom('cursor')
      .selectAll()
      .where('chain', '=', 'X')
      .executeTakeFirstOrThrow()
    // This simulates a crash that lost the last transaction.
    const forget = { height: before.height - 1n, block_id: before.block_id.toReversed() }
    await database(store).updateTable('cursor').set(forget).where('chain', '=', 'X').execute()
    expect(await codeOf(writer.commit(blocks.slice(50)))).toBe('STORE_UNAVAILABLE')
    expect(
      await database(store).selectFrom('block').select('height').where('chain', '=', 'X').execute(),
    ).toHaveLength(Number(before.height) + 1)
    await database(store).updateTable('cursor').set(before).where('chain', '=', 'X').execute()
    const again = await Writer.open(store, genesis, constants)
    await again.writer.commit(blocks.slice(50))
    expectFinal('local', await digest(store))
  })

  test('rejects a network that differs from the stored network', async () => {
    const { store } = await opened()
    const helicon = load('helicon')
    expect(await codeOf(Writer.open(store, helicon.genesis, helicon.constants))).toBe('STORE_NETWORK')
    expect(await store.network()).toEqual({ genesis, constants, followsCChain: true })
  })

  test('rejects another time of an upgrade that the stored blocks have passed', async () => {
    const { store, writer } = await opened()
    await writer.commit(blocks)
    const at = (helicon: bigint) => ({ ...constants, upgrades: { ...constants.upgrades, helicon } })
    const tip = LedgerState.tip(last, 'P').time
    expect(await codeOf(Writer.open(store, genesis, at(tip - 60n)))).toBe('STORE_UPGRADES')
    expect(await store.network()).toEqual({ genesis, constants, followsCChain: true })
    await Writer.open(store, genesis, at(tip + 86_400n))
    expect((await store.network())?.constants).toEqual(at(tip + 86_400n))
  })

  test('stores the upgrade time when an upgrade is scheduled after the first start', async () => {
    const { store } = await opened()
    const upgrades = { ...constants.upgrades, helicon: 1_900_000_000n }
    await Writer.open(store, genesis, { ...constants, upgrades })
    expect((await store.network())?.constants.upgrades.helicon).toBe(1_900_000_000n)
  })

  test('stores nothing of a batch that the database rejects', async () => {
    const { store, writer } = await opened()
    await writer.commit(blocks.slice(0, 50))
    const { key } = await store.snapshot()
    // The test marks UTXOs as consumed that the ledger is going to consume, so the database differs from the
    // ledger's state.
    const updateTable = () => database(store).updateTable('utxo')
    await updateTable().set({ consumed_height: 7_777n }).where('consumed_height', 'is', null).execute()
    expect(await codeOf(writer.commit(blocks.slice(50)))).toBe('STORE_CORRUPT')
    expect((await store.snapshot()).key).toBe(key)
    const { height } = await database(store)
      .selectFrom('block')
      .select(({ fn }) => fn.max('height').as('height'))
      .where('chain', '=', 'P')
      .executeTakeFirstOrThrow()
    expect(String(height)).toBe(key.split('.')[0])
    // The writer must be reopened to restore its position, even after the cause was removed.
    await updateTable().set({ consumed_height: null }).where('consumed_height', '=', 7_777n).execute()
    expect(await codeOf(writer.commit(blocks.slice(50)))).toBe('STORE_CORRUPT')
  })

  test('waits for the disk when committing a single block, but not when committing a batch to a PostgreSQL server, and sets the query plans before it updates rows', async () => {
    const { store, writer } = await opened()
    const statements: string[] = []
    spy(store, (text) => statements.push(text))
    await writer.commit(blocks.slice(0, 100))
    // An embedded database always waits for the disk, because it has no background process that writes
    // commits later.
    const behind = store.driver.isShared ? PLANS_WITHOUT_WAIT : PLANS
    const settings = statements.indexOf(behind)
    const update = statements.findIndex((text) => text.includes('update utxo'))
    expect([settings >= 0, settings < update]).toEqual([true, true])
    statements.length = 0
    await writer.commit(blocks.slice(100, 101))
    expect(statements).toContain(PLANS)
    expect(statements.join()).not.toContain('synchronous_commit')
  })
})
