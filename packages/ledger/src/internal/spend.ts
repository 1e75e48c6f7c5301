import { Upgrades } from '@firn/genesis'
import { Amount, Complexity, Flow, Gas, PlatformTx, Stakeable, type UnsignedTx, Utxo } from '@firn/txs'
import type { PlatformDraft as Draft } from './PlatformDraft.ts'
import { peer } from './peers.ts'
import * as utxos from './utxos.ts'

/** The price of gas for all transactions of a block: undefined before Etna. */
export type GasPrice = bigint | undefined

/** Takes the gas of a block's transactions from what there is, and tells the price that held before. */
export function consumeGas(draft: Draft, txs: readonly PlatformTx.PlatformTx[]): GasPrice {
  const { tip, platform } = draft
  const { dynamicFee, upgrades } = draft.rules.constants
  if (!Upgrades.isActive(upgrades, 'etna', tip.time)) return undefined
  const price = Gas.price({ ...dynamicFee, excess: platform.gas.excess })
  if (txs.length === 0) return price
  const used = Gas.of(Gas.add(...txs.map(({ unsignedTx }) => Complexity.of(unsignedTx))), dynamicFee.weights)
  draft.setPlatform({ gas: Gas.consume(platform.gas, used) })
  return price
}

type Spending = Extract<UnsignedTx.UnsignedTx, { readonly inputs: unknown }>

/** Consumes what a transaction spends and makes its outputs, once they are found to balance, fee included. */
export function spend(draft: Draft, txId: Uint8Array, tx: Spending, price: GasPrice): void {
  assertBalanced(draft, tx, price)
  for (const input of tx.inputs) utxos.spend(draft, input, Stakeable.unlockedInput(input.input))
  if (tx.type === 'ImportTx') {
    const source = peer(draft, tx.sourceChain)
    for (const input of tx.importedInputs) {
      utxos.spend(draft, input, Stakeable.unlockedInput(input.input), source)
    }
  }
  for (const utxo of Utxo.of(txId, tx.outputs)) draft.makeUtxo(utxo, 'output')
  if (tx.type !== 'ExportTx') return
  const chain = peer(draft, tx.destinationChain)
  for (const utxo of Utxo.of(txId, tx.exportedOutputs, tx.outputs.length)) {
    draft.makeUtxo(utxo, 'output', chain)
  }
}

function assertBalanced({ rules }: Draft, tx: Spending, price: GasPrice): void {
  const { avaxAssetId: assetId, constants } = rules
  const fee = price === undefined ? 0n : Complexity.fee(tx, constants.dynamicFee.weights, price)
  const consumed = PlatformTx.inputs({ unsignedTx: tx, credentials: [] }).map(
    ({ assetID: assetId, input }) => ({
      assetID: assetId,
      amount: Stakeable.unlockedInput(input).amount,
    }),
  )
  Flow.assertBalanced(consumed, [...produced(tx, assetId), { assetID: assetId, amount: fee }])
}

/** All that a transaction brings forth beside its fee: outputs, exports, stake, rewards to be and balances. */
function* produced(tx: Spending, avaxAssetId: Uint8Array): Iterable<Flow.Share> {
  const outs = [
    ...tx.outputs,
    ...('stake' in tx ? tx.stake : []),
    ...(tx.type === 'ExportTx' ? tx.exportedOutputs : []),
  ]
  for (const { assetID: assetId, output } of outs)
    yield { assetID: assetId, amount: Stakeable.unlocked(output).amount }
  if (tx.type === 'TransformSubnetTx') {
    yield { assetID: tx.assetID, amount: tx.maximumSupply - tx.initialSupply }
  }
  if (tx.type === 'ConvertSubnetToL1Tx') {
    yield { assetID: avaxAssetId, amount: Amount.sum(tx.validators.map(({ balance }) => balance)) }
  }
  if ('balance' in tx) yield { assetID: avaxAssetId, amount: tx.balance }
}
