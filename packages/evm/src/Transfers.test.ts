import { Hex } from '@firn/codec'
import { describe, expect, test } from 'vitest'
import type { Block, Log, Transaction } from './Block.ts'
import * as Transfers from './Transfers.ts'

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const CONSECUTIVE = '0xdeaa91b6123d068f5821d0fb0678463d1a8a6079fe8af5de3ce5e896dcf9133d'
const word = (value: bigint) => Hex.decode(`0x${value.toString(16).padStart(64, '0')}`)
const log = (signature: string, topics: readonly bigint[], ...words: bigint[]): Log => ({
  index: 0n,
  address: new Uint8Array(20),
  topics: [Hex.decode(signature), ...topics.map(word)],
  data: Hex.decode(`0x${words.map((value) => Hex.encodeBare(word(value))).join('')}`),
})
const read = (...logs: Log[]) =>
  Transfers.of({ transactions: [{ index: 0, logs } as unknown as Transaction] } as unknown as Block).map(
    ({ standard, position, from, to, tokenId, amount }) =>
      [standard, position, from[19], to[19], tokenId ?? '-', amount].join(' '),
  )

describe('Transfers.of', () => {
  test.each([
    ['no indexed field', log(TRANSFER, [], 1n, 2n, 7n)],
    ['one indexed field', log(TRANSFER, [1n], 2n, 7n)],
    ['two indexed fields', log(TRANSFER, [1n, 2n], 7n)],
  ])('reads an ERC-20 transfer with %s', (_name, one) => {
    expect(read(one)).toEqual(['20 0 1 2 - 7'])
  })

  test.each([
    ['data that is too short', log(TRANSFER, [], 1n, 2n)],
    ['data that is too long', log(TRANSFER, [1n], 2n, 7n, 1n)],
    ['a sender that is no address', log(TRANSFER, [], 1n << 160n, 2n, 7n)],
    ['a recipient that is no address', log(TRANSFER, [1n], 1n << 160n, 7n)],
    ['a range that ends before its start', log(CONSECUTIVE, [9n, 0n, 1n], 8n)],
    ['a range without indexed fields', log(CONSECUTIVE, [9n, 0n], 9n, 1n)],
    ['a range that is too long', log(CONSECUTIVE, [0n, 0n, 1n], BigInt(Transfers.MAX_CONSECUTIVE))],
  ])('skips a log with %s', (_name, one) => {
    expect(read(one)).toEqual([])
  })

  test('reads one transfer for each token of a range', () => {
    expect(read(log(CONSECUTIVE, [5n, 0n, 3n], 7n), log(CONSECUTIVE, [9n, 3n, 4n], 9n))).toEqual([
      '721 0 0 3 5 1',
      '721 1 0 3 6 1',
      '721 2 0 3 7 1',
      '721 0 3 4 9 1',
    ])
  })

  test('skips the ranges of a block that exceed the limit together', () => {
    const most = BigInt(Transfers.MAX_CONSECUTIVE)
    const ranges = [
      log(CONSECUTIVE, [1n, 0n, 1n], most - 1n),
      log(CONSECUTIVE, [0n, 0n, 2n], 1n),
      log(CONSECUTIVE, [7n, 0n, 3n], 7n),
    ]
    const found = read(...ranges)
    expect(found).toHaveLength(Transfers.MAX_CONSECUTIVE)
    expect(found.at(-1)).toBe('721 0 0 3 7 1')
  })
})
