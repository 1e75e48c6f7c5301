import { Id } from '@firn/codec'
import { Networks, Upgrades } from '@firn/genesis'
import type { UnsignedTx } from '@firn/txs'
import { describe, expect, it } from 'vitest'
import type { Change } from './Change.ts'
import * as LedgerState from './LedgerState.ts'
import * as Platform from './Platform.ts'
import { contents } from './testing/contents.ts'
import { AUTHORIZATION, id, idOf, node, PlatformTestChain, TYPED } from './testing/platformTestChain.ts'
import * as txs from './testing/txs.ts'

describe('blocks', () => {
  const testChain = new PlatformTestChain()
  const { height, blockId: parentId } = testChain.tip
  const txsOf = () => [{ unsignedTx: txs.base(testChain), credentials: [] }]
  const standard = (part: object) =>
    testChain.block({ type: 'BanffStandardBlock', time: testChain.after(1), txs: txsOf(), ...part })

  it('rejects a block with a wrong height or parent', () => {
    expect(testChain.refusalOf(standard({}))).toBe('none')
    expect(testChain.refusalOf(standard({ height: height + 2n }))).toBe('LEDGER_HEIGHT')
    expect(testChain.refusalOf(standard({ parentID: id(1) }))).toBe('LEDGER_PARENT')
    expect(parentId).not.toEqual(id(1))
  })

  it('rejects a block time before the last block or after the next change of the validators', () => {
    expect(testChain.refusalOf(standard({ time: testChain.after(-1) }))).toBe('LEDGER_TIME')
    const [first] = testChain.state.tables.staker.ordered()
    const end = first?.endTime ?? 0n
    expect(testChain.refusalOf(standard({ time: end }))).toBe('none')
    expect(testChain.refusalOf(standard({ time: end + 1n }))).toBe('LEDGER_TIME')
  })

  it('rejects an empty standard block, and an Apricot block after Banff', () => {
    expect(testChain.refusal()).toBe('LEDGER_EMPTY_BLOCK')
    expect(testChain.refusalOf(testChain.block({ type: 'ApricotStandardBlock', txs: txsOf() }))).toBe(
      'LEDGER_BLOCK_TYPE',
    )
  })

  it('requires a commit or abort block after a proposal, and rejects such a block anywhere else', () => {
    const own = new PlatformTestChain()
    const time = own.after(1)
    expect(own.refusalOf(own.block({ type: 'BanffCommitBlock', time }))).toBe('LEDGER_OPTION')
    const txId = own.issue(txs.addValidator(own, 1, { seconds: 100 }))
    const end = own.tip.time + 100n
    const proposal = (tx: object) =>
      own.block({ type: 'BanffProposalBlock', time: end, txs: [], tx: { unsignedTx: tx, credentials: [] } })
    expect(own.refusalOf(proposal(txs.base(own)))).toBe('LEDGER_TX_TYPE')
    // The node calculates the gas first, so this error comes before the check of the transaction type.
    expect(own.refusal(txs.reward(txId))).toBe('TXS_UNSUPPORTED')
    own.accept(proposal(txs.reward(txId)))
    expect(own.refusal(txs.base(own))).toBe('LEDGER_OPTION')
    expect(own.refusalOf(own.block({ type: 'BanffAbortBlock', time: end + 1n }))).toBe('LEDGER_TIME')
    expect(own.refusalOf(own.block({ type: 'BanffAbortBlock', time: end }))).toBe('none')
  })

  it('reports the transactions of a proposal when the proposal is decided, with their index in the proposal', () => {
    const own = new PlatformTestChain()
    const txId = own.issue(txs.addValidator(own, 1, { seconds: 100 }))
    const time = own.tip.time + 100n
    const [first, tx] = [txs.base(own), txs.reward(txId)].map((unsignedTx) => ({
      unsignedTx,
      credentials: [],
    }))
    const proposal = own.accept(own.block({ type: 'BanffProposalBlock', time, txs: [first], tx }))
    expect(proposal.map(({ type }) => type)).toEqual(['tip'])
    const changes = own.accept(own.block({ type: 'BanffAbortBlock', time }))
    const transactions = changes.flatMap((change) => (change.type === 'transaction' ? [change] : []))
    expect(
      transactions.map(({ height, position, name, status }) => [height, position, name, status]),
    ).toEqual([
      [2n, 0, 'BaseTx', 'Committed'],
      [2n, 1, 'RewardValidatorTx', 'Aborted'],
    ])
    const made = changes.flatMap((change) => (change.type === 'utxo' ? (change.after ?? []) : []))
    expect(made.map(({ height, ordinal }) => [height, ordinal])).toEqual(made.map((_, i) => [3n, i]))
  })

  it('leaves the state unchanged until a block is committed, and restores it on revert', () => {
    const own = new PlatformTestChain()
    const before = contents(own.state)
    own.refusal(txs.base(own), txs.addDelegator(own, 1))
    Platform.apply(own.state, own.standard(txs.addValidator(own, 1)))
    expect(contents(own.state)).toEqual(before)
    const made = [
      own.accept(own.standard(txs.addValidator(own, 1))),
      own.accept(own.standard(txs.addDelegator(own, 1))),
      own.accept(own.standard(txs.createSubnet(own))),
    ]
    expect(contents(own.state)).not.toEqual(before)
    for (const changes of made.reverse()) LedgerState.revert(own.state, changes)
    expect(contents(own.state)).toEqual(before)
  })
})

describe('transactions', () => {
  const testChain = new PlatformTestChain()

  it('rejects an input whose UTXO is missing, already spent, or has a different amount', () => {
    const tx = txs.base(testChain)
    const [input] = tx.inputs
    if (input?.input.type !== 'TransferInput') throw new TypeError('another input')
    expect(testChain.refusal({ ...tx, inputs: [{ ...input, outputIndex: 99 }] })).toBe('LEDGER_UTXO')
    const more = { ...input, input: { ...input.input, amount: input.input.amount + 1n } }
    expect(testChain.refusal({ ...tx, inputs: [more] })).toBe('LEDGER_UTXO')
    expect(testChain.refusal(tx, tx)).toBe('LEDGER_UTXO')
  })

  it('rejects a transaction whose inputs do not cover its outputs and the fee', () => {
    const amount = 5n
    const unpaid = testChain.base(0n, 1_000_000n)
    expect(testChain.refusal({ type: 'BaseTx', ...testChain.base(0n, 0n) })).toBe('TXS_FUNDS')
    expect(testChain.refusal({ ...txs.addValidator(testChain, 1), ...unpaid })).toBe('TXS_FUNDS')
    const export_ = {
      type: 'ExportTx',
      ...unpaid,
      destinationChain: testChain.state.rules.chainIds.C,
    } as const
    expect(testChain.refusal({ ...export_, exportedOutputs: [testChain.out(1_000_000n + amount)] })).toBe(
      'TXS_FUNDS',
    )
    const own = new PlatformTestChain()
    const subnetId = own.issue(txs.createSubnet(own))
    const conversion = txs.convert(own, subnetId, [10_000_000n])
    expect(own.refusal({ ...conversion, ...own.base() })).toBe('TXS_FUNDS')
    const l1 = own.issue(conversion)
    expect(l1).toHaveLength(32)
    const increase = { validationID: Id.append(subnetId, 0), balance: 5_000_000n }
    expect(own.refusal({ type: 'IncreaseL1ValidatorBalanceTx', ...own.base(), ...increase })).toBe(
      'TXS_FUNDS',
    )
    expect(own.refusal({ type: 'IncreaseL1ValidatorBalanceTx', ...own.base(5_000_000n), ...increase })).toBe(
      'none',
    )
  })

  it('rejects transaction types that the active upgrades do not allow', () => {
    const early = new PlatformTestChain({ etna: Upgrades.UNSCHEDULED, durango: Upgrades.UNSCHEDULED })
    expect(early.refusal(txs.base(early))).toBe('LEDGER_TX_TYPE')
    const durango = new PlatformTestChain({ etna: Upgrades.UNSCHEDULED })
    expect(durango.refusal(txs.addOldValidator(durango, 1))).toBe('LEDGER_TX_TYPE')
    expect(durango.refusal(txs.reward(id(1)))).toBe('LEDGER_TX_TYPE')
    expect(testChain.refusal(txs.addAutoRenewed(testChain, 1, 100n, 0))).toBe('LEDGER_TX_TYPE')
    expect(early.refusal(txs.addOldValidator(early, 1))).toBe('none')
  })

  it("numbers exported outputs after the transaction's own outputs", () => {
    const own = new PlatformTestChain()
    const tx = {
      type: 'ExportTx',
      ...own.base(5n),
      destinationChain: own.state.rules.chainIds.C,
      exportedOutputs: [own.out(5n)],
    } as const
    const made = own
      .accept(own.standard(tx))
      .flatMap((change) => (change.type === 'utxo' ? (change.after ?? []) : []))
    expect(made.find(({ chain }) => chain !== 'P')).toMatchObject({
      chain: 'C',
      source: 'P',
      utxo: { outputIndex: 1 },
    })
    const refusal = (destinationChain: Uint8Array) =>
      own.refusal({ ...tx, ...own.base(5n), destinationChain })
    expect([Id.EMPTY, id(1), own.state.rules.chainIds.X].map(refusal)).toEqual([
      'LEDGER_CHAIN',
      'LEDGER_CHAIN',
      'none',
    ])
  })
})

/** Returns a copy of `second` that spends the change output of `first` in the same block. */
function after<T extends Spending>(testChain: PlatformTestChain, first: Spending, second: T): T {
  const [out] = first.outputs
  if (out?.output.type !== 'TransferOutput') throw new TypeError('another output')
  const { amount } = out.output
  const input = { type: 'TransferInput', amount, signatureIndices: [0] } as const
  const inputs = [{ txID: idOf(first), outputIndex: 0, assetID: out.assetID, input }]
  return { ...second, inputs, outputs: [testChain.out(amount - 1_000_000n)] }
}

type Spending = UnsignedTx.Of<'CreateSubnetTx' | 'CreateChainTx'>

/** Returns the height and ordinal of each created record. */
function placesOf(changes: readonly Change[], type: 'subnet' | 'chain') {
  return changes.flatMap((change) => {
    return change.type === type && change.after !== undefined
      ? [[change.after.height, change.after.ordinal]]
      : []
  })
}

describe('subnets', () => {
  const testChain = new PlatformTestChain()
  const subnetId = testChain.issue(txs.createSubnet(testChain))
  const nodeId = testChain.state.tables.member.ordered()[Symbol.iterator]().next().value?.nodeId ?? node(0)
  testChain.issue(txs.addSubnetValidator(testChain, subnetId, nodeId))

  it('rejects a subnet validator that is a duplicate or not a validator of the Primary Network', () => {
    expect(testChain.refusal(txs.addSubnetValidator(testChain, subnetId, nodeId))).toBe('LEDGER_STAKER')
    expect(testChain.refusal(txs.addSubnetValidator(testChain, subnetId, node(99)))).toBe('LEDGER_STAKER')
    expect(testChain.refusal(txs.addSubnetValidator(testChain, id(98), nodeId))).toBe('LEDGER_SUBNET')
    const primary = {
      nodeID: nodeId,
      subnetID: Networks.PRIMARY_NETWORK_ID,
      subnetAuthorization: AUTHORIZATION,
    }
    expect(testChain.refusal({ type: 'RemoveSubnetValidatorTx', ...testChain.base(), ...primary })).toBe(
      'LEDGER_STAKER',
    )
  })

  it("rejects changes by a subnet's owner once the subnet is an L1", () => {
    expect(testChain.refusal(txs.createChain(testChain, subnetId))).toBe('none')
    testChain.issue(txs.convert(testChain, subnetId, [10_000_000n]))
    expect(testChain.refusal(txs.createChain(testChain, subnetId))).toBe('LEDGER_SUBNET')
    expect(testChain.refusal(txs.convert(testChain, subnetId, [10_000_000n], 70))).toBe('LEDGER_SUBNET')
    const [other] = [...testChain.state.tables.member.ordered()].filter((item) => item.nodeId !== nodeId)
    expect(testChain.refusal(txs.addSubnetValidator(testChain, subnetId, other?.nodeId ?? node(0)))).toBe(
      'LEDGER_SUBNET',
    )
    const transfer = { subnetID: subnetId, subnetAuthorization: AUTHORIZATION, newOwner: TYPED }
    expect(testChain.refusal({ type: 'TransferSubnetOwnershipTx', ...testChain.base(), ...transfer })).toBe(
      'none',
    )
  })

  it('reports the block that created a subnet or chain, and its index in that block', () => {
    const own = new PlatformTestChain()
    const [chains, first] = [[...own.state.tables.chain.ordered()], txs.createSubnet(own)]
    expect(chains.map(({ height, ordinal }) => [height, ordinal])).toEqual([
      [0n, 0],
      [0n, 1],
    ])
    const changes = own.accept(own.standard(first, after(own, first, txs.createSubnet(own))))
    const transactions = changes.flatMap((change) => (change.type === 'transaction' ? [change.position] : []))
    expect(transactions).toEqual([0, 1])
    expect(placesOf(changes, 'subnet')).toEqual([
      [1n, 0],
      [1n, 1],
    ])
    const chain = txs.createChain(own, idOf(first))
    const made = own.accept(own.standard(chain, after(own, chain, txs.createChain(own, idOf(first)))))
    expect(placesOf(made, 'chain')).toEqual([
      [2n, 0],
      [2n, 1],
    ])
  })

  it('rejects an L1 validator whose node is already a validator of the subnet', () => {
    const own = new PlatformTestChain()
    const subnet = own.issue(txs.createSubnet(own))
    own.issue(txs.addSubnetValidator(own, subnet, nodeId))
    const tx = txs.convert(own, subnet, [10_000_000n])
    const validators = tx.validators.map((validator) => ({ ...validator, nodeID: nodeId }))
    expect(own.refusal({ ...tx, validators })).toBe('LEDGER_L1_VALIDATOR')
  })
})
