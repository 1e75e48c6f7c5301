import { Bytes, type ChainAlias, Id } from '@firn/codec'
import { LedgerState } from '@firn/ledger'
import * as Verify from '@firn/ledger/Verify'
import { AtomicTx, AvmTx } from '@firn/txs'
import { describe, expect, it } from 'vitest'
import { flipped, recordedState, refused, stateBeforeHelicon, transaction } from '../testing/refusals.ts'
import * as Refusals from './Refusals.ts'

type State = LedgerState.LedgerState

/** Returns the error text for a transaction, half a minute after the last block. */
function textOf(state: State, chain: ChainAlias, bytes: Uint8Array): string {
  const now = LedgerState.tip(state, 'P').time + 30n
  const refusal = Verify.refusal(state, chain, bytes, now)
  return refusal === undefined ? 'valid' : Refusals.text(chain, bytes, refusal)
}

describe('Refusals.text', () => {
  const state = recordedState()

  it.each([
    ['P', 200],
    ['X', 150],
    ['C', 50],
  ] as const)("is the node's for all recorded refusals of the %s-chain", (chain, least) => {
    const all = refused.filter((one) => one.chain === chain)
    expect(all.length).toBeGreaterThan(least)
    const texts = all.map(({ name, bytes }) => [name, textOf(state, chain, bytes)])
    expect(texts).toEqual(all.map(({ name, text }) => [name, text]))
  })

  it.each(['p.transfer', 'p.exportTo', 'p.createSubnet', 'x.transfer', 'x.exportTo', 'c.exportTo'])(
    'is not needed for the valid transaction %s',
    (name) => {
      expect(textOf(state, name[0]?.toUpperCase() as ChainAlias, transaction(name))).toBe('valid')
    },
  )
})

/** Returns the bytes of the recorded export of the C-chain after a change. */
function exported(change: (tx: AtomicTx.Of<'ExportTx'>) => Partial<AtomicTx.Of<'ExportTx'>>): Uint8Array {
  const tx = AtomicTx.decode(transaction('c.exportTo'))
  const { unsignedTx } = tx
  if (unsignedTx.type !== 'ExportTx') return expect.unreachable()
  return AtomicTx.encode({ ...tx, unsignedTx: { ...unsignedTx, ...change(unsignedTx) } })
}

const AVAX = 'Kc5tgFvYaNzeWZfW134sUcK6TUoXeKDrn2R3bFBY3DgxU6Poc'
const OTHER = new Uint8Array(32).fill(7)

describe('texts of several inputs', () => {
  const state = recordedState()
  const { unsignedTx, credentials } = AvmTx.decode(transaction('x.transfer'))
  const [input = expect.unreachable()] = unsignedTx.inputs
  const spend = (inputs: readonly AvmTx.In[]) => {
    const signed = { unsignedTx: { ...unsignedTx, inputs }, credentials: inputs.flatMap(() => credentials) }
    return textOf(state, 'X', AvmTx.encode(signed))
  }

  it('names the first invalid input, with its UTXO or its signature', () => {
    const missing = (byte: number) => ({ ...input, txID: new Uint8Array(32).fill(byte) })
    expect(spend([input, missing(0xff)])).toMatch(/^failed to verify transfer: wrong signature: expected/)
    expect(spend([missing(0), input])).toMatch(
      /^failed to verify transfer: failed to get utxo \w+: not found$/,
    )
  })
})

describe('texts of the C-chain', () => {
  const [before, since] = [stateBeforeHelicon(), recordedState()]
  const valid = transaction('c.exportTo')

  it.each([
    ['another version', flipped(valid, 1, 1), 'unknown codec version', 'unknown codec version'],
    [
      'an unknown type',
      flipped(valid, 5, 2),
      "couldn't unmarshal interface: unknown type ID 3",
      "couldn't unmarshal interface: unknown type ID 3",
    ],
    [
      'a type that is not a transaction',
      flipped(valid, 5, 4),
      "couldn't unmarshal interface: *secp256k1fx.TransferInput does not implement interface atomic.UnsignedAtomicTx",
      "couldn't unmarshal interface: *secp256k1fx.TransferInput does not implement interface tx.Unsigned",
    ],
  ])('starts with the failed step for %s', (_name, bytes, coreth, saevm) => {
    expect(textOf(before, 'C', bytes)).toBe(`problem parsing transaction: ${coreth}`)
    expect(textOf(since, 'C', bytes)).toBe(`parsing tx: ${saevm}`)
  })

  it.each([
    [
      'no outputs',
      exported(() => ({ exportedOutputs: [] })),
      'tx has no export outputs',
      'sanity check: no outputs',
    ],
    [
      'no inputs',
      exported(() => ({ inputs: [] })),
      'export tx flow check failed due to: insufficient funds',
      'sanity check: no inputs',
    ],
    [
      'another network',
      exported(() => ({ networkID: 9 })),
      'tx was issued with a different network ID',
      'sanity check: wrong network ID: want 54545, got 9',
    ],
    [
      'an input without value',
      exported(({ inputs }) => ({ inputs: inputs.map((one) => ({ ...one, amount: 0n })) })),
      'input has no value',
      'sanity check: invalid input (0): zero amount',
    ],
    [
      'an input of another asset',
      exported(({ inputs }) => ({ inputs: inputs.map((one) => ({ ...one, assetID: OTHER })) })),
      'export input cannot contain non-AVAX in Banff',
      `sanity check: input contains non-AVAX (0): want ${AVAX}, got ${Id.format(OTHER)}`,
    ],
    [
      'repeated inputs',
      exported(({ inputs }) => ({ inputs: [...inputs, ...inputs] })),
      'inputs not sorted and unique',
      'sanity check: inputs not sorted and unique',
    ],
  ])("uses the node's words at the time for %s", (_name, bytes, coreth, saevm) => {
    expect(textOf(before, 'C', bytes)).toBe(coreth)
    expect(textOf(since, 'C', bytes)).toBe(`issuing tx: ${saevm}`)
  })

  it('names the credential that is missing or has another signer', () => {
    const none = AtomicTx.encode({ ...AtomicTx.decode(valid), credentials: [] })
    expect(textOf(before, 'C', none)).toBe('export tx contained incorrect number of credentials want 1 got 0')
    const count = 'issuing tx: credential verification: incorrect number of credentials: want 1, got 0'
    expect(textOf(since, 'C', none)).toBe(count)
    const other = exported(({ inputs }) => ({ inputs: inputs.map((one) => ({ ...one, nonce: 99n })) }))
    expect(textOf(before, 'C', other)).toBe("signature doesn't match public key")
    expect(textOf(since, 'C', other)).toMatch(
      /signature does not match address \(0\): want 0x\w+, got 0x\w+$/,
    )
  })

  it.each([
    [300, 'tx gas usage (312000) exceeds maximum allowed mempool gas usage (100000)', undefined],
    [1_000, 'tx size (BYTES) exceeds total atomic txs size target (40960)', 'GAS > 1000000'],
  ])('names the limit of the mempool that an export of %i inputs exceeds', (count, coreth, saevm) => {
    const bytes = exported(({ inputs: [input = expect.unreachable()] }) => ({
      inputs: Array.from({ length: count }, (_, i) => {
        const address = new Uint8Array(20)
        new DataView(address.buffer).setUint32(0, i)
        return { ...input, address }
      }),
    }))
    const { unsignedTx } = AtomicTx.decode(bytes)
    const gas = AtomicTx.unsignedSize(unsignedTx) + count * 1_000 + 10_000
    expect(textOf(before, 'C', bytes)).toBe(
      coreth.replace('312000', `${gas}`).replace('BYTES', `${bytes.length}`),
    )
    if (saevm === undefined) return
    expect(textOf(since, 'C', bytes)).toBe(
      `issuing tx: gas exceeds minimum gas target: ${saevm.replace('GAS', `${gas}`)}`,
    )
  })

  it('rejects credentials of other types while parsing since Helicon', () => {
    const tx = AtomicTx.decode(valid)
    const text = (credential: AtomicTx.Verifiable) =>
      textOf(since, 'C', AtomicTx.encode({ ...tx, credentials: [credential] }))
    expect(text({ type: 'TransferInput', amount: 1n, signatureIndices: [] })).toBe(
      "parsing tx: couldn't unmarshal interface: *secp256k1fx.TransferInput does not implement interface tx.Credential",
    )
    expect(text({ type: 'Input', signatureIndices: [] })).toBe(
      "parsing tx: couldn't unmarshal interface: unknown type ID 10",
    )
  })

  it('names both sizes for bytes after the end of a transaction', () => {
    const bytes = Bytes.concat(valid, Uint8Array.of(0))
    const text = `trailing buffer space: read ${valid.length} provided ${bytes.length}`
    expect(textOf(before, 'C', bytes)).toBe(`problem parsing transaction: ${text}`)
    expect(textOf(since, 'C', bytes)).toBe(`parsing tx: ${text}`)
  })
})
