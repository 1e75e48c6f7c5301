import { CHAIN_ALIASES, type ChainAlias, isFirnError } from '@firn/codec'
import { AtomicTx, type UtxoId } from '@firn/txs'
import { describe, expect, it } from 'vitest'
import * as Ledger from './Ledger.ts'
import * as LedgerState from './LedgerState.ts'
import { AtomicTestChain } from './testing/atomicTestChain.ts'
import { AvmTestChain, idOf as idOfAvm, madeBy } from './testing/avmTestChain.ts'
import { id, idOf as idOfPlatform, PlatformTestChain } from './testing/platformTestChain.ts'

const AMOUNT = 1_000_000_000n

/**
 * Creates the three chains on one state, with functions that export and import UTXOs and return error codes.
 */
function network() {
  const P = new PlatformTestChain()
  const [X, C] = [new AvmTestChain(P), new AtomicTestChain(P)]
  const { avaxAssetId: assetId, chainIds } = P.state.rules
  const input = { type: 'TransferInput', amount: AMOUNT, signatureIndices: [0] } as const

  const exported: Record<ChainAlias, (to: ChainAlias) => UtxoId.UtxoId> = {
    P(to) {
      const tx = {
        type: 'ExportTx',
        ...P.base(AMOUNT),
        destinationChain: chainIds[to],
        exportedOutputs: [P.out(AMOUNT)],
      } as const
      P.accept(P.standard(tx))
      return { txID: idOfPlatform(tx), outputIndex: 1 }
    },
    X(to) {
      const tx = X.exportTo(to, AMOUNT)
      X.accept(tx)
      return { txID: idOfAvm(tx), outputIndex: 1 }
    },
    C(to) {
      const tx = C.exportTo(to, AMOUNT)
      C.accept(tx)
      return { txID: AtomicTx.id(AtomicTx.encode({ unsignedTx: tx, credentials: [] })), outputIndex: 0 }
    },
  }
  /** For each chain: a function that returns a block with `times` imports of a UTXO. */
  const importing: Record<
    ChainAlias,
    (from: Uint8Array, utxo: UtxoId.UtxoId, amount?: bigint, times?: number) => Uint8Array
  > = {
    P(sourceChain, utxo, amount = AMOUNT, times = 1) {
      const importedInputs = [{ ...utxo, assetID: assetId, input: { ...input, amount } }]
      const part = { networkID: 12345, blockchainID: chainIds.P, inputs: [], sourceChain, importedInputs }
      const txs = Array.from({ length: times }, (_, i) => {
        return { type: 'ImportTx', ...part, outputs: [P.out(amount - 10_000_000n)], memo: id(1, i) } as const
      })
      return P.standard(...txs)
    },
    X(sourceChain, utxo, amount = AMOUNT, times = 1) {
      const tx = { ...X.importFrom('P', utxo, amount), sourceChain }
      return X.block(Array.from({ length: times }, (_, i) => ({ ...tx, memo: id(1, i) })))
    },
    C(sourceChain, utxo, amount = AMOUNT, times = 1) {
      const tx = { ...C.importFrom('P', utxo, amount), sourceChain }
      return C.block(Array.from({ length: times }, () => tx))
    },
  }
  const refusal = (chain: ChainAlias, bytes: Uint8Array) => {
    try {
      Ledger.apply(P.state, chain, bytes)
      return 'none'
    } catch (error) {
      if (!isFirnError(error)) throw error
      const { source } = error.details
      return error.code === 'LEDGER_SHARED_MEMORY' ? `${error.code} ${source}` : error.code
    }
  }
  return { testChains: { P, X, C }, state: P.state, chainIds, exported, importing, refusal }
}

const WAYS = [
  ['P', 'X'],
  ['P', 'C'],
  ['X', 'P'],
  ['X', 'C'],
  ['C', 'P'],
  ['C', 'X'],
] as const

const all = CHAIN_ALIASES

describe.each(WAYS)('exports of %s to %s', (from, to) => {
  it('keeps an exported UTXO in shared memory until the other chain imports it', () => {
    const { state, chainIds, exported, importing, refusal } = network()
    const utxo = exported[from](to)
    const inMemory = () => [...state.tables.utxo.ordered()].filter(({ chain, source }) => chain !== source)
    const held = inMemory().map((item) => [item.source, item.chain, item.height, item.utxo.outputIndex])
    expect(held).toEqual([[from, to, 1n, utxo.outputIndex]])
    const bytes = importing[to](chainIds[from], utxo)
    expect(refusal(to, bytes)).toBe('none')
    const changes = Ledger.apply(state, to, bytes)
    const consumed = changes.flatMap((change) =>
      change.type === 'utxo' && change.after === undefined ? [[change.before?.source, change.txId]] : [],
    )
    expect(consumed).toEqual([[from, expect.any(Uint8Array)]])
    expect(madeBy(changes).map(({ chain, source }) => [chain, source])).toEqual(to === 'C' ? [] : [[to, to]])
  })

  it('rejects an import before its export, and a second import of the same UTXO', () => {
    const { chainIds, exported, importing, refusal, state } = network()
    const missing = { txID: id(9), outputIndex: 0 }
    expect(refusal(to, importing[to](chainIds[from], missing))).toBe(`LEDGER_SHARED_MEMORY ${from}`)
    const utxo = exported[from](to)
    expect(refusal(to, importing[to](chainIds[from], { ...utxo, outputIndex: 9 }))).toBe(
      `LEDGER_SHARED_MEMORY ${from}`,
    )
    expect(refusal(to, importing[to](chainIds[from], utxo, AMOUNT, 2))).toBe('LEDGER_UTXO')
    LedgerState.commit(state, Ledger.apply(state, to, importing[to](chainIds[from], utxo)))
    expect(refusal(to, importing[to](chainIds[from], utxo))).toBe(`LEDGER_SHARED_MEMORY ${from}`)
  })

  it('rejects an import whose amount, source or destination differs from the export', () => {
    const { chainIds, exported, importing, refusal } = network()
    const utxo = exported[from](to)
    expect(refusal(to, importing[to](chainIds[from], utxo, AMOUNT + 1n))).toBe('LEDGER_UTXO')
    const third = all.find((chain) => chain !== from && chain !== to) ?? 'P'
    expect(refusal(to, importing[to](chainIds[third], utxo))).toBe('LEDGER_UTXO')
    expect(refusal(third, importing[third](chainIds[from], utxo))).toBe('LEDGER_UTXO')
    expect(refusal(to, importing[to](chainIds[to], utxo))).toBe('LEDGER_CHAIN')
    expect(refusal(to, importing[to](id(1), utxo))).toBe('LEDGER_CHAIN')
  })
})

describe('UTXOs in shared memory', () => {
  it('rejects spending a UTXO in shared memory without an import', () => {
    const { testChains, exported } = network()
    const utxo = exported.C('X')
    const input = { ...testChains.X.input(testChains.X.state.rules.avaxAssetId), ...utxo }
    const transfer = { ...input.input, amount: AMOUNT }
    const tx = {
      type: 'BaseTx',
      ...testChains.X.base(),
      inputs: [{ ...input, input: transfer }],
      outputs: [],
    } as const
    expect(testChains.X.refusal(tx)).toBe('LEDGER_UTXO')
  })
})
