import { CheckedHex, Hex, Id } from '@firn/codec'
import { describe, expect, it } from 'vitest'
import * as Describe from './Describe.ts'
import * as Container from './proposervm/Container.ts'
import { cases } from './testing/vectors.ts'

const blocks = cases('recorded-p', 'block')
const longest = blocks.reduce((a, b) => (b['bytes'].length > a['bytes'].length ? b : a))

describe('recorded structures', () => {
  it.each(blocks)('describes a recorded P-chain block: $name', (block) => {
    const tree = Describe.tree(Hex.decode(block['bytes']))
    expect(tree).toMatchObject({ kind: 'P-chain block', id: block['id'] })
  })

  it.each(cases('recorded-x-c', 'cBlock'))(
    'describes the recorded C-chain block inside a container: $name',
    (block) => {
      expect(Describe.tree(CheckedHex.decode(block['containerBytes']))).toMatchObject({
        kind: 'proposervm container',
        id: block['containerID'],
        block: { kind: 'C-chain block', hash: block['hash'], transactions: block['transactions'] },
      })
    },
  )

  it.each(cases('recorded-x-c', 'atomic'))(
    'describes a recorded atomic transaction: $name',
    ({ bytes, id }) => {
      const [reading] = Describe.readings(CheckedHex.decode(bytes))
      expect(reading?.tree).toMatchObject({ kind: 'C-chain atomic transaction', id })
    },
  )

  it('shows the type name and the id of each transaction in a block', () => {
    const withTxs = blocks.find(({ json }) => json.includes('"txs":[{')) as (typeof blocks)[0]
    const [tx] = JSON.parse(withTxs['json']).txs
    const tree = Describe.tree(Hex.decode(withTxs['bytes']))
    expect(tree).toMatchObject({ type: 'BanffStandardBlock', txs: [{ kind: expect.any(String), id: tx.id }] })
  })
})

describe('structures with unknown content', () => {
  const parentId = Id.hash(Uint8Array.of(1))
  const option = Container.encode({ type: 'Option', parentID: parentId, block: Uint8Array.of(1, 2, 3) })

  it('shows an unknown inner block as bytes and marks the description as incomplete', () => {
    const [reading] = Describe.readings(option)
    expect(reading).toMatchObject({
      isWhole: false,
      tree: { kind: 'proposervm container', block: '0x010203' },
    })
  })

  it('lists structures that decode only partly after structures that decode completely', () => {
    const other = Describe.structure({
      name: 'any bytes',
      decode: (bytes) => bytes,
      describe: () => ({ members: {} }),
    })
    const found = Describe.readings(option, {}, [...Describe.STRUCTURES, other])
    expect(found.map(({ tree }) => tree)).toMatchObject([
      { kind: 'any bytes', alsoReadsAs: ['proposervm container'] },
      { kind: 'proposervm container' },
    ])
  })
})

describe('UTXOs', () => {
  const plain = cases('utxos', 'valid').find(({ name }) => name === 'X-chain secp256k1fx.TransferOutput')
  const bytes = Hex.decode(plain?.['bytes'])

  it('recognizes the bytes of a UTXO as a UTXO of every chain, and prefers the requested chain', () => {
    const kinds = ['P-chain UTXO', 'X-chain UTXO', 'C-chain UTXO']
    expect(Describe.readings(bytes).map(({ tree }) => tree.kind)).toEqual(kinds)
    expect(Describe.tree(bytes, { chain: 'C' })).toMatchObject({
      kind: 'C-chain UTXO',
      id: plain?.['inputID'],
      alsoReadsAs: ['P-chain UTXO', 'X-chain UTXO'],
    })
  })

  it('formats addresses for the requested network and chain', () => {
    const text = JSON.stringify(Describe.tree(bytes, { networkId: 5, chain: 'X' }), (_name, value) =>
      typeof value === 'bigint' ? String(value) : value,
    )
    expect(text).toContain('X-fuji1')
  })
})

describe('refusals', () => {
  const bytes = Hex.decode(longest['bytes'])
  it.each([
    ['empty input', new Uint8Array()],
    ['zeros', new Uint8Array(6)],
    ['one byte too few', bytes.subarray(0, -1)],
    ['one byte too many', Uint8Array.of(...bytes, 0)],
  ])('rejects bytes that match no structure: %s', (_name, given) => {
    expect(Describe.readings(given)).toEqual([])
    expect(() => Describe.tree(given)).toThrow(
      expect.objectContaining({
        code: 'TXS_UNRECOGNIZED',
        details: { attempts: expect.objectContaining({ 'P-chain block': expect.any(String) }) },
      }),
    )
  })

  it('names the closest matching structure in the error', () => {
    expect(() => Describe.tree(bytes.subarray(0, -1))).toThrow(/closest match is P-chain block: /)
  })
})
