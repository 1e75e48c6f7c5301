import type { Codec } from '@firn/codec'
import { arbitrary } from '@firn/codec/testing'
import fc from 'fast-check'
import { describe } from 'vitest'
import * as NodeJson from '../avax/NodeJson.ts'
import { testRoundTrips } from '../testing/properties.ts'
import * as PlatformBlock from './PlatformBlock.ts'
import * as PlatformTx from './PlatformTx.ts'
import * as PlatformUtxo from './PlatformUtxo.ts'
import * as UnsignedTx from './UnsignedTx.ts'
import * as Verifiable from './Verifiable.ts'

const context = NodeJson.context(1, 'P')
/** Returns false for transactions with invalid UTF-8, which does not round-trip through JSON text. */
const isText = (tx: PlatformTx.PlatformTx) =>
  !('chainName' in tx.unsignedTx) || tx.unsignedTx.chainName.isWellFormed()

const LAYOUTS = Object.entries(UnsignedTx.TYPES).map(([type, [, layout]]) => [type, layout] as const)

describe.each(LAYOUTS)('%s', (type, layout) => {
  const credentials = fc.array(arbitrary(Verifiable.Verifiable), { maxLength: 3 })
  const unsignedTx = arbitrary(layout as Codec.Codec<object>, [layout]).map((fields) => ({ type, ...fields }))
  const transactions = () => fc.record({ unsignedTx, credentials }, { noNullPrototype: true })
  const codec = { ...PlatformTx.codec, arbitrary: transactions } as unknown as typeof PlatformTx.codec
  testRoundTrips('a transaction', codec, { context, hasJson: isText, numRuns: 20 })
})

describe('P-chain', () => {
  testRoundTrips('a block', PlatformBlock.codec, {
    context,
    hasJson: (block) => PlatformBlock.transactions(block).every(isText),
    numRuns: 40,
  })
  testRoundTrips('a UTXO', PlatformUtxo.codec, { context })
})
