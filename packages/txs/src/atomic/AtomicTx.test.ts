import { Hex, Id, isFirnError, Json } from '@firn/codec'
import { PrivateKey, PublicKey } from '@firn/keys'
import { describe, expect, it } from 'vitest'
import * as NodeJson from '../avax/NodeJson.ts'
import * as Credentials from '../fx/Credentials.ts'
import type * as Secp256k1 from '../fx/Secp256k1.ts'
import { testRoundTrips } from '../testing/properties.ts'
import { cases } from '../testing/vectors.ts'
import * as AtomicBatch from './AtomicBatch.ts'
import * as AtomicFees from './AtomicFees.ts'
import * as AtomicRequests from './AtomicRequests.ts'
import * as AtomicSyntax from './AtomicSyntax.ts'
import * as AtomicTx from './AtomicTx.ts'
import * as AtomicUtxo from './AtomicUtxo.ts'

const FILE = 'cchain-atomic-txs'
const [note] = cases(FILE, 'note')
const avaxAssetId = Id.parse(note?.['avaxAssetID'])
const context = {
  blockchainId: Id.parse(note?.['cChainID']),
  xChainId: Id.parse(note?.['xChainID']),
  avaxAssetId,
}
const hexes = (list: readonly Uint8Array[]) => list.map((bytes) => Hex.encode(bytes))

describe.each(cases(FILE, 'valid'))('$name', (vector) => {
  const bytes = Hex.decode(vector.bytes)
  const tx = AtomicTx.decode(bytes)

  it("encodes to the vector's bytes, id and JSON", () => {
    expect(Hex.encode(AtomicTx.encode(tx))).toBe(vector.bytes)
    expect(Hex.encode(AtomicTx.unsignedBytes(bytes, tx))).toBe(vector['unsignedBytes'])
    expect(Hex.encode(AtomicTx.encodeUnsigned(tx.unsignedTx))).toBe(vector['unsignedBytes'])
    expect(Id.format(AtomicTx.id(bytes))).toBe(vector['id'])
    expect(Json.stringify(AtomicTx.toJSON(tx))).toBe(vector['json'])
    expect(AtomicTx.fromJSON(Json.parse(vector['json']))).toEqual(tx)
  })

  it("returns the vector's gas, burned amount, fees and gas price", () => {
    expect(AtomicFees.contentGas(tx).toString()).toBe(vector['gasUsed'])
    expect(AtomicFees.gasUsed(tx).toString()).toBe(vector['gasUsedFixedFee'])
    expect(AtomicFees.burned(tx, avaxAssetId).toString()).toBe(vector['burnedAVAX'])
    expect(AtomicFees.effectiveGasPrice(tx, avaxAssetId).toString()).toBe(vector['effectiveGasPrice'])
    for (const { baseFee, fee, blockFeeContribution } of vector['fees']) {
      const gas = AtomicFees.gasUsed(tx)
      expect(AtomicFees.dynamicFee(gas, BigInt(baseFee)).toString()).toBe(fee)
      const contribution = attempt(() => AtomicFees.blockFeeContribution(tx, avaxAssetId, BigInt(baseFee)))
      expect(contribution?.toString()).toBe(blockFeeContribution)
    }
  })

  it('returns the effects on shared memory and the syntax check result of the vector', () => {
    expect(hexes(AtomicRequests.spent(tx)).sort()).toEqual([...vector['inputUTXOs']].sort())
    const requests = AtomicRequests.of(tx, AtomicTx.id(bytes))
    expect({
      chainID: Id.format(requests.chainId),
      remove: hexes(requests.remove),
      put: requests.put.map(({ key, value, traits }) => ({
        key: Hex.encode(key),
        value: Hex.encode(value),
        traits: hexes(traits),
      })),
    }).toEqual(vector['atomicOps'])
    expect(vector['verifyError']).toBe(null)
    AtomicSyntax.assertValid(tx.unsignedTx, { ...context, networkId: vector['networkID'] })
  })

  it('recovers the signers from the credentials', () => {
    const signers = tx.credentials.map((credential) =>
      Credentials.recoverSigners(AtomicTx.unsignedBytes(bytes, tx), credential as Secp256k1.Credential),
    )
    const expected = (vector['signers'] as string[][]).map((keys) =>
      keys.map((key) => PublicKey.address(PrivateKey.publicKey(Hex.decode(key)))),
    )
    expect(signers).toEqual(expected)
  })
})

it.each(cases(FILE, 'decode'))('accepts or rejects the bytes like the node: $name', (vector) => {
  const tx = attempt(() => AtomicTx.decode(Hex.decode(vector.bytes)))
  expect(tx !== undefined).toBe(vector['ok'])
  if (tx !== undefined) expect(Id.format(AtomicTx.id(AtomicTx.encode(tx)))).toBe(vector['id'])
})

it.each(cases(FILE, 'syntactic'))('passes or fails the syntactic check like the node: $name', (vector) => {
  const { unsignedTx } = AtomicTx.decode(Hex.decode(vector.bytes))
  const check = () => AtomicSyntax.assertValid(unsignedTx, { ...context, networkId: vector['networkID'] })
  expect(attempt(() => check() ?? true) !== undefined).toBe(vector['ok'])
})

it.each(cases(FILE, 'batch'))('decodes and re-encodes a batch of atomic transactions', (vector) => {
  const txs = AtomicBatch.decode(Hex.decode(vector.bytes))
  expect(txs.map((tx) => Id.format(AtomicTx.id(AtomicTx.encode(tx))))).toEqual(vector['ids'])
  expect(Hex.encode(AtomicBatch.encode(txs))).toBe(vector.bytes)
})

it.each(cases(FILE, 'extract'))('extracts the atomic transactions of a block: $name', (vector) => {
  const decode = vector['batch'] ? AtomicBatch.decode : AtomicBatch.decodeSingle
  const txs = attempt(() => decode(Hex.decode(vector.bytes)))
  expect(txs !== undefined).toBe(vector['ok'])
  if (txs !== undefined) expect(txs).toHaveLength(vector['count'])
})

describe('invalid fees', () => {
  const tx = AtomicTx.decode(Hex.decode(cases(FILE, 'valid')[0]?.bytes))

  it.each([0n, -1n])('rejects a base fee of %s', (baseFee) => {
    const contribution = () => AtomicFees.blockFeeContribution(tx, avaxAssetId, baseFee)
    expect(contribution).toThrow(expect.objectContaining({ code: 'TXS_BASE_FEE' }))
  })

  it('returns a block fee contribution of 0 if exactly the fee is burned, and of 1 nAVAX if 1 nAVAX more is burned', () => {
    const burned = AtomicFees.burned(tx, avaxAssetId)
    const contribution = (gas: bigint) =>
      AtomicFees.blockFeeContribution(tx, avaxAssetId, AtomicFees.WEI_PER_NAVAX, gas)
    expect(contribution(burned)).toBe(0n)
    expect(contribution(burned - 1n)).toBe(AtomicFees.WEI_PER_NAVAX)
    expect(() => contribution(burned + 1n)).toThrow(expect.objectContaining({ code: 'TXS_FUNDS' }))
  })

  it('rejects an import that produces more than it consumes, and an amount that overflows 64 bits', () => {
    const { unsignedTx } = tx
    if (unsignedTx.type !== 'ImportTx') throw new TypeError('expected an import first')
    const [output] = unsignedTx.outputs
    const most = { ...(output as AtomicTx.EvmOutput), amount: 2n ** 64n - 1n }
    const withOutputs = (outputs: AtomicTx.EvmOutput[]) => ({ ...tx, unsignedTx: { ...unsignedTx, outputs } })
    const burned = (outputs: AtomicTx.EvmOutput[]) => () =>
      AtomicFees.burned(withOutputs(outputs), avaxAssetId)
    expect(burned([most])).toThrow(expect.objectContaining({ code: 'TXS_FUNDS' }))
    expect(burned([most, most])).toThrow(expect.objectContaining({ code: 'TXS_OVERFLOW' }))
    expect(() => AtomicFees.dynamicFee(1n, 2n ** 100n)).toThrow(
      expect.objectContaining({ code: 'TXS_OVERFLOW' }),
    )
  })
})

testRoundTrips('atomic transaction', AtomicTx.codec)
testRoundTrips('atomic transaction with a context', AtomicTx.codec, { context: NodeJson.context(5, 'C') })
testRoundTrips('batch', AtomicBatch.codec, { numRuns: 30 })
testRoundTrips('atomic UTXO', AtomicUtxo.codec)

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (isFirnError(error)) return undefined
    throw error
  }
}
