import { describe } from 'vitest'
import * as NodeJson from '../avax/NodeJson.ts'
import { testRoundTrips } from '../testing/properties.ts'
import * as AvmBlock from './AvmBlock.ts'
import * as AvmCredential from './AvmCredential.ts'
import * as AvmTx from './AvmTx.ts'
import * as AvmUtxo from './AvmUtxo.ts'

const context = NodeJson.context(5, 'X')

/**
 * Returns true for the two types that JSON never distinguishes: an owned property and the right to mint one.
 */
const isOwned = (type: string) => type === 'PropertyOwnedOutput' || type === 'PropertyMintOutput'

/**
 * Returns true if JSON determines the type of each output of an initial state. It does not if a right to mint belongs
 * to another fx, or if an output is an owned property.
 */
function isTold({ fxIndex, outputs }: AvmTx.InitialState): boolean {
  return outputs.every(({ type }) =>
    type === 'PropertyMintOutput' ? fxIndex === 2 : type === 'MintOutput' ? fxIndex !== 2 : !isOwned(type),
  )
}

function hasJson({ unsignedTx, credentials }: AvmTx.AvmTx): boolean {
  const isPlain = unsignedTx.type !== 'CreateAssetTx' || unsignedTx.initialStates.every(isTold)
  return isPlain && !credentials.some(({ type }) => isOwned(type))
}

describe('X-chain structures', () => {
  testRoundTrips('transaction', AvmTx.codec, { context, hasJson })
  for (const type of ['BaseTx', 'CreateAssetTx', 'OperationTx', 'ImportTx', 'ExportTx'] as const) {
    testRoundTrips(type, only(type), { context, hasJson, numRuns: 50 })
  }
  testRoundTrips('block', AvmBlock.codec, { context, hasJson: ({ txs }) => txs.every(hasJson), numRuns: 30 })
  testRoundTrips('credential', AvmCredential.codec, { context, hasJson: ({ type }) => !isOwned(type) })
  testRoundTrips('credential without a context', AvmCredential.codec, {
    hasJson: ({ type }) => type === 'Credential' || type === 'TransferOutput',
  })
  testRoundTrips('UTXO', AvmUtxo.codec, { context, hasJson: ({ output }) => !isOwned(output.type) })
  testRoundTrips('initial state', AvmTx.InitialState, { context, hasJson: isTold })
  testRoundTrips('operation', AvmTx.Operation, { context })
})

/** Returns the transaction codec restricted to one type, for generating random values. */
function only(type: AvmTx.TxType): typeof AvmTx.codec {
  return {
    ...AvmTx.codec,
    arbitrary: (fc, open) =>
      AvmTx.codec.arbitrary(fc, open).filter(({ unsignedTx }) => unsignedTx.type === type),
  }
}
