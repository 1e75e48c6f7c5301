import { Bytes, Id } from '@firn/codec'
import { PrivateKey, PublicKey } from '@firn/keys'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as AtomicCredentials from '../atomic/AtomicCredentials.ts'
import * as AtomicFees from '../atomic/AtomicFees.ts'
import * as AtomicSyntax from '../atomic/AtomicSyntax.ts'
import * as AtomicTx from '../atomic/AtomicTx.ts'
import * as UtxoId from '../avax/UtxoId.ts'
import * as AvmCredentials from '../avm/AvmCredentials.ts'
import * as AvmFees from '../avm/AvmFees.ts'
import * as AvmSyntax from '../avm/AvmSyntax.ts'
import * as AvmTx from '../avm/AvmTx.ts'
import * as Complexity from '../platform/Complexity.ts'
import * as PlatformCredentials from '../platform/PlatformCredentials.ts'
import * as PlatformSyntax from '../platform/PlatformSyntax.ts'
import * as PlatformTx from '../platform/PlatformTx.ts'
import * as Stakeable from '../platform/Stakeable.ts'
import type { Of } from '../platform/UnsignedTx.ts'
import { TxsError } from '../TxsError.ts'
import * as AtomicBuilder from './AtomicBuilder.ts'
import * as AvmBuilder from './AvmBuilder.ts'
import * as Coins from './Coins.ts'
import * as PlatformBuilder from './PlatformBuilder.ts'
import * as Signing from './Signing.ts'
import * as StakingBuilder from './StakingBuilder.ts'
import * as Wallet from './Wallet.ts'

const keys = [1, 2, 3].map((seed) => Id.hash(Uint8Array.of(seed)))
const addresses = keys.map((key) => PublicKey.address(PrivateKey.publicKey(key)))
const stranger = new Uint8Array(20).fill(9)
const [avax, other] = [1, 2].map((byte) => new Uint8Array(32).fill(byte)) as [Uint8Array, Uint8Array]
const [xChainId, cChainId] = [3, 4].map((byte) => new Uint8Array(32).fill(byte)) as [Uint8Array, Uint8Array]
const NOW = 1000n
const weights = { bandwidth: 1n, dbRead: 1000n, dbWrite: 1000n, compute: 4n }
const fees = { weights, gasPrice: 2n }

const amount = fc.bigInt({ min: 1n, max: 100_000n })
const someOwners = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom(...addresses, stranger), { minLength: 1, maxLength: 3 }),
    fc.integer({ min: 1, max: 3 }),
    fc.constantFrom(0n, 0n, 0n, NOW, NOW + 7n),
  )
  .map(([list, threshold, locktime]) => Wallet.owners(Math.min(threshold, list.length), list, locktime))
const payment = fc.record({ assetID: fc.constantFrom(avax, avax, other), amount, owners: someOwners })
const utxosOf = (lock: fc.Arbitrary<bigint>) =>
  fc.array(fc.record({ payment, lock, seed: fc.nat(5) }), { maxLength: 12 }).map((list) =>
    list.map(({ payment: { amount: some, ...rest }, lock: until, seed }, outputIndex) => ({
      txID: new Uint8Array(32).fill(seed),
      outputIndex,
      ...Wallet.out({ ...rest, amount: some * 3n, lock: until }),
    })),
  )
const plainUtxos = utxosOf(fc.constant(0n))
const lockedUtxos = utxosOf(fc.constantFrom(0n, 0n, NOW, NOW + 5n))

const platform = { networkId: 1, avaxAssetId: avax, addresses, time: NOW, fees }
const avm = { ...platform, blockchainId: xChainId, fees: AvmFees.DEFAULT }

/** Returns the draft, or the error about the missing amount. */
function attempt<T>(work: () => T): T | TxsError {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof TxsError)) throw error
    expect(error.code).toMatch(/^TXS_(FUNDS|LOCKED|SIGNERS|EMPTY|DUST)$/)
    // Errors about imports have no missing amount.
    if ('count' in error.details) return error
    const { needed, available, missing } = error.details as Record<string, bigint>
    expect(missing).toBe((needed as bigint) - (available as bigint))
    expect(missing).toBeGreaterThan(0n)
    return error
  }
}

interface Flows {
  readonly inputs: readonly { readonly assetID: Uint8Array; readonly input: Stakeable.Input }[]
  readonly outputs: readonly Stakeable.Out[]
}

/** Returns the inputs minus the outputs of an asset. */
function burned({ inputs, outputs }: Flows, assetId: Uint8Array): bigint {
  const isOf = Coins.isOf(assetId)
  const ins = inputs.filter(isOf).map(({ input }) => Stakeable.unlockedInput(input).amount)
  const outs = outputs.filter(isOf).map(({ output }) => Stakeable.unlocked(output).amount)
  return ins.reduce((a, b) => a + b, 0n) - outs.reduce((a, b) => a + b, 0n)
}

/** Asserts that the chain's own check accepts the credentials made with all keys. */
function assertConsent(draft: Signing.Draft, utxos: readonly Coins.AnyUtxo[]): void {
  const bytes = Signing.encode(Signing.sign(draft, keys))
  const utxo = (id: UtxoId.UtxoId) => utxos.find((one) => UtxoId.compare(one, id) === 0) as never
  const state = { time: NOW, utxo }
  if (draft.chain === 'P') PlatformCredentials.assertValid(bytes, PlatformTx.decode(bytes), state)
  if (draft.chain === 'X') AvmCredentials.assertValid(bytes, AvmTx.decode(bytes), state)
  if (draft.chain === 'C') AtomicCredentials.assertValid(bytes, AtomicTx.decode(bytes), state)
}

describe('On the P-chain', () => {
  it('builds a valid, balanced and signed P-chain transfer, regardless of the order of UTXOs', () => {
    fc.assert(
      fc.property(plainUtxos, fc.array(payment, { minLength: 1, maxLength: 3 }), (utxos, payments) => {
        const draft = attempt(() => PlatformBuilder.transfer({ ...platform, utxos }, payments))
        if (draft instanceof TxsError) return
        const tx = draft.unsignedTx as Of<'BaseTx'>
        PlatformSyntax.assertValid(tx, { networkId: 1, avaxAssetId: avax })
        expect(burned(tx, other)).toBe(0n)
        const fee = Complexity.fee(tx, weights, fees.gasPrice)
        const dust = 2n * fees.gasPrice * 1200n
        expect(burned(tx, avax)).toBeGreaterThanOrEqual(fee)
        expect(burned(tx, avax)).toBeLessThan(fee + dust)
        assertConsent(draft, utxos)
        const again = PlatformBuilder.transfer({ ...platform, utxos: utxos.toReversed() }, payments)
        expect(Signing.unsignedBytes(again)).toEqual(Signing.unsignedBytes(draft))
      }),
      { numRuns: 60 },
    )
  })

  it('reports exactly the missing amount: adding it suffices, and 1 nAVAX less does not', () => {
    const owners = Wallet.soleOwner(addresses[0] as Uint8Array)
    const more = (extra: bigint) => ({
      txID: new Uint8Array(32).fill(8),
      outputIndex: 0,
      ...Wallet.out({ assetID: avax, amount: extra, owners }),
    })
    const usable = fc.array(amount, { maxLength: 5 }).map((list) =>
      list.map((some, outputIndex) => ({
        txID: new Uint8Array(32),
        outputIndex,
        ...Wallet.out({ assetID: avax, amount: some, owners }),
      })),
    )
    fc.assert(
      fc.property(usable, fc.bigInt({ min: 200_000n, max: 900_000n }), (utxos, sum) => {
        const transfer = (all: readonly Coins.AnyUtxo[]) =>
          attempt(() =>
            PlatformBuilder.transfer({ ...platform, utxos: all, order: 'given' }, [
              { assetID: avax, amount: sum, owners },
            ]),
          )
        const refused = transfer(utxos)
        if (!(refused instanceof TxsError)) return
        expect(refused.code).toBe('TXS_FUNDS')
        const ownFee = Complexity.inputs([
          { ...more(1n), input: { type: 'TransferInput', amount: 1n, signatureIndices: [0] } },
        ])
        const gas = ownFee.bandwidth + 1000n * (ownFee.dbRead + ownFee.dbWrite) + 4n * ownFee.compute
        const enough = (refused.details as { missing: bigint }).missing + gas * fees.gasPrice
        expect(transfer([...utxos, more(enough)])).not.toBeInstanceOf(TxsError)
        expect(transfer([...utxos, more(enough - 1n)])).toMatchObject({
          code: 'TXS_FUNDS',
          details: { missing: 1n },
        })
      }),
      { numRuns: 40 },
    )
  })

  it('builds a valid delegation that keeps locked coins locked', () => {
    const rewardsOwner = Wallet.soleOwner(addresses[1] as Uint8Array)
    fc.assert(
      fc.property(lockedUtxos, fc.bigInt({ min: 1n, max: 400_000n }), (utxos, weight) => {
        const validator = { nodeID: new Uint8Array(20).fill(1), start: NOW, end: NOW + 99n, weight }
        const subnetId = new Uint8Array(32)
        const wallet = { ...platform, utxos }
        const draft = attempt(() =>
          StakingBuilder.addPermissionlessDelegator(wallet, { validator, subnetID: subnetId, rewardsOwner }),
        )
        if (draft instanceof TxsError) return
        const tx = draft.unsignedTx as Of<'AddPermissionlessDelegatorTx'>
        PlatformSyntax.assertValid(tx, { networkId: 1, avaxAssetId: avax })
        const all = { inputs: tx.inputs, outputs: [...tx.outputs, ...tx.stake] }
        expect(burned(all, avax)).toBeGreaterThanOrEqual(Complexity.fee(tx, weights, fees.gasPrice))
        const held = ({ output }: Stakeable.Out) => (output.type === 'LockOut' ? output.output.amount : 0n)
        const lockedIn = tx.inputs.reduce(
          (sum, { input }) => sum + (input.type === 'LockIn' ? input.input.amount : 0n),
          0n,
        )
        expect(all.outputs.reduce((sum, out) => sum + held(out), 0n)).toBe(lockedIn)
        assertConsent(draft, utxos)
      }),
      { numRuns: 60 },
    )
  })
})

describe('On the X-chain', () => {
  it('builds a valid, balanced X-chain transfer of any assets that burns only the fee', () => {
    const rich = Wallet.out({
      assetID: avax,
      amount: 5_000_000n,
      owners: Wallet.soleOwner(addresses[0] as Uint8Array),
    })
    fc.assert(
      fc.property(plainUtxos, fc.array(payment, { minLength: 1, maxLength: 3 }), (few, payments) => {
        const utxos = [...few, { txID: new Uint8Array(32).fill(7), outputIndex: 0, ...rich }]
        const draft = attempt(() => AvmBuilder.transfer({ ...avm, utxos }, payments))
        if (draft instanceof TxsError) return
        expect(burned(draft.unsignedTx, avax)).toBe(AvmFees.DEFAULT.tx)
        expect(burned(draft.unsignedTx, other)).toBe(0n)
        const tx = AvmTx.decode(Signing.encode(Signing.sign(draft, keys)))
        AvmSyntax.assertValid(tx, {
          networkId: 1,
          blockchainId: xChainId,
          avaxAssetId: avax,
          fees: AvmFees.DEFAULT,
        })
        assertConsent(draft, utxos)
      }),
      { numRuns: 40 },
    )
  })
})

describe('On the C-chain', () => {
  const wallet = {
    networkId: 1,
    blockchainId: cChainId,
    avaxAssetId: avax,
    addresses,
    time: NOW,
    baseFee: 30_000_000_000n,
  }
  const context = { networkId: 1, blockchainId: cChainId, avaxAssetId: avax, xChainId }
  const evm = keys.map((key) => PublicKey.evmAddress(PrivateKey.publicKey(key)))

  it('builds imports and exports that burn exactly the dynamic fee', () => {
    fc.assert(
      fc.property(
        plainUtxos,
        fc.array(fc.bigInt({ min: 0n, max: 10n ** 15n }), { minLength: 3, maxLength: 3 }),
        amount,
        (utxos, balances, sum) => {
          const imported = attempt(() =>
            AtomicBuilder.importFrom({ ...wallet, utxos }, xChainId, evm[0] as Uint8Array),
          )
          const owners = Wallet.soleOwner(addresses[0] as Uint8Array)
          const accounts = evm.map((address, i) => ({
            address,
            balance: (balances[i] as bigint) * 1000n,
            nonce: BigInt(i),
          }))
          const exported = attempt(() =>
            AtomicBuilder.exportTo({ ...wallet, utxos: [] }, xChainId, [{ amount: sum, owners }], accounts),
          )
          for (const draft of [imported, exported]) {
            if (draft instanceof TxsError) continue
            const tx = { unsignedTx: draft.unsignedTx, credentials: [] }
            AtomicSyntax.assertValid(draft.unsignedTx, context as never)
            expect(AtomicFees.burned(tx, avax)).toBe(
              AtomicFees.dynamicFee(AtomicFees.gasUsed(tx), wallet.baseFee),
            )
            assertConsent(draft, utxos)
          }
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('Signing', () => {
  it('produces the same bytes when signing in rounds, in parallel or at once', () => {
    const owners = Wallet.owners(3, addresses)
    const utxos = [
      {
        txID: new Uint8Array(32),
        outputIndex: 0,
        ...Wallet.out({ assetID: avax, amount: 10n ** 9n, owners }),
      },
    ]
    const draft = PlatformBuilder.transfer({ ...platform, utxos }, [{ assetID: avax, amount: 5n, owners }])
    const whole = Signing.encode(Signing.sign(draft, keys))
    const one = (i: number) => [keys[i] as Uint8Array]
    fc.assert(
      fc.property(fc.shuffledSubarray([0, 1, 2], { minLength: 3 }), (order) => {
        let bytes = Signing.encodePartial(draft)
        const left = new Set([0, 1, 2])
        for (const i of order) {
          const before = Signing.decode('P', bytes, { utxos })
          expect(Signing.missing(before)).toEqual(
            [...left].map((j) => addresses[j] as Uint8Array).sort(Bytes.compare),
          )
          expect(() => Signing.encode(before)).toThrow(expect.objectContaining({ code: 'TXS_SIGNERS' }))
          bytes = Signing.encodePartial(Signing.sign(before, one(i)))
          left.delete(i)
        }
        expect(bytes).toEqual(whole)
        const [first, ...others] = order.map((i) => Signing.sign(draft, one(i)))
        expect(Signing.encode(Signing.merge(first as typeof draft, ...others))).toEqual(whole)
      }),
      { numRuns: 6 },
    )
  })
})
