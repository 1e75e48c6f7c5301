import { CheckedHex, Hex, Id } from '@firn/codec'
import { describe, expect, it } from 'vitest'
import * as Container from '../proposervm/Container.ts'
import { cases } from '../testing/vectors.ts'
import * as AtomicBatch from './AtomicBatch.ts'
import * as AtomicTx from './AtomicTx.ts'
import * as EvmBlock from './EvmBlock.ts'

const RECORDED = 'recorded-x-c'

function blockOf(containerBytes: string): EvmBlock.EvmBlock {
  return EvmBlock.decode(Container.open(CheckedHex.decode(containerBytes)).block)
}

function plain(value: bigint | Uint8Array): string {
  return typeof value === 'bigint' ? `0x${value.toString(16)}` : Hex.encode(value)
}

describe('recorded blocks of the C-chain, of 24 and of 30 header fields', () => {
  it.each(cases(RECORDED, 'cBlock'))(
    'decodes the recorded container and its C-chain block: $name',
    (recorded) => {
      const opened = Container.open(CheckedHex.decode(recorded['containerBytes']))
      expect(Id.format(opened.id)).toBe(recorded['containerID'])
      const block = EvmBlock.decode(opened.block)
      expect(Hex.encode(block.hash)).toBe(recorded['hash'])
      const header = Object.fromEntries(
        Object.entries(block.header).map(([name, value]) => [name, plain(value)]),
      )
      expect(header).toEqual(recorded['header'])
      expect(block.transactions.map((bytes) => Hex.encode(EvmBlock.transactionHash(bytes)))).toEqual(
        recorded['transactions'],
      )
      expect(Hex.encode(block.extData)).toBe(recorded['blockExtraData'])
      expect(block.version).toBe(0n)
    },
  )

  it('finds every accepted atomic transaction in the recorded C-chain block at its height', () => {
    const found = new Map<string, string>()
    for (const recorded of cases(RECORDED, 'cBlock')) {
      const block = blockOf(recorded['containerBytes'])
      for (const tx of AtomicBatch.of(block, 0n)) {
        found.set(Id.format(AtomicTx.id(AtomicTx.encode(tx))), block.header.number.toString())
      }
    }
    const accepted = cases(RECORDED, 'atomic').map((tx) => [tx['id'], tx['blockHeight']])
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(accepted))
  })
})

describe('bytes that are not a block of the C-chain', () => {
  it.each([
    ['a string', '0x80', 'TXS_RLP'],
    ['four items', '0xc4c0c0c080', 'TXS_EVM_BLOCK'],
    ['six items', '0xc6c0c0c0808080', 'TXS_EVM_BLOCK'],
    ['a header of no fields', '0xc5c0c0c08080', 'TXS_EVM_BLOCK'],
    ['a header of 31 fields', `0xe4df${'80'.repeat(31)}c0c08080`, 'TXS_UNSUPPORTED'],
    ['an uncle', `0xd6d0${'80'.repeat(16)}c0c1808080`, 'TXS_EVM_BLOCK'],
    ['a string of uncles', `0xd5d0${'80'.repeat(16)}c0808080`, 'TXS_EVM_BLOCK'],
    ['a list as a field', `0xd5d0${'80'.repeat(15)}c0c0c08080`, 'TXS_RLP'],
    ['a list as atomic transactions', `0xd5d0${'80'.repeat(16)}c0c080c0`, 'TXS_RLP'],
  ])('rejects bytes that are not a C-chain block: %s', (_what, hex, code) => {
    expect(() => EvmBlock.decode(Hex.decode(hex))).toThrow(expect.objectContaining({ code }))
  })

  it('reads the shortest valid block', () => {
    const block = EvmBlock.decode(Hex.decode(`0xd5d0${'80'.repeat(16)}c0c08080`))
    expect(block.header.number).toBe(0n)
    expect(block.header.baseFeePerGas).toBeUndefined()
  })
})

describe('the number of atomic transactions in a block', () => {
  const [batch] = cases('cchain-atomic-txs', 'batch')
  const [single] = cases('cchain-atomic-txs', 'valid')
  const block = (timestamp: bigint, extData: string) =>
    ({ header: { timestamp }, extData: Hex.decode(extData) }) as EvmBlock.EvmBlock

  it('allows several atomic transactions per block only since Apricot phase 5', () => {
    expect(AtomicBatch.of(block(100n, batch?.bytes), 100n)).toHaveLength(1)
    expect(() => AtomicBatch.of(block(99n, batch?.bytes), 100n)).toThrow()
    expect(AtomicBatch.of(block(99n, single?.bytes), 100n)).toHaveLength(1)
    expect(() => AtomicBatch.of(block(100n, single?.bytes), 100n)).toThrow()
  })
})
