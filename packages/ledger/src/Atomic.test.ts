import { Hex } from '@firn/codec'
import { Networks, Upgrades } from '@firn/genesis'
import { AtomicTx } from '@firn/txs'
import { describe, expect, it } from 'vitest'
import * as Atomic from './Atomic.ts'
import * as LedgerState from './LedgerState.ts'
import { AtomicTestChain } from './testing/atomicTestChain.ts'
import { AvmTestChain, codeOf, idOf as idOfAvm, madeBy } from './testing/avmTestChain.ts'
import { contents } from './testing/contents.ts'
import * as evmBlocks from './testing/evmBlocks.ts'
import { id, PlatformTestChain } from './testing/platformTestChain.ts'
import { load } from './testing/recordings.ts'

const idOf = (unsignedTx: AtomicTx.UnsignedTx) =>
  AtomicTx.id(AtomicTx.encode({ unsignedTx, credentials: [] }))

describe('blocks of the C-chain', () => {
  it('accepts any parent for the first C-chain block, then rejects blocks that do not follow the tip', () => {
    const testChain = new AtomicTestChain()
    expect(testChain.refusalOf(testChain.block([], { number: 2n }))).toBe('LEDGER_HEIGHT')
    expect(testChain.refusalOf(testChain.block([], { number: 0n }))).toBe('LEDGER_HEIGHT')
    const first = testChain.block([], { parentHash: id(1) })
    LedgerState.commit(testChain.state, Atomic.apply(testChain.state, first))
    const { time } = testChain.tip
    expect(testChain.tip).toMatchObject({ chain: 'C', height: 1n, blockId: evmBlocks.id(first) })
    const refusal = (part: object) => testChain.refusalOf(testChain.block([], part))
    expect(refusal({})).toBe('none')
    expect([refusal({ number: 1n }), refusal({ number: 3n })]).toEqual(['LEDGER_HEIGHT', 'LEDGER_HEIGHT'])
    expect(refusal({ parentHash: id(1) })).toBe('LEDGER_PARENT')
    expect([refusal({ timestamp: time }), refusal({ timestamp: time - 1n })]).toEqual(['none', 'LEDGER_TIME'])
  })

  it('accepts block formats from before and after asynchronous execution', () => {
    const testChain = new AtomicTestChain()
    for (const form of ['coreth', 'sae'] as const) {
      const bytes = testChain.block([testChain.exportTo('P', 5n)], { form })
      const changes = Atomic.apply(testChain.state, bytes)
      LedgerState.commit(testChain.state, changes)
      expect([testChain.tip.blockId, madeBy(changes).length]).toEqual([evmBlocks.id(bytes), 1])
    }
  })

  it('rejects atomic transactions that do not match the hash in the header', () => {
    const testChain = new AtomicTestChain()
    const txs = [testChain.exportTo('P', 5n)]
    expect(testChain.refusalOf(testChain.block(txs))).toBe('none')
    expect(testChain.refusalOf(testChain.block(txs, { extDataHash: id(1) }))).toBe('LEDGER_EXT_DATA')
    expect(testChain.refusalOf(testChain.block([], { extDataHash: id(1) }))).toBe('LEDGER_EXT_DATA')
    for (const length of [1, 2, 55, 56, 255, 256, 70_000]) {
      const code = testChain.refusalOf(testChain.block([], { extData: id(1, length) }))
      expect([length, code.startsWith('CODEC_')]).toEqual([length, true])
    }
    const early = new PlatformTestChain({ apricotPhase1: Upgrades.UNSCHEDULED })
    const before = new AtomicTestChain(early)
    expect(before.refusalOf(before.block([], { extDataHash: id(0) }))).toBe('none')
  })

  it('executes several atomic transactions per block since Apricot phase 5, and at most one before', () => {
    const testChain = new AtomicTestChain()
    const txs = [testChain.exportTo('P', 5n, 6n), testChain.exportTo('X', 7n)]
    const changes = testChain.accept(...txs)
    const transactions = changes.flatMap((change) => (change.type === 'transaction' ? [change] : []))
    expect(
      transactions.map(({ chain, height, position, name, status }) => [
        chain,
        height,
        position,
        name,
        status,
      ]),
    ).toEqual([
      ['C', 1n, 0, 'ExportTx', 'Accepted'],
      ['C', 1n, 1, 'ExportTx', 'Accepted'],
    ])
    expect(transactions.map(({ txId }) => Hex.encode(txId))).toEqual(txs.map((tx) => Hex.encode(idOf(tx))))
    expect(
      madeBy(changes).map(({ chain, source, ordinal, utxo }) => [chain, source, ordinal, utxo.outputIndex]),
    ).toEqual([
      ['P', 'C', 0, 0],
      ['P', 'C', 1, 1],
      ['X', 'C', 2, 0],
    ])
    const early = new AtomicTestChain(new PlatformTestChain({ apricotPhase5: Upgrades.UNSCHEDULED }))
    const [unsignedTx] = txs
    const extData = AtomicTx.encode({ unsignedTx: unsignedTx as AtomicTx.UnsignedTx, credentials: [] })
    expect(early.refusalOf(early.block([], { extData }))).toBe('none')
    expect(early.refusal(...txs)).toMatch(/^CODEC_/)
    expect(testChain.refusalOf(testChain.block([], { extData }))).toMatch(/^CODEC_/)
  })

  it('rejects a transaction that produces more than it consumes', () => {
    const testChain = new AtomicTestChain()
    const tx = testChain.exportTo('P', 5n)
    const [input] = tx.inputs
    if (input === undefined) throw new RangeError('no input')
    expect(testChain.refusal({ ...tx, inputs: [{ ...input, amount: 4n }] })).toBe('TXS_FUNDS')
    expect(testChain.refusal({ ...tx, inputs: [{ ...input, assetID: id(1) }] })).toBe('TXS_FUNDS')
    const X = new AvmTestChain(testChain)
    const exported = X.exportTo('C', 9n)
    X.accept(exported)
    const imported = testChain.importFrom('X', { txID: idOfAvm(exported), outputIndex: 1 }, 9n)
    const [output] = imported.outputs
    if (output === undefined) throw new RangeError('no output')
    expect(testChain.refusal(imported)).toBe('none')
    expect(testChain.refusal({ ...imported, outputs: [{ ...output, amount: 10n }] })).toBe('TXS_FUNDS')
    expect(testChain.refusal({ ...imported, outputs: [{ ...output, assetID: id(1) }] })).toBe('TXS_FUNDS')
    expect(testChain.refusal({ ...tx, destinationChain: testChain.state.rules.chainIds.C })).toBe(
      'LEDGER_CHAIN',
    )
    expect(testChain.refusal({ ...tx, destinationChain: id(1) })).toBe('LEDGER_CHAIN')
  })

  it('leaves the state unchanged until a block is committed, and restores it on revert', () => {
    const testChain = new AtomicTestChain()
    const before = contents(testChain.state)
    const changes = testChain.accept(testChain.exportTo('P', 5n))
    expect(contents(testChain.state)).not.toEqual(before)
    LedgerState.revert(testChain.state, changes)
    testChain.refusal(testChain.exportTo('P', 5n))
    expect(contents(testChain.state)).toEqual(before)
  })
})

describe('C-chain blocks of mainnet that repeated transactions', () => {
  const at = (networkId: number, height: bigint) => {
    const { genesis, constants } = load('local')
    const rules = LedgerState.rulesOf(genesis, { ...constants, networkId })
    const state = LedgerState.empty(rules)
    const after = {
      chain: 'C',
      height: height - 1n,
      blockId: id(1),
      time: 1_791_000_000n,
      platform: undefined,
    } as const
    LedgerState.commit(state, [{ type: 'tip', before: undefined, after, txId: undefined }])
    const testChain = new AtomicTestChain({ state })
    return { testChain, tx: testChain.importFrom('X', { txID: id(2), outputIndex: 0 }, 5n) }
  }

  it('accepts the known mainnet block that repeats a transaction, and leaves shared memory unchanged', () => {
    const { testChain, tx } = at(Networks.MAINNET.networkId, 102_972n)
    const bytes = testChain.block([tx])
    const changes = Atomic.apply(testChain.state, bytes)
    expect(changes.map(({ type }) => type)).toEqual(['transaction', 'tip'])
  })

  it('rejects repeated transactions in all other mainnet blocks, and on all other networks', () => {
    for (const [networkId, height] of [
      [Networks.MAINNET.networkId, 102_971n],
      [Networks.FUJI.networkId, 102_972n],
    ] as const) {
      const { testChain, tx } = at(networkId, height)
      expect(codeOf(() => Atomic.apply(testChain.state, testChain.block([tx])))).toBe('LEDGER_SHARED_MEMORY')
    }
  })
})
