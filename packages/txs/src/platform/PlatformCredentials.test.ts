import { Id } from '@firn/codec'
import { PrivateKey, PublicKey, Signature } from '@firn/keys'
import { describe, expect, it } from 'vitest'
import * as PlatformCredentials from './PlatformCredentials.ts'
import * as PlatformTx from './PlatformTx.ts'
import type { PlatformUtxo } from './PlatformUtxo.ts'
import type * as Stakeable from './Stakeable.ts'
import type { UnsignedTx } from './UnsignedTx.ts'
import type { Verifiable } from './Verifiable.ts'

const key = Id.hash(Uint8Array.of(1))
const [assetId, txId] = [Id.hash(Uint8Array.of(2)), Id.hash(Uint8Array.of(3))]
const owners = { locktime: 0n, threshold: 1, addresses: [PublicKey.address(PrivateKey.publicKey(key))] }
const transfer = { type: 'TransferOutput', amount: 5n, ...owners } as const
const spend = { type: 'TransferInput', amount: 5n, signatureIndices: [0] } as const
const TIME = 100n
const LATER = 101n

const utxos: readonly PlatformUtxo[] = [
  { txID: txId, outputIndex: 0, assetID: assetId, output: transfer },
  {
    txID: txId,
    outputIndex: 1,
    assetID: assetId,
    output: { type: 'LockOut', locktime: LATER, output: transfer },
  },
  {
    txID: txId,
    outputIndex: 2,
    assetID: assetId,
    output: { type: 'LockOut', locktime: TIME, output: transfer },
  },
]
const state: PlatformCredentials.State = {
  time: TIME,
  utxo: ({ outputIndex }) => utxos[outputIndex],
  authority: owners,
}

const input = (outputIndex: number, input: Stakeable.Input = spend): Stakeable.In => ({
  txID: txId,
  outputIndex,
  assetID: assetId,
  input,
})
const locked = (locktime: bigint): Stakeable.Input => ({ type: 'LockIn', locktime, input: spend })
const base = { networkID: 1, blockchainID: Id.EMPTY, outputs: [], memo: new Uint8Array() }
const spending = (...inputs: Stakeable.In[]): UnsignedTx => ({ type: 'BaseTx', ...base, inputs })
const disabling = (disableAuthorization: Verifiable): UnsignedTx => ({
  type: 'DisableL1ValidatorTx',
  ...base,
  inputs: [input(0)],
  validationID: txId,
  disableAuthorization,
})

/** Checks a transaction that carries the given number of credentials, each signed by the owner. */
function check(unsignedTx: UnsignedTx, count: number, change: Partial<PlatformCredentials.State> = {}): void {
  const signature = Signature.signMessage(PlatformTx.encodeUnsigned(unsignedTx), key)
  const credential = { type: 'Credential' as const, signatures: [signature] }
  const tx = { unsignedTx, credentials: Array.from({ length: count }, () => credential) }
  PlatformCredentials.assertValid(PlatformTx.encode(tx), tx, { ...state, ...change })
}

describe('PlatformCredentials.assertValid with valid credentials', () => {
  it.each<[string, UnsignedTx, number]>([
    ['an unlocked UTXO', spending(input(0)), 1],
    ['a locked UTXO that stays locked', spending(input(0), input(1, locked(LATER))), 2],
    ['a UTXO whose lock has just ended', spending(input(2)), 1],
    ['a UTXO that keeps its expired lock', spending(input(2, locked(TIME))), 1],
    [
      'credentials of imported inputs after credentials of other inputs',
      {
        ...spending(input(0)),
        type: 'ImportTx',
        sourceChain: txId,
        importedInputs: [input(2)],
      } as UnsignedTx,
      2,
    ],
    ['an authorization', disabling({ type: 'Input', signatureIndices: [0] }), 2],
    ['a proposal of the chain', { type: 'RewardValidatorTx', txID: txId }, 0],
  ])('accepts valid credentials for %s', (_what, tx, count) => {
    check(tx, count)
  })
})

describe('PlatformCredentials.assertValid with invalid credentials', () => {
  it.each<[string, UnsignedTx, number, string, Partial<PlatformCredentials.State>?]>([
    ['too few credentials', spending(input(0), input(2)), 1, 'TXS_CREDENTIAL'],
    ['too many credentials', spending(input(0)), 2, 'TXS_CREDENTIAL'],
    [
      'an authorization without a credential',
      disabling({ type: 'Input', signatureIndices: [0] }),
      1,
      'TXS_CREDENTIAL',
    ],
    ['an authorization of another type', disabling({ type: 'Empty' }), 2, 'TXS_CREDENTIAL'],
    [
      'an authorization without signers',
      disabling({ type: 'Input', signatureIndices: [] }),
      2,
      'TXS_SIGNERS',
    ],
    [
      'an authorization of another owner',
      disabling({ type: 'Input', signatureIndices: [0] }),
      2,
      'TXS_SIGNATURE',
      { authority: { ...owners, addresses: [new Uint8Array(20)] } },
    ],
    ['an unknown UTXO', spending(input(3)), 1, 'TXS_UTXO'],
    ['another amount', spending(input(0, { ...spend, amount: 6n })), 1, 'TXS_UTXO'],
    ['another asset', spending({ ...input(0), assetID: txId }), 1, 'TXS_UTXO'],
    ['a UTXO that is still locked', spending(input(1)), 1, 'TXS_LOCKTIME'],
    ['a lock until another time', spending(input(1, locked(TIME))), 1, 'TXS_LOCKTIME'],
    ['a lock around an unlocked UTXO', spending(input(0, locked(LATER))), 1, 'TXS_LOCKTIME'],
  ])('rejects invalid credentials: %s', (_what, tx, count, code, change) => {
    expect(() => check(tx, count, change)).toThrow(expect.objectContaining({ code }))
  })

  it('rejects an authorization whose owner is unknown, and a credential of the wrong type', () => {
    const tx = { unsignedTx: disabling({ type: 'Input', signatureIndices: [0] }), credentials: [] }
    const odd = { unsignedTx: spending(input(0)), credentials: [{ type: 'Empty' as const }] }
    const { authority: _, ...nobody } = state
    for (const [value, known] of [
      [tx, nobody],
      [odd, state],
    ] as const) {
      expect(() => PlatformCredentials.assertValid(PlatformTx.encode(value), value, known)).toThrow(
        expect.objectContaining({ code: 'TXS_CREDENTIAL' }),
      )
    }
  })
})
