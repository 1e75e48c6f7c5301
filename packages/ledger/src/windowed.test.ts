import type { ChainAlias } from '@firn/codec'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as Ledger from './Ledger.ts'
import * as LedgerState from './LedgerState.ts'
import * as Reads from './Reads.ts'
import * as Records from './Records.ts'
import { contents } from './testing/contents.ts'
import { follow } from './testing/follower.ts'
import { load } from './testing/recordings.ts'

const HEIGHTS = { P: 0n, X: 0n, C: 0n }

/** What happened in a run with a windowed state. */
interface Counts {
  /** Calls of `fetch` that read something, and blocks that were applied again because a record was missing. */
  reads: number
  repeats: number
}

/** Returns a function that reads from a state that stands for the store. It answers only reads that name the right source. */
const readerOf =
  ({ tables }: LedgerState.LedgerState, counts: Counts) =>
  async (reads: readonly Reads.Read[]): Promise<LedgerState.Found> => {
    counts.reads += 1
    await Promise.resolve()
    const utxo = reads.flatMap(({ table, key, source }) => {
      const found = table === 'utxo' ? tables.utxo.get(key) : undefined
      return found !== undefined && (source === undefined || source === found.source) ? [found] : []
    })
    const asset = reads.flatMap(({ table, key }) => (table === 'asset' ? (tables.asset.get(key) ?? []) : []))
    return { utxo, asset }
  }

describe.each(['local', 'helicon'] as const)('a windowed state of the recorded network %s', (name) => {
  const recording = load(name)
  const { genesis, constants, blocks } = recording
  const start = () => LedgerState.create(genesis, constants)
  const whole = start()
  const steps = follow(whole, recording, blocks)
  const rules = LedgerState.rulesOf(genesis, constants)

  /** Returns a windowed state after the genesis. The store has the genesis. */
  const windowed = (limit: number) => {
    const state = LedgerState.windowed(rules, limit, HEIGHTS)
    const isLarge = ({ type }: { readonly type: string }) => type === 'utxo' || type === 'asset'
    LedgerState.commit(
      state,
      LedgerState.genesisChanges(genesis, constants).filter((change) => !isLarge(change)),
    )
    return state
  }

  /**
   * Applies all blocks. The changes are stored `delay` blocks later. With `hasForesight`, what a block needs is read
   * before it is applied, otherwise only when it is missing.
   */
  const run = async (limit: number, delay: number, hasForesight: boolean) => {
    const [state, store] = [windowed(limit), start()]
    const counts = { reads: 0, repeats: 0 }
    const read = readerOf(store, counts)
    for (const [i, { block, changes: expected }] of steps.entries()) {
      const { chain, bytes } = block
      const fetch = (reads: readonly Reads.Read[]) => LedgerState.fetch(state, reads, read)
      if (hasForesight) await fetch(Reads.of(rules, chain, bytes))
      const changes = await Ledger.applyFetched(state, chain, bytes, (reads) => {
        counts.repeats += 1
        return fetch(reads)
      })
      expect(changes).toEqual(expected)
      LedgerState.commit(state, changes)
      const old = steps[i - delay]
      if (old === undefined) continue
      LedgerState.commit(store, old.changes)
      const height = (of: ChainAlias) => LedgerState.tip(store, of).height
      LedgerState.settle(state, { P: height('P'), X: height('X'), C: height('C') })
    }
    for (const { changes } of steps.slice(-delay)) if (delay > 0) LedgerState.commit(store, changes)
    expect(contents(store)).toEqual(contents(whole))
    return { counts, state }
  }

  it('applies all blocks with equal changes for any limit, and any delay until the changes are stored', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(50), fc.nat(40), fc.boolean(), async (limit, delay, hasForesight) => {
        await run(limit, delay, hasForesight)
      }),
      { numRuns: 20 },
    )
  })

  it('foresees everything that blocks read, except UTXOs that are not stored yet', async () => {
    const { counts } = await run(0, 0, true)
    expect(counts.repeats).toBe(0)
    expect(counts.reads).toBeGreaterThan(20)
  })

  it('reads nothing again that is in the window', async () => {
    const { counts, state } = await run(10_000, 0, false)
    const keys = steps.flatMap(({ changes }) =>
      changes.flatMap((c) => (c.type === 'utxo' && c.before ? [c.before] : [])),
    )
    const before = counts.reads
    const reads = keys.map(
      (record): Reads.Read => ({ table: 'utxo', key: Records.KEYS.utxo(record), source: undefined }),
    )
    await LedgerState.fetch(state, reads, () => Promise.reject(new Error('nothing to read')))
    expect(counts.reads).toBe(before)
  })

  it('keeps changes that are not stored, however small the limit is', async () => {
    const state = windowed(0)
    const store = start()
    for (const { block, changes } of steps) {
      await LedgerState.fetch(
        state,
        Reads.of(rules, block.chain, block.bytes),
        readerOf(store, { reads: 0, repeats: 0 }),
      )
      LedgerState.commit(state, changes)
    }
    LedgerState.settle(state, HEIGHTS)
    const made = steps.flatMap(({ changes }) =>
      changes.flatMap((c) => (c.type === 'utxo' ? (c.after ?? []) : [])),
    )
    const isLive = (record: Records.Utxo) => whole.tables.utxo.get(Records.KEYS.utxo(record)) !== undefined
    for (const record of made) {
      expect(state.tables.utxo.get(Records.KEYS.utxo(record))).toEqual(isLive(record) ? record : undefined)
    }
    const heights = {
      P: LedgerState.tip(whole, 'P').height,
      X: LedgerState.tip(whole, 'X').height,
      C: 10_000n,
    }
    LedgerState.settle(state, heights)
    for (const record of made)
      expect(() => state.tables.utxo.get(Records.KEYS.utxo(record))).toThrow('LedgerState.fetch')
  })
})

describe('changes without a block, such as changes by vertices', () => {
  it('keeps them in memory until their commit is reported as stored', () => {
    const { genesis, constants } = load('local')
    const state = LedgerState.windowed(LedgerState.rulesOf(genesis, constants), 0, HEIGHTS)
    const made = LedgerState.genesisChanges(genesis, constants).flatMap((c) => (c.type === 'utxo' ? [c] : []))
    const isKnown = (index: number) => {
      const key = Records.KEYS.utxo(made[index]?.after as Records.Utxo)
      return state.tables.utxo.get(key) !== undefined
    }
    for (const change of made.slice(0, 2)) LedgerState.commit(state, [change])
    LedgerState.settle(state, { P: 9n, X: 9n, C: 9n })
    expect([isKnown(0), isKnown(1)]).toEqual([true, true])
    LedgerState.settle(state, { P: 9n, X: 9n, C: 9n, vertices: 1n })
    expect(isKnown(1)).toBe(true)
    expect(() => isKnown(0)).toThrow('LedgerState.fetch')
  })
})

describe('a record that the store does not have', () => {
  const { genesis, constants } = load('local')
  const rules = LedgerState.rulesOf(genesis, constants)
  const none = async () => ({ utxo: [], asset: [] })
  const key = '00'.repeat(32)

  it('is absent after it was read from all chains, but not after it was read from one', async () => {
    for (const table of ['utxo', 'asset'] as const) {
      const state = LedgerState.windowed(rules, 10, HEIGHTS)
      await LedgerState.fetch(state, [{ table, key, source: 'P' }], none)
      expect(() => state.tables[table].get(key)).toThrow('LedgerState.fetch')
      await LedgerState.fetch(state, [{ table, key, source: undefined }], none)
      expect(state.tables[table].get(key)).toBeUndefined()
    }
  })
})

describe('a record that changes while an older version is being read', () => {
  it('keeps the change, even if it is stored before the read ends', async () => {
    const recording = load('local')
    const { genesis, constants, blocks } = recording
    const store = LedgerState.create(genesis, constants)
    const [step] = follow(store, recording, blocks.slice(0, 1))
    const spent = step?.changes.flatMap((c) => (c.type === 'utxo' && c.before ? [c.before] : []))[0]
    if (step === undefined || spent === undefined) throw new Error('the first block spends nothing')
    const rules = LedgerState.rulesOf(genesis, constants)
    const state = LedgerState.windowed(rules, 0, HEIGHTS)
    const read: Reads.Read = { table: 'utxo', key: Records.KEYS.utxo(spent), source: undefined }
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const reading = LedgerState.fetch(state, [read], async () => {
      await released
      return { utxo: [spent], asset: [] }
    })
    LedgerState.commit(state, step.changes)
    LedgerState.settle(state, { P: 1000n, X: 1000n, C: 1000n })
    release()
    await reading
    expect(state.tables.utxo.get(read.key)).toBeUndefined()
  })
})
