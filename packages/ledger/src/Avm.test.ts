import { Hex } from '@firn/codec'
import { XChainGenesis } from '@firn/genesis'
import { AvmBlock, type AvmFx, type AvmTx } from '@firn/txs'
import { describe, expect, it } from 'vitest'
import * as LedgerState from './LedgerState.ts'
import { AvmTestChain, idOf, madeBy } from './testing/avmTestChain.ts'
import { contents } from './testing/contents.ts'
import { id, OWNER, PlatformTestChain } from './testing/platformTestChain.ts'

const { locktime, threshold } = OWNER
const OTHER = { locktime, threshold, addresses: [id(8, 20)] }
const SIGNERS = { signatureIndices: [0] }

describe('blocks of the X-chain', () => {
  it("starts the X-chain after the stop vertex from the network's constants", () => {
    const stop = id(9)
    const { state } = new PlatformTestChain({ cortinaXChainStopVertexId: stop, cortina: 5n })
    const first = XChainGenesis.firstBlock(stop, 5n)
    expect(LedgerState.tip(state, 'X')).toMatchObject({ height: 0n, time: 5n, blockId: AvmBlock.id(first) })
  })

  const testChain = new AvmTestChain()
  const txsOf = () => [{ type: 'BaseTx', ...testChain.base() }] as const

  it('rejects a block with a wrong height, parent or time, or without transactions', () => {
    const { height, time } = testChain.tip
    const refusal = (part: object) => testChain.refusalOf(testChain.block(txsOf(), part))
    expect(refusal({})).toBe('none')
    expect([refusal({ height }), refusal({ height: height + 2n })]).toEqual([
      'LEDGER_HEIGHT',
      'LEDGER_HEIGHT',
    ])
    expect(refusal({ parentID: id(1) })).toBe('LEDGER_PARENT')
    expect([refusal({ time }), refusal({ time: time - 1n })]).toEqual(['none', 'LEDGER_TIME'])
    expect(testChain.refusal()).toBe('LEDGER_EMPTY_BLOCK')
  })

  it('records the new tip, and each transaction with its position', () => {
    const own = new AvmTestChain()
    const { time } = own.tip
    const first = { type: 'BaseTx', ...own.base() } as const
    const second = {
      ...first,
      inputs: [{ ...own.input(own.state.rules.avaxAssetId), txID: idOf(first), outputIndex: 0 }],
    }
    const amount = (first.outputs[0] as AvmTx.Out).output.amount
    const spending = second.inputs.map((input) => ({ ...input, input: { ...input.input, amount } }))
    const changes = own.accept(first, { ...second, inputs: spending, outputs: [own.out(5n)] })
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
      ['X', 1n, 0, 'BaseTx', 'Accepted'],
      ['X', 1n, 1, 'BaseTx', 'Accepted'],
    ])
    expect(Hex.encode(transactions[0]?.txId ?? id(0))).toBe(Hex.encode(idOf(first)))
    expect(own.tip).toMatchObject({ chain: 'X', height: 1n, time: time + 1n })
    expect(
      madeBy(changes).map(({ chain, source, height, ordinal }) => [chain, source, height, ordinal]),
    ).toEqual([
      ['X', 'X', 1n, 0],
      ['X', 'X', 1n, 1],
    ])
  })
})

describe('transactions of the X-chain', () => {
  const testChain = new AvmTestChain()
  const { avaxAssetId } = testChain.state.rules

  it('rejects an input whose UTXO is missing, already spent, or has a different amount', () => {
    const tx = { type: 'BaseTx', ...testChain.base() } as const
    const input = tx.inputs[0] as AvmTx.In
    expect(testChain.refusal({ ...tx, inputs: [{ ...input, outputIndex: 99 }] })).toBe('LEDGER_UTXO')
    const more = { ...input, input: { ...input.input, amount: input.input.amount + 1n } }
    expect(testChain.refusal({ ...tx, inputs: [more] })).toBe('LEDGER_UTXO')
    expect(testChain.refusal({ ...tx, inputs: [input, input] })).toBe('LEDGER_UTXO')
    expect(testChain.refusal(tx, { ...tx, memo: id(1, 1) })).toBe('LEDGER_UTXO')
    const own = new AvmTestChain()
    own.issue(tx)
    expect(own.refusal(tx)).toBe('LEDGER_UTXO')
  })

  it('rejects a transaction that produces more of an asset than it spends', () => {
    const { outputs, ...rest } = testChain.base(0n, 0n)
    const tx = { type: 'BaseTx', ...rest } as const
    expect(testChain.refusal({ ...tx, outputs })).toBe('none')
    expect(testChain.refusal({ ...tx, outputs: [...outputs, testChain.out(1n)] })).toBe('TXS_FUNDS')
    expect(testChain.refusal({ ...tx, outputs: [testChain.out(1n, id(1))] })).toBe('TXS_FUNDS')
    const exported = {
      ...tx,
      type: 'ExportTx',
      outputs,
      destinationChain: testChain.state.rules.chainIds.C,
    } as const
    expect(testChain.refusal({ ...exported, exportedOutputs: [testChain.out(1n)] })).toBe('TXS_FUNDS')
  })

  it('rejects unknown assets, and feature extensions that an asset does not use', () => {
    const unknown = { ...testChain.input(avaxAssetId), assetID: id(1) }
    const moved = { ...testChain.base(), inputs: [unknown], outputs: [testChain.out(1n, id(1))] }
    expect(testChain.refusal({ type: 'BaseTx', ...moved })).toBe('LEDGER_ASSET')
    expect(testChain.refusal({ type: 'BaseTx', ...moved, outputs: [] })).toBe('LEDGER_ASSET')
    expect(
      testChain.refusal({ type: 'BaseTx', ...testChain.base(), outputs: [testChain.out(0n, id(1))] }),
    ).toBe('LEDGER_ASSET')
    const own = new AvmTestChain()
    const output = { type: 'NftMintOutput', groupID: 1, ...OWNER } as const
    const assetId = own.issue(own.createAsset([{ fxIndex: 1, outputs: [output] }]))
    const wrong = {
      ...own.base(),
      inputs: [{ ...own.input(avaxAssetId), assetID: assetId }],
      outputs: [own.out(1n, assetId)],
    }
    expect(own.refusal({ type: 'BaseTx', ...wrong })).toBe('LEDGER_ASSET')
    const mint = { type: 'MintOperation', mintInput: SIGNERS, mintOutput: OWNER } as const
    const operation = { ...mint, transferOutput: { amount: 1n, ...OWNER } }
    expect(own.refusal(own.operate(assetId, [], operation))).toBe('LEDGER_ASSET')
  })

  it('rejects an input whose asset differs from the asset of its UTXO', () => {
    const own = new AvmTestChain()
    const output = { type: 'TransferOutput', amount: 7n, ...OWNER } as const
    const assetId = own.issue(own.createAsset([{ fxIndex: 0, outputs: [output] }]))
    const made = own.input(assetId)
    const as = (asset: Uint8Array) => {
      const { inputs, outputs, ...rest } = own.base()
      return {
        type: 'BaseTx',
        ...rest,
        inputs: [{ ...made, assetID: asset }],
        outputs: [own.out(7n, asset)],
      } as const
    }
    expect([own.refusal(as(assetId)), own.refusal(as(avaxAssetId))]).toEqual(['none', 'LEDGER_UTXO'])
  })

  it('rejects an input that spends an output of a non-transfer type, or a UTXO of another chain', () => {
    const own = new AvmTestChain()
    const output = { type: 'MintOutput', ...OWNER } as const
    const assetId = own.issue(own.createAsset([{ fxIndex: 0, outputs: [output] }]))
    const input = { type: 'TransferInput', amount: 1n, signatureIndices: [0] } as const
    const spend = {
      ...own.base(),
      inputs: [{ txID: assetId, outputIndex: 1, assetID: assetId, input }],
      outputs: [],
    }
    expect(own.refusal({ type: 'BaseTx', ...spend })).toBe('LEDGER_UTXO')
    const [held] = [...own.state.tables.utxo.ordered()].filter(({ chain }) => chain === 'P')
    const foreign = {
      ...own.input(avaxAssetId),
      txID: held?.utxo.txID ?? id(0),
      outputIndex: held?.utxo.outputIndex ?? 0,
    }
    expect(own.refusal({ type: 'BaseTx', ...own.base(), inputs: [foreign], outputs: [] })).toBe('LEDGER_UTXO')
  })

  it('leaves the state unchanged until a block is committed, and restores it on revert', () => {
    const own = new AvmTestChain()
    const before = contents(own.state)
    const output = { type: 'NftMintOutput', groupID: 1, ...OWNER } as const
    const changes = own.accept(own.createAsset([{ fxIndex: 1, outputs: [output] }]))
    expect(contents(own.state)).not.toEqual(before)
    LedgerState.revert(own.state, changes)
    own.refusal(own.exportTo('P', 5n))
    expect(contents(own.state)).toEqual(before)
  })
})

describe('assets', () => {
  const OUTPUTS = [
    {
      fxIndex: 0,
      outputs: [
        { type: 'MintOutput', ...OWNER },
        { type: 'TransferOutput', amount: 9n, ...OWNER },
      ],
    },
    { fxIndex: 1, outputs: [{ type: 'NftMintOutput', groupID: 3, ...OWNER }] },
    { fxIndex: 2, outputs: [{ type: 'PropertyMintOutput', ...OWNER }] },
  ] as const
  const payload = id(6, 4)

  const made = () => {
    const testChain = new AvmTestChain()
    const assetId = testChain.issue(testChain.createAsset(OUTPUTS))
    const at = (outputIndex: number) => ({ txID: assetId, outputIndex })
    return { testChain, assetID: assetId, at }
  }
  const MINT = {
    type: 'MintOperation',
    mintInput: SIGNERS,
    mintOutput: OWNER,
    transferOutput: { amount: 4n, ...OTHER },
  } as const
  const NFT = {
    type: 'NftMintOperation',
    mintInput: SIGNERS,
    groupID: 3,
    payload,
    outputs: [OWNER, OTHER],
  } as const
  const PROPERTY = {
    type: 'PropertyMintOperation',
    mintInput: SIGNERS,
    mintOutput: OWNER,
    ownedOutput: OTHER,
  } as const

  it('identifies an asset by its creating transaction and creates its initial outputs', () => {
    const { testChain, assetID: assetId } = made()
    const record = testChain.state.tables.asset.get(Hex.encodeBare(assetId))
    expect(record).toEqual({
      assetId,
      name: 'Made',
      symbol: 'MADE',
      denomination: 2,
      fxIndices: [0, 1, 2],
    })
    const own = [...testChain.state.tables.utxo.ordered()].filter(
      ({ utxo }) => Hex.encode(utxo.txID) === Hex.encode(assetId),
    )
    expect(own.map(({ utxo: { outputIndex, output } }) => [outputIndex, output.type]).sort()).toEqual([
      [0, 'TransferOutput'],
      [1, 'MintOutput'],
      [2, 'TransferOutput'],
      [3, 'NftMintOutput'],
      [4, 'PropertyMintOutput'],
    ])
  })

  it('allows an operation on an asset in the block that creates it', () => {
    const testChain = new AvmTestChain()
    const create = testChain.createAsset(OUTPUTS)
    const txId = idOf(create)
    const avax = { ...(create.inputs[0] as AvmTx.In), txID: txId, outputIndex: 0 }
    const { amount } = (create.outputs[0] as AvmTx.Out).output
    const inputs = [{ ...avax, input: { ...avax.input, amount } }]
    const { outputs: _, ...operation } = testChain.operate(txId, [{ txID: txId, outputIndex: 1 }], MINT)
    expect(testChain.refusal(create, { ...operation, inputs, outputs: [] })).toBe('none')
    expect(testChain.refusal({ ...operation, inputs, outputs: [] }, create)).toBe('LEDGER_UTXO')
  })

  it('mints, transfers and burns assets through operations', () => {
    const { testChain, assetID: assetId, at } = made()
    const kinds = (tx: AvmTx.UnsignedTx) =>
      madeBy(testChain.accept(tx))
        .map(({ utxo }) => utxo.output.type)
        .slice(1)
    expect(kinds(testChain.operate(assetId, [at(1)], MINT))).toEqual(['MintOutput', 'TransferOutput'])
    const mintNft = testChain.operate(assetId, [at(3)], NFT)
    expect(kinds(mintNft)).toEqual(['NftTransferOutput', 'NftTransferOutput'])
    const output = { groupID: 3, payload, ...OTHER }
    const move = { type: 'NftTransferOperation', input: SIGNERS, output } as const
    const token = { txID: idOf(mintNft), outputIndex: 1 }
    expect(kinds(testChain.operate(assetId, [token], move))).toEqual(['NftTransferOutput'])
    expect(testChain.refusal(testChain.operate(assetId, [token], move))).toBe('LEDGER_UTXO')
    const mintProperty = testChain.operate(assetId, [at(4)], PROPERTY)
    expect(kinds(mintProperty)).toEqual(['PropertyMintOutput', 'PropertyOwnedOutput'])
    const burn = { type: 'PropertyBurnOperation', ...SIGNERS } as const
    const property = { txID: idOf(mintProperty), outputIndex: 2 }
    expect(kinds(testChain.operate(assetId, [property], burn))).toEqual([])
    expect(testChain.refusal(testChain.operate(assetId, [property], burn))).toBe('LEDGER_UTXO')
  })

  it('rejects an operation that changes the owners of the right to mint', () => {
    const { testChain, assetID: assetId, at } = made()
    const refusal = (outputIndex: number, operation: AvmFx.Action) =>
      testChain.refusal(testChain.operate(assetId, [at(outputIndex)], operation))
    expect(refusal(1, MINT)).toBe('none')
    const owners = [
      OTHER,
      { ...OWNER, locktime: 1n },
      { ...OWNER, threshold: 0 },
      { ...OWNER, addresses: [] },
    ]
    for (const mintOutput of owners) {
      expect(refusal(1, { ...MINT, mintOutput })).toBe('LEDGER_OPERATION')
      expect(refusal(4, { ...PROPERTY, mintOutput })).toBe('LEDGER_OPERATION')
    }
    expect(refusal(4, PROPERTY)).toBe('none')
    expect([refusal(3, NFT), refusal(3, { ...NFT, groupID: 4 })]).toEqual(['none', 'LEDGER_OPERATION'])
    const token = { txID: testChain.issue(testChain.operate(assetId, [at(3)], NFT)), outputIndex: 1 }
    const move = (part: object) =>
      testChain.refusal(
        testChain.operate(assetId, [token], {
          type: 'NftTransferOperation',
          input: SIGNERS,
          output: { groupID: 3, payload, ...OTHER, ...part },
        }),
      )
    expect([move({}), move({ groupID: 4 }), move({ payload: id(7, 4) })]).toEqual([
      'none',
      'LEDGER_OPERATION',
      'LEDGER_OPERATION',
    ])
  })

  it('rejects an operation on several UTXOs, or on a UTXO of the wrong kind or asset', () => {
    const { testChain, assetID: assetId, at } = made()
    const burn = { type: 'PropertyBurnOperation', ...SIGNERS } as const
    const move = {
      type: 'NftTransferOperation',
      input: SIGNERS,
      output: { groupID: 3, payload, ...OTHER },
    } as const
    for (const operation of [MINT, NFT, PROPERTY, burn, move]) {
      expect(testChain.refusal(testChain.operate(assetId, [at(2)], operation))).toBe('LEDGER_OPERATION')
    }
    expect(testChain.refusal(testChain.operate(assetId, [], MINT))).toBe('LEDGER_OPERATION')
    expect(testChain.refusal(testChain.operate(assetId, [at(1), at(2)], MINT))).toBe('LEDGER_OPERATION')
    const other = testChain.issue({ ...testChain.createAsset(OUTPUTS), name: 'Other' })
    expect(testChain.refusal(testChain.operate(assetId, [{ txID: other, outputIndex: 1 }], MINT))).toBe(
      'LEDGER_OPERATION',
    )
  })
})
