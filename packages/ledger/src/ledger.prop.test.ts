import { Bytes, CHAIN_ALIASES, type ChainAlias, Hex } from '@firn/codec'
import { UtxoId } from '@firn/txs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Change } from './Change.ts'
import * as Ledger from './Ledger.ts'
import * as LedgerState from './LedgerState.ts'
import * as Records from './Records.ts'
import { AtomicTestChain } from './testing/atomicTestChain.ts'
import { AvmTestChain } from './testing/avmTestChain.ts'
import { contents } from './testing/contents.ts'
import { follow } from './testing/follower.ts'
import { OWNER, PlatformTestChain } from './testing/platformTestChain.ts'
import { load, type RecordedBlock } from './testing/recordings.ts'

const FEE = 1_000_000n
/**
 * A step of the test: the action of a block, its chain, the other chain of an import or export, and an
 * amount.
 */
interface Step {
  readonly does: 'transfer' | 'export' | 'import' | 'asset'
  readonly chain: ChainAlias
  readonly other: 0 | 1
  readonly amount: number
}

const step: fc.Arbitrary<Step> = fc.record({
  does: fc.constantFrom('transfer', 'export', 'import', 'asset'),
  chain: fc.constantFrom(...CHAIN_ALIASES),
  other: fc.constantFrom(0, 1),
  amount: fc.integer({ min: 50_000_000, max: 1_000_000_000 }),
})

/**
 * A state of three chains to which random steps are applied. Tracks the burned fees and the credits of
 * C-chain accounts.
 */
class Walk {
  readonly P = new PlatformTestChain()
  readonly X = new AvmTestChain(this.P)
  readonly C = new AtomicTestChain(this.P)
  readonly blocks: (readonly Change[])[] = []
  burned = 0n
  accounts = 0n

  get state() {
    return this.P.state
  }

  take({ does, chain, other, amount }: Step): void {
    const peer = CHAIN_ALIASES.filter((alias) => alias !== chain)[other] as ChainAlias
    const bytes = this.#make(does, chain, peer, BigInt(amount))
    if (bytes === undefined) return
    const before = contents(this.state)
    const changes = Ledger.apply(this.state, chain, bytes)
    expect(contents(this.state)).toEqual(before)
    LedgerState.commit(this.state, changes)
    this.blocks.push(changes)
  }

  #make(does: Step['does'], chain: ChainAlias, peer: ChainAlias, amount: bigint) {
    if (does === 'import') return this.#import(chain, peer)
    return does === 'export' ? this.#export(chain, peer, amount) : this.#own(chain, does)
  }

  #own(chain: ChainAlias, does: 'transfer' | 'asset'): Uint8Array {
    if (chain === 'C') return this.C.block([])
    this.burned += FEE
    if (chain === 'P') return this.P.standard({ type: 'BaseTx', ...this.P.base(0n, FEE) })
    if (does === 'transfer') return this.X.block([{ type: 'BaseTx', ...this.X.base(0n, FEE) }])
    const outputs = [{ type: 'TransferOutput', amount: 7n, ...OWNER }] as const
    return this.X.block([this.X.createAsset([{ fxIndex: 0, outputs }])])
  }

  #export(chain: ChainAlias, peer: ChainAlias, amount: bigint): Uint8Array {
    if (chain === 'C') {
      this.accounts -= amount
      return this.C.block([this.C.exportTo(peer, amount)])
    }
    this.burned += FEE
    if (chain === 'X') return this.X.block([this.X.exportTo(peer, amount)])
    const { chainIds } = this.state.rules
    const exported = { destinationChain: chainIds[peer], exportedOutputs: [this.P.out(amount)] }
    return this.P.standard({ type: 'ExportTx', ...this.P.base(amount, FEE), ...exported })
  }

  /** Imports a UTXO if one is available. */
  #import(chain: ChainAlias, peer: ChainAlias): Uint8Array | undefined {
    const all = [...this.state.tables.utxo.ordered()]
    const found = all.find((item) => item.chain === chain && item.source === peer)
    if (found === undefined) return undefined
    const { utxo } = found
    const { amount } = utxo.output as { amount: bigint }
    if (chain === 'C') {
      this.accounts += amount
      return this.C.block([this.C.importFrom(peer, utxo, amount)])
    }
    const { chainIds } = this.state.rules
    const tx = { ...this.X.importFrom('P', utxo, amount), sourceChain: chainIds[peer] }
    if (chain === 'X') return this.X.block([tx])
    this.burned += FEE
    return this.P.standard({ ...tx, blockchainID: chainIds.P, outputs: [this.P.out(amount - FEE)] })
  }
}

/** Returns the sum of all AVAX in UTXOs, including shared memory. */
function avax({ tables, rules }: LedgerState.LedgerState): bigint {
  let sum = 0n
  for (const { utxo } of tables.utxo.ordered()) {
    const output = Records.unlocked(utxo.output)
    if (output.type === 'TransferOutput' && Bytes.equals(utxo.assetID, rules.avaxAssetId))
      sum += output.amount
  }
  return sum
}

const WALK = fc.array(step, { minLength: 1, maxLength: 12 })

describe('any blocks of the three chains', () => {
  it('conserves all AVAX except fees, and restores the state on revert', () => {
    fc.assert(
      fc.property(WALK, (steps) => {
        const walk = new Walk()
        const [start, total] = [contents(walk.state), avax(walk.state)]
        for (const item of steps) walk.take(item)
        expect(avax(walk.state) + walk.burned + walk.accounts).toBe(total)
        for (const changes of walk.blocks.toReversed()) LedgerState.revert(walk.state, changes)
        expect(contents(walk.state)).toEqual(start)
      }),
      { numRuns: 40 },
    )
  })

  it('reports each created UTXO once, with its index and the transaction that consumes it', () => {
    fc.assert(
      fc.property(WALK, (steps) => {
        const walk = new Walk()
        const live = new Set([...walk.state.tables.utxo.ordered()].map(Records.KEYS.utxo))
        for (const item of steps) walk.take(item)
        for (const changes of walk.blocks) {
          const utxoChanges = changes.flatMap((change) => (change.type === 'utxo' ? [change] : []))
          const made = utxoChanges.flatMap(({ after }) => after ?? [])
          expect(made.map(({ ordinal }) => ordinal)).toEqual(made.map((_, i) => i))
          for (const { before, after, txId } of utxoChanges) {
            expect(txId).toHaveLength(32)
            const record = (after ?? before) as Records.Utxo
            const key = Records.KEYS.utxo(record)
            expect(key).toBe(Hex.encodeBare(UtxoId.inputId(record.utxo)))
            expect(live.has(key)).toBe(after === undefined)
            if (after === undefined) live.delete(key)
            else live.add(key)
          }
        }
        expect([...live].sort()).toEqual([...walk.state.tables.utxo.ordered()].map(Records.KEYS.utxo).sort())
      }),
      { numRuns: 40 },
    )
  })
})

describe('the recorded blocks', () => {
  const recording = load('local')
  const { genesis, constants, chains, blocks } = recording
  const run = (order: readonly RecordedBlock[]) => {
    const state = LedgerState.create(genesis, constants)
    follow(state, recording, order)
    return contents(state)
  }
  const expected = run(blocks)

  it("reaches the same state whichever chain's blocks are applied first", () => {
    const turns = fc.array(fc.constantFrom(...CHAIN_ALIASES), { minLength: 0, maxLength: 300 })
    fc.assert(
      fc.property(turns, (order) => {
        const next = { P: 0, X: 0, C: 0 }
        const picked = order.flatMap((chain) => chains[chain][next[chain]++] ?? [])
        expect(run([...picked, ...blocks])).toEqual(expected)
      }),
      { numRuns: 20 },
    )
  })
})
