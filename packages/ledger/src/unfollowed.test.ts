import { Hex } from '@firn/codec'
import { AvmTx, UtxoId, Vertex } from '@firn/txs'
import { describe, expect, it } from 'vitest'
import type { Change } from './Change.ts'
import * as Ledger from './Ledger.ts'
import * as LedgerState from './LedgerState.ts'
import * as Reads from './Reads.ts'
import { AvmTestChain, codeOf } from './testing/avmTestChain.ts'
import { contents, text } from './testing/contents.ts'
import { follow, type Step } from './testing/follower.ts'
import { load } from './testing/recordings.ts'
import * as Vertices from './Vertices.ts'

/** Returns the changes without what follows from the C-chain: its exports that an import consumes. */
const withoutC = (changes: readonly Change[]) =>
  changes.flatMap((change) => {
    if (change.type === 'utxo' && change.before?.source === 'C') return []
    if (change.type !== 'transaction') return [text(change)]
    const { hasUnknownInputs: _, ...known } = change
    return [text(known)]
  })

describe.each(['local', 'helicon'] as const)('the recorded network %s without its C-chain', (name) => {
  const recording = load(name)
  const { genesis, constants, blocks } = recording
  const isOwn = ({ block }: Step) => block.chain !== 'C'
  const all = follow(LedgerState.create(genesis, constants), recording, blocks).filter(isOwn)
  const state = LedgerState.create(genesis, constants, false)
  const steps = follow(
    state,
    recording,
    blocks.filter(({ chain }) => chain !== 'C'),
  )

  it('has the same effects on the P- and X-chain, except that imports from C consume nothing', () => {
    const byBlock = new Map(all.map(({ block, changes }) => [block, withoutC(changes)]))
    expect(steps).toHaveLength(all.length)
    for (const { block, changes } of steps) expect(withoutC(changes)).toEqual(byBlock.get(block))
  })

  it('marks exactly the transactions whose inputs come from the C-chain', () => {
    const consumers = all.flatMap(({ changes }) =>
      changes.flatMap((c) => (c.type === 'utxo' && c.before?.source === 'C' && c.txId ? [c.txId] : [])),
    )
    const marked = steps.flatMap(({ changes }) =>
      changes.flatMap((c) => (c.type === 'transaction' && c.hasUnknownInputs ? [c.txId] : [])),
    )
    expect(marked.length).toBeGreaterThan(0)
    expect(new Set(marked.map(Hex.encodeBare))).toEqual(new Set(consumers.map(Hex.encodeBare)))
  })

  it('is restored by reverting the blocks', () => {
    const copy = LedgerState.create(genesis, constants, false)
    for (const { changes } of steps) LedgerState.commit(copy, changes)
    expect(contents(copy)).toEqual(contents(state))
    for (const { changes } of steps.toReversed()) LedgerState.revert(copy, changes)
    expect(contents(copy)).toEqual(contents(LedgerState.create(genesis, constants, false)))
  })

  it('never looks for the inputs of imports from the C-chain', () => {
    const { rules } = state
    const reads = steps.flatMap(({ block }) => Reads.of(rules, block.chain, block.bytes))
    const keys = new Set(reads.map(({ key }) => key))
    const exported = all.flatMap(({ changes }) =>
      changes.flatMap((c) => (c.type === 'utxo' && c.before?.source === 'C' ? [c.before.id] : [])),
    )
    expect(exported.length).toBeGreaterThan(0)
    expect(exported.filter((id) => keys.has(Hex.encodeBare(id)))).toEqual([])
  })

  it('rejects blocks of the C-chain', () => {
    const [block] = recording.chains.C
    expect(codeOf(() => Ledger.apply(state, 'C', block?.bytes as Uint8Array))).toBe('LEDGER_CHAIN')
  })
})

describe('the P-chain alone', () => {
  const recording = load('local')
  const { genesis, constants, blocks } = recording

  it('has the effects that it has beside the other chains, except that imports consume nothing', () => {
    const isOwn = ({ block }: Step) => block.chain === 'P'
    const all = follow(LedgerState.create(genesis, constants), recording, blocks).filter(isOwn)
    const state = LedgerState.create(genesis, constants, false, false)
    const own = blocks.filter(({ chain }) => chain === 'P')
    const steps = follow(state, recording, own)
    const effects = ({ changes }: Step) =>
      changes.flatMap((change) => {
        if (change.type === 'utxo' && change.before !== undefined && change.before.source !== 'P') return []
        if (change.type !== 'transaction') return [text(change)]
        const { hasUnknownInputs: _, ...known } = change
        return [text(known)]
      })
    expect(steps.map(effects)).toEqual(all.map(effects))
    const names = steps.flatMap(({ changes }) =>
      changes.flatMap((c) => (c.type === 'transaction' && c.hasUnknownInputs ? [c.name] : [])),
    )
    expect(new Set(names)).toEqual(new Set(['ImportTx']))
    const [block] = recording.chains.X
    expect(codeOf(() => Ledger.apply(state, 'X', block?.bytes as Uint8Array))).toBe('LEDGER_CHAIN')
  })
})

it('still checks the own inputs, the amounts and the assets of an import from the C-chain', () => {
  const X = new AvmTestChain()
  const state = { ...X.state, rules: { ...X.state.rules, followsCChain: false } }
  const { avaxAssetId } = state.rules
  const utxo = { txID: avaxAssetId, outputIndex: 7 }
  const tx = X.importFrom('C', utxo, 50n)
  const rejected = (unsignedTx: AvmTx.UnsignedTx, of: LedgerState.LedgerState = state) =>
    codeOf(() => Ledger.apply(of, 'X', X.block([unsignedTx])))
  expect(rejected(tx)).toBe('none')
  expect(rejected(tx, X.state)).toBe('LEDGER_SHARED_MEMORY')
  const { inputs } = X.base()
  expect(rejected({ ...tx, inputs: inputs.map((input) => ({ ...input, outputIndex: 99 })) })).toBe(
    'LEDGER_UTXO',
  )
  expect(rejected({ ...tx, outputs: [X.out(51n)] })).toBe('TXS_FUNDS')
  const foreign = { assetID: UtxoId.inputId(utxo) }
  const importedInputs = tx.importedInputs.map((input) => ({ ...input, ...foreign }))
  expect(rejected({ ...tx, importedInputs, outputs: [X.out(50n, foreign.assetID)] })).toBe('LEDGER_ASSET')
})

it('does not let vertices wait for exports of the C-chain', () => {
  const { genesis, constants } = load('local')
  const X = new AvmTestChain()
  const { avaxAssetId, chainIds } = X.state.rules
  const unsignedTx = X.importFrom('C', { txID: avaxAssetId, outputIndex: 7 }, 50n)
  const tx = AvmTx.encode({ unsignedTx, credentials: [] })
  const vertex = Vertex.encode(Vertex.build({ chainID: chainIds.X, height: 0n, parentIDs: [], txs: [tx] }))
  const decoded = [Vertices.decode(vertex, chainIds.X)]
  const none = { vertices: new Set<string>(), transactions: new Map<string, number>() }
  const applied = (followsCChain: boolean) => {
    const state = LedgerState.create(genesis, constants, followsCChain)
    return Vertices.apply(state, Vertices.start(genesis, constants), decoded, none)
  }
  expect(applied(true)).toMatchObject({ changes: [], missing: [{ source: 'C' }] })
  const { changes, missing, progress } = applied(false)
  expect({ missing, waiting: progress.waiting }).toEqual({ missing: [], waiting: [] })
  expect(changes.filter(({ type }) => type === 'transaction')).toMatchObject([{ hasUnknownInputs: true }])
  const reads = (followsCChain: boolean) =>
    Vertices.reads({ ...X.state.rules, followsCChain }, progress, decoded).filter(
      ({ table }) => table === 'utxo',
    )
  expect([reads(true).length, reads(false).length]).toEqual([2, 0])
})
