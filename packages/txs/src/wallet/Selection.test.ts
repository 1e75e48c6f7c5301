import { Id } from '@firn/codec'
import { PrivateKey, PublicKey } from '@firn/keys'
import { describe, expect, it } from 'vitest'
import type { Of } from '../platform/UnsignedTx.ts'
import type * as Coins from './Coins.ts'
import * as PlatformBuilder from './PlatformBuilder.ts'
import * as Signing from './Signing.ts'
import * as Wallet from './Wallet.ts'

const [key, otherKey] = [1, 2].map((seed) => Id.hash(Uint8Array.of(seed))) as [Uint8Array, Uint8Array]
const me = PublicKey.address(PrivateKey.publicKey(key))
const [recipient, changed] = [7, 8].map((byte) => new Uint8Array(20).fill(byte)) as [Uint8Array, Uint8Array]
const avax = new Uint8Array(32).fill(1)
const xChainId = new Uint8Array(32).fill(3)
const mine = Wallet.soleOwner(me)
const utxo = (amount: bigint, outputIndex: number, seed = 0): Coins.AnyUtxo => ({
  txID: new Uint8Array(32).fill(seed),
  outputIndex,
  ...Wallet.out({ assetID: avax, amount, owners: mine }),
})
const wallet = (...utxos: readonly Coins.AnyUtxo[]) => ({
  networkId: 1,
  avaxAssetId: avax,
  addresses: [me],
  changeOwners: Wallet.soleOwner(changed),
  time: 100n,
  fees: { fixed: 10n },
  utxos,
})
const pay = (amount: bigint) => [{ assetID: avax, amount, owners: Wallet.soleOwner(recipient) }]
const inputs = (draft: PlatformBuilder.PlatformDraft) =>
  (draft.unsignedTx as Of<'BaseTx'>).inputs.map(({ outputIndex }) => outputIndex)

describe('selection of UTXOs', () => {
  const [a, b, c] = [utxo(50n, 0), utxo(50n, 1), utxo(60n, 2)]

  it('selects the largest UTXOs first, and equal amounts by id, regardless of the input order', () => {
    for (const utxos of [
      [a, b, c],
      [c, b, a],
      [b, a, c],
    ] as const) {
      expect(inputs(PlatformBuilder.transfer(wallet(...utxos), pay(70n)))).toEqual([0, 2])
    }
  })

  it('selects UTXOs in the given order if requested', () => {
    expect(inputs(PlatformBuilder.transfer({ ...wallet(b, a, c), order: 'given' }, pay(70n)))).toEqual([0, 1])
  })

  it('leaves the smallest UTXOs unspent when there are thousands of UTXOs', () => {
    const many = Array.from({ length: 5000 }, (_, i) => utxo(1000n + BigInt(i), i))
    const draft = PlatformBuilder.transfer(wallet(...many), pay(2_000_000n))
    expect(Math.min(...inputs(draft))).toBeGreaterThan(4600)
  })

  it('spends a UTXO that is listed twice once', () => {
    expect(inputs(PlatformBuilder.transfer(wallet(a, b, a), pay(70n)))).toEqual([0, 1])
    expect(() => PlatformBuilder.transfer(wallet(a, a, a), pay(70n))).toThrow(
      expect.objectContaining({ code: 'TXS_FUNDS', details: expect.objectContaining({ available: 50n }) }),
    )
  })
})

describe('outputs of an import', () => {
  const outputs = (own: readonly Coins.AnyUtxo[], imported: bigint) =>
    (
      PlatformBuilder.importFrom(
        wallet(...own),
        xChainId,
        [utxo(imported, 0, 5)],
        Wallet.soleOwner(recipient),
      ).unsignedTx as Of<'ImportTx'>
    ).outputs.map(({ output }) => output)

  it('gives the recipient the imported amount minus the fee if the import can pay the fee', () => {
    expect(outputs([utxo(50n, 0)], 30n)).toMatchObject([{ amount: 20n, addresses: [recipient] }])
  })

  it('refuses an import that brings less than its fee', () => {
    expect(() => outputs([utxo(50n, 0)], 3n)).toThrow(
      expect.objectContaining({ code: 'TXS_DUST', message: expect.stringContaining('1 UTXOs hold 3 nAVAX') }),
    )
  })

  it('pays the fee of an import of other assets with other UTXOs, and returns the change to the wallet', () => {
    const other = new Uint8Array(32).fill(2)
    const exported = { ...utxo(3n, 0, 5), assetID: other }
    const draft = PlatformBuilder.importFrom(
      wallet(utxo(50n, 0)),
      xChainId,
      [exported],
      Wallet.soleOwner(recipient),
    )
    expect((draft.unsignedTx as Of<'ImportTx'>).outputs).toMatchObject([
      { assetID: avax, output: { amount: 40n, addresses: [changed] } },
      { assetID: other, output: { amount: 3n, addresses: [recipient] } },
    ])
  })
})

describe('existing signatures', () => {
  it('rejects existing signatures by the wrong key', () => {
    const own = wallet(utxo(100n, 0))
    const draft = PlatformBuilder.transfer(own, pay(5n))
    const stranger = PublicKey.address(PrivateKey.publicKey(otherKey))
    const signers = draft.signers.map((one) => ({ ...one, addresses: [stranger] }))
    const forged = Signing.encodePartial(Signing.sign({ ...draft, signers }, [otherKey]))
    expect(() => Signing.decode('P', forged, own)).toThrow(expect.objectContaining({ code: 'TXS_SIGNATURE' }))
  })

  it('refuses to merge drafts of different transactions', () => {
    const own = wallet(utxo(100n, 0))
    const [one, two] = [5n, 6n].map((amount) => PlatformBuilder.transfer(own, pay(amount)))
    const merge = () => Signing.merge(one as typeof two & object, two as typeof one & object)
    expect(merge).toThrow(expect.objectContaining({ code: 'TXS_SIGNATURE' }))
  })

  it('rejects a draft whose UTXOs are unknown', () => {
    const bytes = Signing.encodePartial(PlatformBuilder.transfer(wallet(utxo(100n, 0)), pay(5n)))
    expect(() => Signing.decode('P', bytes, { utxos: [] })).toThrow(
      expect.objectContaining({ code: 'TXS_UTXO' }),
    )
  })
})
