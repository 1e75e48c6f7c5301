import { Hex, Id } from '@firn/codec'
import { AvmTx, Vertex } from '@firn/txs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as Avm from './Avm.ts'
import type { Change } from './Change.ts'
import * as LedgerState from './LedgerState.ts'
import { AvmTestChain, codeOf } from './testing/avmTestChain.ts'
import { text } from './testing/contents.ts'
import { type Dag, pack, seeded } from './testing/dag.ts'
import { OWNER, PlatformTestChain } from './testing/platformTestChain.ts'
import { load } from './testing/recordings.ts'
import * as Vertices from './Vertices.ts'

const FEE = 1_000_000n
const { genesis, constants } = load('local')
const START = Vertices.start(genesis, constants)

type Step = 'transfer' | 'export' | 'asset' | 'import'
const STEPS = fc.array(fc.constantFrom<Step[]>('transfer', 'transfer', 'export', 'asset', 'import'), {
  minLength: 1,
  maxLength: 14,
})

/** Transactions in an order in which blocks can contain them, a P-chain block with exports, and the state after. */
interface History {
  readonly txs: readonly Uint8Array[]
  readonly exports: Uint8Array
  readonly after: LedgerState.LedgerState
}

/** Applies transactions as blocks of one transaction each. */
function history(steps: readonly Step[]): History {
  const P = new PlatformTestChain()
  const X = new AvmTestChain(P)
  const { chainIds } = X.state.rules
  const exportedOutputs = steps.flatMap((step, i) => (step === 'import' ? [P.out(BigInt(5 + i) * FEE)] : []))
  const sent = { destinationChain: chainIds.X, exportedOutputs }
  const total = exportedOutputs.reduce((sum, { output }) => sum + (output as { amount: bigint }).amount, 0n)
  const exports = P.standard(
    exportedOutputs.length === 0
      ? { type: 'BaseTx', ...P.base(0n, FEE) }
      : { type: 'ExportTx', ...P.base(total, FEE), ...sent },
  )
  P.accept(exports)
  const txs = steps.map((step) => {
    const unsignedTx = make(X, step)
    X.accept(unsignedTx)
    return AvmTx.encode({ unsignedTx, credentials: [] })
  })
  return { txs, exports, after: X.state }
}

function make(X: AvmTestChain, step: Step): AvmTx.UnsignedTx {
  if (step === 'export') return X.exportTo('C', FEE)
  const outputs = [{ type: 'TransferOutput', amount: 7n, ...OWNER }] as const
  if (step === 'asset') return X.createAsset([{ fxIndex: 0, outputs }])
  if (step === 'import') {
    const all = [...X.state.tables.utxo.ordered()]
    const found = all.find(({ chain, source }) => chain === 'X' && source === 'P')
    if (found !== undefined) {
      const { amount } = found.utxo.output as { amount: bigint }
      // The import also spends an output of the X-chain, so that it can wait for both.
      const { inputs, outputs } = X.base()
      const tx = X.importFrom('P', found.utxo, amount)
      return { ...tx, inputs, outputs: [...outputs, ...tx.outputs] }
    }
  }
  return { type: 'BaseTx', ...X.base() }
}

function stateBefore({ stopId }: Dag): PlatformTestChain {
  return new PlatformTestChain({ cortinaXChainStopVertexId: stopId })
}

/** Applies vertices as an indexer does, and keeps what it would store. */
class Stage {
  readonly chain: PlatformTestChain
  readonly changes: Change[] = []
  readonly accepted: Vertices.Accepted[] = []
  progress = START
  missing: readonly Vertices.Missing[] = []
  readonly #vertices = new Set<string>()
  readonly #transactions = new Map<string, number>()

  constructor(dag: Dag) {
    this.chain = stateBefore(dag)
  }

  get state() {
    return this.chain.state
  }

  apply(given: readonly Uint8Array[]): void {
    const vertices = given.map((bytes) => Vertices.decode(bytes, this.state.rules.chainIds.X))
    const known = { vertices: this.#vertices, transactions: this.#transactions }
    const applied = Vertices.apply(this.state, this.progress, vertices, known)
    LedgerState.commit(this.state, applied.changes)
    this.progress = applied.progress
    this.missing = applied.missing
    this.changes.push(...applied.changes)
    this.accepted.push(...applied.vertices)
    for (const { id } of applied.vertices) this.#vertices.add(Hex.encodeBare(id))
    for (const change of applied.changes) {
      if (change.type === 'transaction') this.#transactions.set(Hex.encodeBare(change.txId), change.position)
    }
  }

  /** Returns everything that the stage has recorded, in an order that does not depend on the order of execution. */
  record(): string[] {
    return [...this.changes, ...this.accepted].map(text).sort()
  }
}

/** Returns the UTXOs and assets of the state, without their places. */
function holdings({ tables }: LedgerState.LedgerState): string[] {
  const utxos = [...tables.utxo.ordered()].filter(({ source }) => source === 'X')
  return [
    ...utxos.map(({ id, chain, source, utxo, origin }) => text({ id, chain, source, utxo, origin })),
    ...[...tables.asset.ordered()].map(text),
  ].sort()
}

const SEED = fc.integer({ min: 0, max: 2 ** 31 })
const CUTS = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 8 })

/** Splits vertices into batches of the given sizes, repeated as needed. */
function* batches(vertices: readonly Uint8Array[], sizes: readonly number[]) {
  for (let at = 0, i = 0; at < vertices.length; i++) {
    const size = sizes[i % sizes.length] as number
    yield vertices.slice(at, at + size)
    at += size
  }
}

describe('vertices of the X-chain', () => {
  it('has the effects of the same transactions in blocks, for any shape of the DAG', () => {
    fc.assert(
      fc.property(STEPS, SEED, (steps, seed) => {
        const { txs, exports, after } = history(steps)
        const dag = pack(genesis.xChain.blockchainId, txs, seeded(seed))
        const stage = new Stage(dag)
        stage.chain.accept(exports)
        stage.apply(dag.vertices)
        expect(Vertices.isDone(stage.state.rules, stage.progress)).toBe(true)
        expect(holdings(stage.state)).toEqual(holdings(after))
        const executed = stage.changes.flatMap((change) => (change.type === 'transaction' ? [change] : []))
        expect(executed.map(({ position }) => position).sort((a, b) => a - b)).toEqual(
          txs.map((_, i) => START.position + i),
        )
        expect(LedgerState.tip(stage.state, 'X').height).toBe(0n)
      }),
      { numRuns: 60 },
    )
  })

  it('has the same effects for any batches and any arrival of the imported exports', () => {
    fc.assert(
      fc.property(STEPS, SEED, CUTS, fc.nat(12), (steps, seed, sizes, arrival) => {
        const { txs, exports } = history(steps)
        const dag = pack(genesis.xChain.blockchainId, txs, seeded(seed))
        const whole = new Stage(dag)
        whole.chain.accept(exports)
        whole.apply(dag.vertices)
        const split = new Stage(dag)
        let batch = 0
        for (const vertices of batches(dag.vertices, sizes)) {
          if (batch++ === arrival) split.chain.accept(exports)
          split.apply(vertices)
        }
        if (batch <= arrival) {
          const isImporting = steps.includes('import')
          expect(new Set(split.missing.map(({ source }) => source))).toEqual(
            new Set(isImporting ? ['P'] : []),
          )
          expect(Vertices.isDone(split.state.rules, split.progress)).toBe(!isImporting)
          split.chain.accept(exports)
          split.apply([])
        }
        expect(Vertices.isDone(split.state.rules, split.progress)).toBe(true)
        expect(split.record()).toEqual(whole.record())
        expect(holdings(split.state)).toEqual(holdings(whole.state))
      }),
      { numRuns: 100 },
    )
  })

  it('ends at block 1, whose parent is the block after the stop vertex', () => {
    const { txs } = history(['transfer', 'asset', 'transfer'])
    const dag = pack(genesis.xChain.blockchainId, txs, seeded(1))
    const stage = new Stage(dag)
    stage.apply(dag.vertices)
    const X = new AvmTestChain(stage)
    expect(codeOf(() => Avm.apply(stage.state, X.block([{ type: 'BaseTx', ...X.base() }])))).toBe('none')
  })

  it('gives a transaction in several vertices one position', () => {
    const { txs } = history(['transfer'])
    const { chainId, first, second, stop } = diamond(txs)
    const stage = new Stage({ vertices: [], stopId: Vertex.id(stop) })
    stage.apply([first])
    stage.apply([second, stop])
    expect(stage.accepted.map(({ index, positions }) => [index, positions])).toEqual([
      [0, [START.position]],
      [1, [START.position]],
      [2, []],
    ])
    expect(stage.changes.filter(({ type }) => type === 'transaction')).toHaveLength(1)
    expect(Hex.encode(chainId)).toBe(Hex.encode(stage.state.rules.chainIds.X))
  })
})

/** Returns two vertices with the same transactions, the second one a child of the first, and their stop vertex. */
function diamond(txs: readonly Uint8Array[]) {
  const chainId = genesis.xChain.blockchainId
  const first = Vertex.encode(Vertex.build({ chainID: chainId, height: 0n, parentIDs: [], txs }))
  const second = Vertex.encode(
    Vertex.build({ chainID: chainId, height: 1n, parentIDs: [Vertex.id(first)], txs }),
  )
  const stop = Vertex.encode(
    Vertex.buildStop({ chainID: chainId, height: 2n, parentIDs: [Vertex.id(second)] }),
  )
  return { chainId, first, second, stop }
}

describe('rejected vertices', () => {
  const { txs } = history(['transfer', 'transfer'])
  const { first, second, stop } = diamond(txs)
  const stageOf = () => new Stage({ vertices: [], stopId: Vertex.id(stop) })

  it('rejects vertices before a parent, twice, or after the stop vertex', () => {
    expect(codeOf(() => stageOf().apply([second]))).toBe('LEDGER_VERTEX')
    expect(codeOf(() => stageOf().apply([first, first]))).toBe('LEDGER_VERTEX')
    expect(codeOf(() => stageOf().apply([first, second, stop, first]))).toBe('LEDGER_VERTEX')
    const stage = stageOf()
    stage.apply([first])
    expect(codeOf(() => stage.apply([first]))).toBe('LEDGER_VERTEX')
    expect(codeOf(() => stage.apply([second, stop]))).toBe('none')
  })

  it('rejects vertices of another chain, and malformed ones', () => {
    expect(codeOf(() => Vertices.decode(first, Id.EMPTY))).toBe('LEDGER_VERTEX')
    expect(codeOf(() => Vertices.decode(first.slice(1), genesis.xChain.blockchainId))).toMatch(/^CODEC/)
    const unsorted = { ...Vertex.decode(second), epoch: 1 } as Vertex.Vertex
    expect(codeOf(() => Vertices.decode(Vertex.encode(unsorted), genesis.xChain.blockchainId))).toBe(
      'TXS_VERTEX',
    )
  })

  it('names vertices that leave a transaction without its inputs at the stop vertex', () => {
    const chainId = genesis.xChain.blockchainId
    const X = new AvmTestChain()
    const input = X.input(X.state.rules.avaxAssetId)
    const unsignedTx = {
      type: 'BaseTx',
      ...X.base(),
      inputs: [{ ...input, txID: Id.hash(Id.EMPTY) }],
    } as const
    const spender = AvmTx.encode({ unsignedTx, credentials: [] })
    const only = Vertex.encode(Vertex.build({ chainID: chainId, height: 0n, parentIDs: [], txs: [spender] }))
    const end = Vertex.encode(
      Vertex.buildStop({ chainID: chainId, height: 1n, parentIDs: [Vertex.id(only)] }),
    )
    const stage = new Stage({ vertices: [], stopId: Vertex.id(end) })
    stage.apply([only])
    expect(stage.progress.waiting.map(({ txId }) => Id.format(txId))).toEqual([Id.format(AvmTx.id(spender))])
    expect(() => stage.apply([end])).toThrow(Id.format(AvmTx.id(spender)))
    expect(codeOf(() => stage.apply([end]))).toBe('LEDGER_WAITING')
  })
})

describe('Vertices.isDone', () => {
  it('returns true on networks that never had vertices', () => {
    const { state } = new PlatformTestChain()
    expect(Vertices.isDone(state.rules, START)).toBe(true)
  })
})
