import { Hex } from '@firn/codec'
import { expect, test } from 'vitest'
import type { Block, Log, Transaction } from './Block.ts'
import * as Wrappings from './Wrappings.ts'

const DEPOSIT = '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c'
const WITHDRAWAL = '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65'
const contract = new Uint8Array(20).fill(9)
const word = (value: bigint) => Hex.decode(`0x${value.toString(16).padStart(64, '0')}`)
const log = (
  index: bigint,
  signature: string,
  account: bigint,
  data: Uint8Array,
  ...more: bigint[]
): Log => ({
  index,
  address: contract,
  topics: [Hex.decode(signature), word(account), ...more.map(word)],
  data,
})
const blockOf = (...logs: Log[]) =>
  ({ transactions: [{ logs } as unknown as Transaction] }) as unknown as Block

test('returns deposits as positive and withdrawals as negative amounts', () => {
  const block = blockOf(log(3n, DEPOSIT, 5n, word(7n)), log(4n, WITHDRAWAL, 6n, word(2n)))
  const of = (account: bigint) => word(account).subarray(12)
  expect(Wrappings.of(block)).toEqual([
    { logIndex: 3n, contract, address: of(5n), amount: 7n },
    { logIndex: 4n, contract, address: of(6n), amount: -2n },
  ])
})

test('skips logs that have other topics, another length, or no address', () => {
  const others = [
    log(0n, DEPOSIT, 5n, word(7n), 1n),
    log(1n, DEPOSIT, 5n, new Uint8Array(64)),
    log(2n, WITHDRAWAL, 1n << 160n, word(7n)),
    log(3n, `0x${'11'.repeat(32)}`, 5n, word(7n)),
    { index: 4n, address: contract, topics: [], data: word(1n) },
  ]
  expect(Wrappings.of(blockOf(...others))).toEqual([])
})
