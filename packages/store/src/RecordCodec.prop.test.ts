import type { Codec } from '@firn/codec'
import { arbitrary } from '@firn/codec/testing'
import { LedgerState, type Records } from '@firn/ledger'
import { AvmFx, Stakeable } from '@firn/txs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as utxos from './internal/utxos.ts'
import { KINDS, VERSIONED } from './internal/versions.ts'
import * as RecordCodec from './RecordCodec.ts'
import { follow, load } from './testing/recordings.ts'

const CODECS: Readonly<Record<string, Codec.Codec<unknown>>> = {
  ...Object.fromEntries(VERSIONED.map((name) => [name, KINDS[name].codec as Codec.Codec<unknown>])),
  platformState: RecordCodec.platformState as Codec.Codec<unknown>,
}

describe.each(Object.keys(CODECS))('the codec %s', (name) => {
  const codec = CODECS[name] as Codec.Codec<unknown>

  test('round-trips any record', () => {
    fc.assert(
      fc.property(arbitrary(codec), (value) => {
        expect(codec.decode(codec.encode(value))).toEqual(value)
      }),
    )
  })

  test('rejects truncated bytes', () => {
    fc.assert(
      fc.property(arbitrary(codec), fc.nat(), (value, cut) => {
        const bytes = codec.encode(value)
        expect(() => codec.decode(bytes.subarray(0, cut % bytes.length))).toThrow(
          expect.objectContaining({ name: 'CodecError' }),
        )
      }),
    )
  })
})

describe('RecordCodec.encodeOutput', () => {
  const output = fc.oneof(arbitrary(AvmFx.State), arbitrary(Stakeable.Output))

  test('round-trips any output', () => {
    fc.assert(
      fc.property(output, (value) => {
        expect(RecordCodec.decodeOutput(RecordCodec.encodeOutput(value))).toEqual(value)
      }),
    )
  })

  test('stores type, amount and locks of an output in its row, and restores the output from the row', () => {
    fc.assert(
      fc.property(output, (value) => {
        const record = recordOf(value)
        const { row, addresses } = utxos.make(record, 7n)
        expect(utxos.recordOf(row)).toEqual(record)
        const inner = value.type === 'LockOut' ? value.output : value
        expect(row.amount).toBe('amount' in inner ? inner.amount : null)
        expect(row.stakeable_locktime).toBe(value.type === 'LockOut' ? value.locktime : null)
        expect([row.locktime, row.threshold, row.time]).toEqual([inner.locktime, inner.threshold, 7n])
        expect(row.output_type).toBe(TYPE_IDS[inner.type])
        expect(addresses.length).toBe(new Set(inner.addresses.map(String)).size)
      }),
    )
  })
})

/** Codec type ids on avalanchego's X-chain. `TransferOutput` has the same id on the P-chain. */
const TYPE_IDS: Readonly<Record<string, number>> = {
  MintOutput: 6,
  TransferOutput: 7,
  NftMintOutput: 10,
  NftTransferOutput: 11,
  PropertyMintOutput: 15,
  PropertyOwnedOutput: 16,
}

function recordOf(output: Records.Output): Records.Utxo {
  const [id, txId, assetId] = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte)) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ]
  const place = { chain: 'X', source: 'P', height: 2n ** 40n, ordinal: 3 } as const
  const utxo = { txID: txId, outputIndex: 4, assetID: assetId, output }
  return { id, utxo, origin: 'reward', rewardTxId: assetId, ...place }
}

describe.each(['local', 'helicon'] as const)('the record codecs of %s', (name) => {
  test('round-trips every record', () => {
    const { genesis, constants, chains } = load(name)
    const state = LedgerState.create(genesis, constants)
    const counts = new Map<string, number>()
    const check = (change: { readonly type: string; readonly after?: unknown }) => {
      const codec = CODECS[change.type]
      if (codec === undefined || change.after === undefined) return
      counts.set(change.type, (counts.get(change.type) ?? 0) + 1)
      const bytes = codec.encode(change.after)
      expect(codec.encode(codec.decode(bytes))).toEqual(bytes)
      expect(change.after).toMatchObject(codec.decode(bytes) as object)
    }
    for (const change of LedgerState.genesisChanges(genesis, constants)) check(change)
    for (const { changes } of follow(state, chains)) changes.forEach(check)
    const expected = name === 'local' ? VERSIONED : ['staker', 'chain', 'supply', 'member', 'asset']
    expect([...counts.keys()].toSorted()).toEqual([...expected].toSorted())
  })
})
