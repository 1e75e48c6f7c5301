import { Bytes, Hex } from '@firn/codec'
import { Nft, Property, Secp256k1, Stakeable } from '@firn/txs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { flatHex } from './internal/flatHex.ts'
import { pack, unpack } from './internal/packedUtxo.ts'
import { NAMES } from './internal/Tables.ts'
import * as Ledger from './Ledger.ts'
import * as LedgerState from './LedgerState.ts'
import type * as Records from './Records.ts'
import { load } from './testing/recordings.ts'

/**
 * Returns the largest number of unused bytes that a view within a value keeps in memory. A view keeps its
 * whole buffer in memory.
 */
function excess(value: unknown): number {
  if (value instanceof Uint8Array) return value.buffer.byteLength - value.byteLength
  if (typeof value !== 'object' || value === null) return 0
  return Math.max(0, ...Object.values(value).map(excess))
}

const id = fc.uint8Array({ minLength: 32, maxLength: 32 })
const kinds = {
  MintOutput: Secp256k1.MintOutput,
  TransferOutput: Secp256k1.TransferOutput,
  NftMintOutput: Nft.MintOutput,
  NftTransferOutput: Nft.TransferOutput,
  PropertyMintOutput: Property.MintOutput,
  PropertyOwnedOutput: Property.OwnedOutput,
  LockOut: Stakeable.LockOut,
}
const output = fc.oneof(
  ...Object.entries(kinds).map(([type, codec]) =>
    (codec.arbitrary(fc) as fc.Arbitrary<object>).map((value) => ({ type, ...value })),
  ),
) as unknown as fc.Arbitrary<Records.Output>
const chain = fc.constantFrom('P' as const, 'X' as const, 'C' as const)

describe('the stored state', () => {
  it('restores a UTXO of any kind after packing', () => {
    const utxo: fc.Arbitrary<Records.Utxo> = fc.record({
      id,
      chain,
      source: chain,
      utxo: fc.record({ txID: id, outputIndex: fc.nat(0xffff_ffff), assetID: id, output }),
      origin: fc.constantFrom('genesis', 'output', 'stake', 'reward', 'refund'),
      rewardTxId: fc.option(id, { nil: undefined }),
      height: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      ordinal: fc.nat(0xffff_ffff),
    })
    fc.assert(
      fc.property(utxo, (record) => {
        expect(unpack(pack(record), Hex.encodeBare(record.id))).toEqual(record)
      }),
    )
  })

  it('restores a UTXO with more bytes than a function call accepts as arguments', () => {
    const owner = {
      locktime: 0n,
      threshold: 1,
      addresses: Array.from({ length: 9000 }, (_, i) => bytesOf(i)),
    }
    const utxo = {
      txID: bytesOf(1, 32),
      outputIndex: 0,
      assetID: bytesOf(2, 32),
      output: { type: 'MintOutput', ...owner },
    } as const
    const place = {
      chain: 'X',
      source: 'X',
      origin: 'output',
      rewardTxId: undefined,
      height: 1n,
      ordinal: 0,
    } as const
    const record = { id: bytesOf(3, 32), utxo, ...place }
    expect(unpack(pack(record), Hex.encodeBare(record.id))).toEqual(record)
  })

  it('formats keys as hexadecimal digits', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        expect(flatHex(bytes)).toBe(Hex.encodeBare(bytes))
      }),
    )
  })

  it('keeps no bytes of a block in memory after committing it', () => {
    const { genesis, constants, blocks } = load('local')
    const state = LedgerState.create(genesis, constants)
    for (const block of blocks) {
      // Prepends bytes to simulate a block that was read as part of a batch.
      const batch = Bytes.concat(new Uint8Array(100_000), block.bytes)
      const changes = Ledger.apply(state, block.chain, batch.subarray(100_000))
      LedgerState.commit(state, changes)
    }
    for (const name of NAMES) {
      for (const record of state.tables[name].ordered()) {
        // Tips and UTXOs are skipped: a proposal is kept for one block only, and UTXOs are rebuilt when they
        // are read.
        if (name !== 'tip' && name !== 'utxo') expect([name, excess(record)]).toEqual([name, 0])
      }
    }
  })
})

function bytesOf(value: number, length = 20): Uint8Array {
  const bytes = new Uint8Array(length)
  new DataView(bytes.buffer).setUint32(0, value)
  return bytes
}
