import { Type } from 'typebox'
import { AssetAmount } from './AssetAmount.ts'
import { AvmUtxo } from './AvmUtxo.ts'
import { common } from './CommonTransaction.ts'
import { Credential } from './Credential.ts'

const both = {
  txHash: Type.String(),
  blockHeight: Type.Number(),
  blockHash: Type.String(),
  timestamp: Type.Number(),
  memo: Type.String(),
  amountUnlocked: Type.Array(AssetAmount),
  amountCreated: Type.Array(AssetAmount),
  ...common,
  sourceChain: Type.String(),
  destinationChain: Type.String(),
}

/** An atomic transaction of the C-chain. */
export const AtomicTransaction = Type.Union([
  Type.Object({
    ...both,
    txType: Type.Literal('ExportTx'),
    evmInputs: Type.Array(
      Type.Object({ fromAddress: Type.String(), asset: AssetAmount, credentials: Type.Array(Credential) }),
    ),
    consumedUtxos: Type.Array(AvmUtxo, { maxItems: 0 }),
    emittedUtxos: Type.Array(AvmUtxo),
  }),
  Type.Object({
    ...both,
    txType: Type.Literal('ImportTx'),
    evmOutputs: Type.Array(Type.Object({ toAddress: Type.String(), asset: AssetAmount })),
    consumedUtxos: Type.Array(AvmUtxo),
    emittedUtxos: Type.Array(AvmUtxo, { maxItems: 0 }),
  }),
])
