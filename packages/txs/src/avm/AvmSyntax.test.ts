import { describe, expect, it } from 'vitest'
import { assertFxValue } from '../internal/fxChecks.ts'
import type { AvmCredential } from './AvmCredential.ts'

const one = new Uint8Array(20).fill(1)
const two = new Uint8Array(20).fill(2)
const owners = { locktime: 0n, threshold: 1, addresses: [one, two] }
const unsorted = { ...owners, addresses: [two, one] }
const input = { signatureIndices: [0, 1] }
const twice = { signatureIndices: [1, 1] }
const payload = new Uint8Array(1024)
const long = new Uint8Array(1025)

/** For each type of the feature extensions: a valid value, then changes that make it invalid. */
const VALUES: [AvmCredential, ...[Partial<AvmCredential>, string][]][] = [
  [
    { type: 'TransferInput', amount: 1n, ...input },
    [{ amount: 0n }, 'TXS_NO_VALUE'],
    [twice, 'TXS_INDICES_ORDER'],
  ],
  [
    { type: 'MintOutput', ...owners },
    [unsorted, 'TXS_ADDRESSES_ORDER'],
    [{ threshold: 3 }, 'TXS_OUTPUT_UNSPENDABLE'],
  ],
  [
    { type: 'TransferOutput', amount: 1n, ...owners },
    [{ amount: 0n }, 'TXS_NO_VALUE'],
    [{ threshold: 0 }, 'TXS_OUTPUT_UNOPTIMIZED'],
  ],
  [
    {
      type: 'MintOperation',
      mintInput: input,
      mintOutput: owners,
      transferOutput: { amount: 1n, ...owners },
    },
    [{ mintInput: twice }, 'TXS_INDICES_ORDER'],
    [{ mintOutput: unsorted }, 'TXS_ADDRESSES_ORDER'],
    [{ transferOutput: { amount: 0n, ...owners } }, 'TXS_NO_VALUE'],
  ],
  [{ type: 'NftMintOutput', groupID: 1, ...owners }, [unsorted, 'TXS_ADDRESSES_ORDER']],
  [
    { type: 'NftTransferOutput', groupID: 1, payload, ...owners },
    [{ payload: long }, 'TXS_PAYLOAD'],
    [unsorted, 'TXS_ADDRESSES_ORDER'],
  ],
  [
    { type: 'NftMintOperation', mintInput: input, groupID: 1, payload, outputs: [owners] },
    [{ payload: long }, 'TXS_PAYLOAD'],
    [{ mintInput: twice }, 'TXS_INDICES_ORDER'],
    [{ outputs: [owners, unsorted] }, 'TXS_ADDRESSES_ORDER'],
  ],
  [
    { type: 'NftTransferOperation', input, output: { groupID: 1, payload, ...owners } },
    [{ input: twice }, 'TXS_INDICES_ORDER'],
    [{ output: { groupID: 1, payload: long, ...owners } }, 'TXS_PAYLOAD'],
    [{ output: { groupID: 1, payload, ...unsorted } }, 'TXS_ADDRESSES_ORDER'],
  ],
  [{ type: 'PropertyMintOutput', ...owners }, [unsorted, 'TXS_ADDRESSES_ORDER']],
  [{ type: 'PropertyOwnedOutput', ...owners }, [unsorted, 'TXS_ADDRESSES_ORDER']],
  [
    { type: 'PropertyMintOperation', mintInput: input, mintOutput: owners, ownedOutput: owners },
    [{ mintInput: twice }, 'TXS_INDICES_ORDER'],
    [{ mintOutput: unsorted }, 'TXS_ADDRESSES_ORDER'],
    [{ ownedOutput: unsorted }, 'TXS_ADDRESSES_ORDER'],
  ],
  [{ type: 'PropertyBurnOperation', ...input }, [twice, 'TXS_INDICES_ORDER']],
  [{ type: 'Credential', signatures: [] }],
  [{ type: 'NftCredential', signatures: [] }],
  [{ type: 'PropertyCredential', signatures: [] }],
]

describe.each(VALUES)('$type', (value, ...refused) => {
  it('accepts a valid value', () => {
    expect(() => assertFxValue(value)).not.toThrow()
  })

  it.each(refused)('rejects the value after the invalid change %o', (change, code) => {
    const changed = { ...value, ...change } as AvmCredential
    expect(() => assertFxValue(changed)).toThrow(expect.objectContaining({ code }))
  })
})
