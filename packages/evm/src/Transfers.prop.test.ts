import { Hex } from '@firn/codec'
import fc from 'fast-check'
import { decodeAbiParameters, encodeAbiParameters, parseAbiParameters } from 'viem'
import { expect, test } from 'vitest'
import type { Block } from './Block.ts'
import * as BlockReader from './BlockReader.ts'
import * as Transfers from './Transfers.ts'
import { recordedChain } from './testing/recordedChain.ts'

const BATCH = Hex.decode('0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb')
const LISTS = parseAbiParameters('uint256[], uint256[]')
const owner = Hex.decode(`0x${'00'.repeat(12)}${'11'.repeat(20)}`)

/** Returns a block whose only log is a batch transfer with the given data. */
function blockOf(data: Uint8Array): Block {
  const parts = recordedChain('c').find(({ block }) => (block['transactions'] as unknown[]).length > 0)
  const block = BlockReader.read(parts ?? { block: {}, receipts: [] })
  const log = { index: 0n, address: new Uint8Array(20), topics: [BATCH, owner, owner, owner], data }
  return { ...block, transactions: block.transactions.slice(0, 1).map((one) => ({ ...one, logs: [log] })) }
}

const moved = (data: Uint8Array) =>
  Transfers.of(blockOf(data)).map(({ tokenId, amount }) => [tokenId, amount])

const word = fc.oneof(fc.bigInt(0n, 200n), fc.bigInt(0n, 2n ** 256n - 1n))

test('decodes an encoded batch transfer to the original token ids and amounts', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(word, word), { maxLength: 20 }), (pairs) => {
      const [ids, amounts] = [pairs.map(([id]) => id), pairs.map(([, amount]) => amount)]
      expect(moved(Hex.decode(encodeAbiParameters(LISTS, [ids, amounts])))).toEqual(pairs)
    }),
  )
})

test('accepts arbitrary data as a batch transfer only if a reference decoder accepts it', () => {
  const offsets = fc.constantFrom(0n, 1n, 31n, 32n, 64n, 96n, 128n, 160n, 2n ** 255n)
  const words = fc.array(fc.oneof(offsets, fc.constantFrom(1n, 2n, 3n), word), { maxLength: 12 })
  const cut = fc.nat(31)
  let [read, refused] = [0, 0]
  fc.assert(
    fc.property(words, cut, (values, missing) => {
      const digits = values.map((value) => value.toString(16).padStart(64, '0')).join('')
      const whole = Hex.decode(`0x${digits}`)
      const data = missing % 3 === 0 ? whole : whole.subarray(0, Math.max(0, whole.length - missing))
      const expected = decoded(data)
      if (expected === undefined) refused += 1
      else read += 1
      expect(moved(data)).toEqual(expected ?? [])
    }),
    { numRuns: 20_000 },
  )
  expect(read).toBeGreaterThan(20)
  expect(refused).toBeGreaterThan(20)
})

/** Decodes a batch with the reference decoder. Returns undefined if the data is not a valid batch. */
function decoded(data: Uint8Array): (readonly [bigint, bigint])[] | undefined {
  try {
    const [ids, amounts] = decodeAbiParameters(LISTS, data)
    return ids.length === amounts.length ? ids.map((id, i) => [id, amounts[i] ?? 0n]) : undefined
  } catch {
    return undefined
  }
}
