import { CheckedHex } from '@firn/codec'
import { describe, expect, it } from 'vitest'
import * as AtomicFees from '../atomic/AtomicFees.ts'
import type * as AtomicTx from '../atomic/AtomicTx.ts'
import * as AvmFees from '../avm/AvmFees.ts'
import type * as AvmTx from '../avm/AvmTx.ts'
import * as Complexity from '../platform/Complexity.ts'
import * as Gas from '../platform/Gas.ts'
import * as PlatformUtxo from '../platform/PlatformUtxo.ts'
import type { Of } from '../platform/UnsignedTx.ts'
import * as AtomicBuilder from './AtomicBuilder.ts'
import * as AvmBuilder from './AvmBuilder.ts'
import type * as Coins from './Coins.ts'
import * as Limits from './Limits.ts'
import * as PlatformBuilder from './PlatformBuilder.ts'
import type * as Selection from './Selection.ts'
import * as StakingBuilder from './StakingBuilder.ts'
import * as Wallet from './Wallet.ts'

const AVAX = 1_000_000_000n
const [me, friend] = [1, 2].map((byte) => new Uint8Array(20).fill(byte)) as [Uint8Array, Uint8Array]
const [avax, other, xChainId, cChainId] = [1, 2, 3, 4].map((byte) => new Uint8Array(32).fill(byte)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
]
const mine = Wallet.soleOwner(me)
const weights = { bandwidth: 1n, dbRead: 1_000n, dbWrite: 1_000n, compute: 4n }
const utxo = (amount: bigint, outputIndex: number, more: Partial<Wallet.Payment> = {}): Coins.AnyUtxo => ({
  txID: new Uint8Array(32).fill(9),
  outputIndex,
  ...Wallet.out({ assetID: avax, amount, owners: mine, ...more }),
})
const many = (count: number, amount: bigint, more: Partial<Wallet.Payment> = {}) =>
  Array.from({ length: count }, (_, i) => utxo(amount, i, more))
const common = { networkId: 1, avaxAssetId: avax, addresses: [me], time: 1_800_000_000n }
const platform = (...utxos: readonly Coins.AnyUtxo[]): PlatformBuilder.PlatformWallet => ({
  ...common,
  fees: { weights, gasPrice: 1n },
  utxos,
})
const avm = (...utxos: readonly Coins.AnyUtxo[]): AvmBuilder.AvmWallet => ({
  ...common,
  fees: AvmFees.DEFAULT,
  blockchainId: xChainId,
  utxos,
})
const atomic = (...utxos: readonly Coins.AnyUtxo[]): AtomicBuilder.AtomicWallet => ({
  ...common,
  baseFee: 25_000_000_000n,
  blockchainId: cChainId,
  utxos,
})
const pay = (amount: bigint, assetId = avax) => [
  { assetID: assetId, amount, owners: Wallet.soleOwner(friend) },
]
const counts = (left: readonly Selection.Left[]) =>
  Object.fromEntries(left.map(({ reason, coins }) => [reason, coins.length]))
const error = (code: string, details: object = {}) =>
  expect.objectContaining({ code, details: expect.objectContaining(details) })

/** Three UTXOs of 1 AVAX as a node printed them, of which the third repeats the first. */
const PAGES = [
  '0x000001010101010101010101010101010101010101010101010101010101010101010000000021e67317cbc4be2aeb00677ad6462778a8f52274b9d605df2591b23027a87dff00000007000000003b9aca0000000000000000000000000100000001670caa79e51d78ed0c583b89ff39d9c49b7199e74dd6051e',
  '0x000002020202020202020202020202020202020202020202020202020202020202020000000021e67317cbc4be2aeb00677ad6462778a8f52274b9d605df2591b23027a87dff00000007000000003b9aca0000000000000000000000000100000001670caa79e51d78ed0c583b89ff39d9c49b7199e7857fd4cd',
  '0x000001010101010101010101010101010101010101010101010101010101010101010000000021e67317cbc4be2aeb00677ad6462778a8f52274b9d605df2591b23027a87dff00000007000000003b9aca0000000000000000000000000100000001670caa79e51d78ed0c583b89ff39d9c49b7199e74dd6051e',
].map((hex) => PlatformUtxo.decode(CheckedHex.decode(hex)))

it('pays nothing from a UTXO that a page repeats', () => {
  const [{ assetID: assetId, output }] = PAGES as [PlatformUtxo.PlatformUtxo]
  const addresses = 'addresses' in output ? output.addresses : []
  const wallet = { ...platform(), avaxAssetId: assetId, addresses, utxos: PAGES }
  const transfer = (amount: bigint) => PlatformBuilder.transfer(wallet, pay(amount, assetId))
  expect(() => transfer((5n * AVAX) / 2n)).toThrow(error('TXS_FUNDS', { available: 2n * AVAX }))
  expect((transfer((3n * AVAX) / 2n).unsignedTx as Of<'BaseTx'>).inputs).toHaveLength(2)
})

describe('a transfer of many UTXOs', () => {
  it('says on the P-chain how many fit into the gas capacity and what they are worth', () => {
    const transfer = () => PlatformBuilder.transfer(platform(...many(400, AVAX)), pay(390n * AVAX))
    expect(transfer).toThrow(error('TXS_LIMIT', { inputs: 391, fit: 337, worth: 337n * AVAX }))
    expect(transfer).toThrow(/needs 115\d{4} gas, but nodes accept at most 1000000: .* of which 337 fit/)
  })

  it('fits on the P-chain with the number of UTXOs that the error names', () => {
    const wallet = platform(...many(400, AVAX))
    const { unsignedTx } = PlatformBuilder.transfer(wallet, pay(336n * AVAX - AVAX / 2n))
    expect((unsignedTx as Of<'BaseTx'>).inputs).toHaveLength(336)
    expect(Gas.of(Complexity.of(unsignedTx), weights)).toBeLessThanOrEqual(1_000_000n)
  })

  it('is limited by the gas capacity of the network', () => {
    const wallet = { ...platform(...many(20, AVAX)), fees: { weights, gasPrice: 1n, capacity: 20_000n } }
    expect(() => PlatformBuilder.transfer(wallet, pay(10n * AVAX))).toThrow(error('TXS_LIMIT', { fit: 6 }))
  })

  it('is limited by 64 KiB on the X-chain, and on the P-chain with several signatures', () => {
    expect(() => AvmBuilder.transfer(avm(...many(500, AVAX)), pay(450n * AVAX))).toThrow(
      error('TXS_LIMIT', { fit: 406 }),
    )
    const addresses = [1, 2, 3, 4].map((byte) => new Uint8Array(20).fill(byte))
    const owners = Wallet.owners(4, addresses)
    const shared = { ...platform(...many(200, AVAX, { owners })), addresses }
    expect(() => PlatformBuilder.transfer(shared, pay(177n * AVAX + AVAX / 2n))).toThrow(/has \d+ bytes/)
  })

  it('refuses payments that alone are too large, and transactions that cannot be encoded', () => {
    const payments = (count: number) => Array.from({ length: count }, () => pay(1n)).flat()
    const rich = platform(utxo(AVAX, 0))
    expect(() => PlatformBuilder.transfer(rich, payments(1_000))).toThrow(error('TXS_LIMIT'))
    expect(() => AvmBuilder.transfer(avm(utxo(AVAX, 0)), payments(1_000))).toThrow(error('TXS_LIMIT'))
    expect(() => PlatformBuilder.transfer(rich, payments(5_000))).toThrow(error('TXS_LIMIT'))
  })
})

describe('importFrom', () => {
  const imported = ({ unsignedTx }: { readonly unsignedTx: unknown }) =>
    (unsignedTx as AtomicTx.Of<'ImportTx'>).importedInputs

  it.each([
    ['before Helicon', false, 82],
    ['since Helicon', true, 909],
  ])('takes on the C-chain as many UTXOs as the mempool accepts %s', (_era, isHeliconActive, fit) => {
    let left: readonly Coins.AnyUtxo[] = many(1_000, AVAX)
    const sizes: number[] = []
    while (left.length > 0) {
      const draft = AtomicBuilder.importFrom({ ...atomic(...left), isHeliconActive }, xChainId, me)
      const { gas, bytes } = Limits.ATOMIC[isHeliconActive ? 'helicon' : 'beforeHelicon']
      const tx = { unsignedTx: draft.unsignedTx, credentials: [] }
      expect(AtomicFees.gasUsed(tx)).toBeLessThanOrEqual(gas)
      expect(Limits.signedSize('C', draft.unsignedTx)).toBeLessThanOrEqual(bytes)
      expect(AtomicFees.burned(tx, avax)).toBe(AtomicFees.dynamicFee(AtomicFees.gasUsed(tx), 25_000_000_000n))
      sizes.push(imported(draft).length)
      const waiting = draft.left.flatMap(({ reason, coins }) => (reason === 'limit' ? coins : []))
      left = left.filter((one) => waiting.some((coin) => coin.outputIndex === one.outputIndex))
    }
    expect(sizes[0]).toBe(fit)
    expect(sizes.reduce((a, b) => a + b)).toBe(1_000)
  })

  it('takes 1 AVAX among 5,000 UTXOs of 1 nAVAX, and leaves what costs more than it brings', () => {
    const spam = [...many(5_000, 1n), utxo(AVAX, 6_000)]
    const onC = AtomicBuilder.importFrom(atomic(...spam), xChainId, me)
    expect(imported(onC).map(({ outputIndex }) => outputIndex)).toEqual([6_000])
    expect(counts(onC.left)).toEqual({ dust: 5_000 })
    const onP = PlatformBuilder.importFrom(platform(), xChainId, spam, mine)
    expect(imported(onP)).toHaveLength(1)
    expect(counts(onP.left)).toEqual({ dust: 5_000 })
    // The X-chain's fee does not grow with the inputs.
    const onX = AvmBuilder.importFrom(avm(), cChainId, spam, mine)
    expect(imported(onX).some(({ outputIndex }) => outputIndex === 6_000)).toBe(true)
    expect(Limits.signedSize('X', onX.unsignedTx)).toBeLessThanOrEqual(65_536n)
    expect(counts(onX.left)).toEqual({ limit: 5_001 - imported(onX).length })
  })

  it('takes other assets if there is no AVAX, and leaves room for the coin that pays the fee', () => {
    const tokens = many(400, 5n, { assetID: other })
    const { unsignedTx, left } = PlatformBuilder.importFrom(
      platform(utxo(AVAX, 7_000)),
      xChainId,
      tokens,
      mine,
    )
    expect((unsignedTx as Of<'ImportTx'>).inputs).toHaveLength(1)
    expect(Gas.of(Complexity.of(unsignedTx), weights)).toBeLessThanOrEqual(1_000_000n)
    expect(counts(left)).toEqual({ limit: 400 - imported({ unsignedTx }).length })
    expect(counts(left)['limit']).toBeLessThan(70)
  })

  it('pays no fee for other assets beside AVAX', () => {
    const spam = many(300, 1n, { assetID: other })
    const exported = [...spam, utxo(AVAX / 1_000n, 6_000)]
    const onP = PlatformBuilder.importFrom(platform(utxo(AVAX, 7_000)), xChainId, exported, mine)
    const alone = PlatformBuilder.importFrom(platform(), xChainId, exported.slice(-1), mine)
    expect(onP.unsignedTx).toEqual(alone.unsignedTx)
    expect(counts(onP.left)).toEqual({ asset: 300 })
    // The X-chain's fee does not grow with the inputs.
    const onX = AvmBuilder.importFrom(
      avm(utxo(AVAX, 7_000)),
      cChainId,
      [...many(1_000, 1n, { assetID: other }), utxo(AVAX, 6_000)],
      mine,
    )
    expect((onX.unsignedTx as AvmTx.Of<'ImportTx'>).inputs).toEqual([])
    expect(imported(onX).filter(({ assetID: id }) => id === avax)).toHaveLength(1)
    expect(counts(onX.left)).toEqual({ asset: 1_001 - imported(onX).length })
    expect(Limits.signedSize('X', onX.unsignedTx)).toBeLessThanOrEqual(65_536n)
    const huge = [
      utxo(AVAX, 0),
      utxo(2n ** 63n, 1, { assetID: other }),
      utxo(2n ** 63n, 2, { assetID: other }),
    ]
    expect(counts(AvmBuilder.importFrom(avm(), cChainId, huge, mine).left)).toEqual({ asset: 1 })
  })

  it('takes another asset beside many small UTXOs of AVAX', () => {
    const dust = many(1_000, 1n)
    const exported = [...dust, utxo(5n, 6_000, { assetID: other })]
    const own = [utxo(AVAX, 9_000), ...dust.map((one, i) => ({ ...one, outputIndex: 10_000 + i }))]
    const drafts = [
      AvmBuilder.importFrom(avm(...own), cChainId, exported, mine),
      AvmBuilder.importFrom(avm(), cChainId, [...exported, utxo(AVAX, 7_000)], mine),
      AvmBuilder.importFrom(
        avm(utxo(600_000n, 9_000), ...own.slice(1)),
        cChainId,
        [...exported, utxo(400_000n, 7_000)],
        mine,
      ),
      PlatformBuilder.importFrom(
        { ...platform(...own), fees: { fixed: 1_000_000n } },
        cChainId,
        exported,
        mine,
      ),
    ]
    for (const { unsignedTx, left } of drafts) {
      expect(imported({ unsignedTx }).some(({ outputIndex }) => outputIndex === 6_000)).toBe(true)
      expect(Object.keys(counts(left))).toEqual(['limit'])
    }
  })

  it.each([
    ['nothing was exported', [], 'TXS_EMPTY', {}, /nothing to import: the other chain holds no UTXOs/],
    ['only dust', many(50, 1n), 'TXS_DUST', { count: 50, amount: 50n }, /50 UTXOs hold 50 nAVAX/],
    [
      'only locked UTXOs',
      [
        utxo(AVAX, 0, { owners: Wallet.soleOwner(me, 1_900_000_009n) }),
        utxo(AVAX, 1, { owners: Wallet.soleOwner(me, 1_900_000_000n) }),
      ],
      'TXS_LOCKED',
      { unlockTime: 1_900_000_000n, count: 2 },
      /locked, the first of them until 1900000000/,
    ],
    [
      'a locked UTXO among dust',
      [utxo(1n, 0), utxo(AVAX, 1, { owners: Wallet.soleOwner(me, 1_900_000_000n) })],
      'TXS_LOCKED',
      { count: 1, amount: AVAX },
      /1 UTXOs are locked, the first of them until 1900000000/,
    ],
    [
      'only UTXOs of others',
      [utxo(AVAX, 0, { owners: Wallet.soleOwner(friend) })],
      'TXS_SIGNERS',
      { count: 1 },
      /1 UTXOs need other signers/,
    ],
  ] as const)('says that there is nothing to import: %s', (_what, exported, code, details, message) => {
    const work = () => PlatformBuilder.importFrom(platform(utxo(AVAX, 99)), xChainId, exported, mine)
    expect(work).toThrow(error(code, details))
    expect(work).toThrow(message)
    expect(() => AtomicBuilder.importFrom(atomic(...exported), xChainId, me)).toThrow(message)
    // On the X-chain, dust is imported only together with UTXOs that exceed the fee.
    expect(() => AvmBuilder.importFrom(avm(utxo(AVAX, 99)), cChainId, exported, mine)).toThrow(message)
  })

  it('imports only AVAX on the C-chain', () => {
    const tokens = many(3, AVAX, { assetID: other })
    expect(() => AtomicBuilder.importFrom(atomic(...tokens), xChainId, me)).toThrow(
      error('TXS_EMPTY', { count: 3 }),
    )
    const { left } = AtomicBuilder.importFrom(atomic(...tokens, utxo(AVAX, 9)), xChainId, me)
    expect(counts(left)).toEqual({ asset: 3 })
  })

  it('says if not even one UTXO fits', () => {
    const wallet = { ...platform(), fees: { weights, gasPrice: 1n, capacity: 2_000n } }
    expect(() => PlatformBuilder.importFrom(wallet, xChainId, many(2, AVAX), mine)).toThrow(
      error('TXS_LIMIT', { count: 2 }),
    )
  })
})

describe('consolidate', () => {
  const outputs = ({ unsignedTx }: { readonly unsignedTx: unknown }) =>
    (unsignedTx as AvmTx.Of<'BaseTx'>).outputs
  const inputs = ({ unsignedTx }: { readonly unsignedTx: unknown }) =>
    (unsignedTx as AvmTx.Of<'BaseTx'>).inputs.map(({ outputIndex }) => outputIndex)

  it('merges the least valuable UTXOs that are worth more than their fee into one', () => {
    const coins = [
      utxo(1n, 0),
      utxo(5n * AVAX, 1),
      ...many(400, AVAX).map((one, i) => ({ ...one, outputIndex: 10 + i })),
    ]
    const draft = PlatformBuilder.consolidate(platform(...coins), { to: Wallet.soleOwner(friend) })
    expect(inputs(draft)).toHaveLength(337)
    expect(inputs(draft)).not.toContain(0)
    expect(inputs(draft)).not.toContain(1)
    expect(counts(draft.left)).toEqual({ dust: 1, limit: 64 })
    const [out, ...more] = outputs(draft)
    const fee = Complexity.fee(draft.unsignedTx as Of<'BaseTx'>, weights, 1n)
    expect(out?.output).toMatchObject({ amount: 337n * AVAX - fee, addresses: [friend] })
    expect(more).toEqual([])
  })

  it('merges all UTXOs on the X-chain if they fit, also of another asset', () => {
    const draft = AvmBuilder.consolidate(avm(utxo(AVAX, 1), utxo(AVAX, 2), utxo(AVAX, 3)))
    expect(inputs(draft)).toEqual([1, 2, 3])
    expect(outputs(draft)).toMatchObject([{ output: { amount: 3n * AVAX - 1_000_000n } }])
    const tokens = [utxo(5n, 1, { assetID: other }), utxo(6n, 2, { assetID: other }), utxo(AVAX, 3)]
    const merged = AvmBuilder.consolidate(avm(...tokens), { assetID: other })
    expect(inputs(merged)).toEqual([1, 2, 3])
    expect(outputs(merged)).toMatchObject([
      { assetID: avax, output: { amount: AVAX - 1_000_000n } },
      { assetID: other, output: { amount: 11n } },
    ])
  })

  it('sends only the merged asset to the receiver, and keeps the change of the AVAX that pays the fee', () => {
    const coins = [utxo(5n, 1, { assetID: other }), utxo(6n, 2, { assetID: other }), utxo(AVAX, 3)]
    const options = { assetID: other, to: Wallet.soleOwner(friend) }
    const drafts = [
      AvmBuilder.consolidate(avm(...coins), options),
      PlatformBuilder.consolidate(platform(...coins), options),
      PlatformBuilder.consolidate({ ...platform(...coins), changeOwners: mine }, options),
    ]
    for (const draft of drafts)
      expect(outputs(draft)).toMatchObject([
        { assetID: avax, output: { addresses: [me] } },
        { assetID: other, output: { amount: 11n, addresses: [friend] } },
      ])
  })

  it('takes UTXOs with several owners only for a named receiver', () => {
    const owners = Wallet.owners(2, [me, friend])
    const coins = [utxo(AVAX, 1, { owners }), utxo(AVAX, 2, { owners }), utxo(AVAX, 3)]
    const shared = { ...avm(...coins), addresses: [me, friend] }
    const onP = { ...platform(...coins), addresses: [me, friend] }
    for (const work of [() => AvmBuilder.consolidate(shared), () => PlatformBuilder.consolidate(onP)]) {
      expect(work).toThrow(error('TXS_EMPTY', { count: 2 }))
      expect(work).toThrow(/2 UTXOs have several owners; pass the owners who receive them as `to`/)
    }
    const more = [...coins, utxo(AVAX, 4)]
    for (const draft of [
      AvmBuilder.consolidate({ ...shared, utxos: more }),
      PlatformBuilder.consolidate({ ...onP, utxos: more }),
    ]) {
      expect(inputs(draft)).toEqual([3, 4])
      expect(counts(draft.left)).toEqual({ receiver: 2 })
    }
    const kept = [
      AvmBuilder.consolidate(shared, { to: owners }),
      AvmBuilder.consolidate({ ...shared, changeOwners: owners }),
      PlatformBuilder.consolidate(onP, { to: owners }),
    ]
    for (const draft of kept)
      expect(outputs(draft)).toMatchObject([{ output: { threshold: 2, addresses: [me, friend] } }])
  })

  it('merges the most valuable UTXOs if the least valuable ones do not pay the fee', () => {
    const rich = many(100, AVAX).map((one, i) => ({ ...one, outputIndex: 2_000 + i }))
    const draft = AvmBuilder.consolidate(avm(...many(1_000, 1n), ...rich))
    expect(inputs(draft).filter((index) => index >= 2_000)).toHaveLength(100)
    expect(outputs(draft)).toHaveLength(1)
    expect(counts(draft.left)).toEqual({ limit: 1_100 - inputs(draft).length })
    expect(() => AvmBuilder.consolidate(avm(...many(1_000, 1n), utxo(9n, 1_001)))).toThrow(error('TXS_DUST'))
  })

  it('leaves room for several coins that pay the fee for another asset', () => {
    const coins = [
      ...many(1_000, 1n, { assetID: other }),
      ...many(6, 300_000n).map((one, i) => ({ ...one, outputIndex: 2_000 + i })),
    ]
    const draft = AvmBuilder.consolidate(avm(...coins), { assetID: other })
    expect(inputs(draft).filter((index) => index >= 2_000)).toHaveLength(4)
    expect(Limits.signedSize('X', draft.unsignedTx)).toBeLessThanOrEqual(65_536n)
    expect(Limits.signedSize('X', draft.unsignedTx)).toBeGreaterThan(65_300n)
  })

  it('says that there is nothing to consolidate', () => {
    expect(() => PlatformBuilder.consolidate(platform())).toThrow(/nothing to consolidate: the wallet has no/)
    expect(() => PlatformBuilder.consolidate(platform(utxo(AVAX, 0)))).toThrow(error('TXS_EMPTY'))
    expect(() => PlatformBuilder.consolidate(platform(utxo(AVAX, 0), utxo(1n, 1)))).toThrow(
      error('TXS_DUST', { count: 1 }),
    )
    expect(() => AvmBuilder.consolidate(avm(utxo(1n, 0), utxo(2n, 1)))).toThrow(
      error('TXS_DUST', { count: 2, fee: 1_000_000n }),
    )
  })
})

describe('staking with locked coins', () => {
  const lock = 1_800_009_999n
  const stake = (weight: bigint, ...utxos: readonly Coins.AnyUtxo[]) =>
    StakingBuilder.addPermissionlessDelegator(platform(...utxos), {
      validator: { nodeID: me, start: 0n, end: 1_802_000_000n, weight },
      subnetID: new Uint8Array(32),
      rewardsOwner: mine,
    }).unsignedTx as Of<'AddPermissionlessDelegatorTx'>

  it('skips locked dust', () => {
    const tx = stake(25n * AVAX, ...many(500, 1n, { lock }), utxo(30n * AVAX, 600))
    expect(tx.inputs.map(({ outputIndex }) => outputIndex)).toEqual([600])
    expect(tx.stake).toMatchObject([{ output: { type: 'TransferOutput', amount: 25n * AVAX } }])
  })

  it('takes as many locked coins as fit, and the rest from unlocked coins', () => {
    const tx = stake(300n * AVAX, ...many(500, AVAX, { lock }), utxo(299n * AVAX, 600))
    expect(tx.inputs.at(-1)).toMatchObject({ outputIndex: 600 })
    expect(tx.inputs.length).toBeGreaterThan(100)
    expect(Gas.of(Complexity.of(tx), weights)).toBeLessThanOrEqual(1_000_000n)
    const nextGas = Gas.of(
      Complexity.of({
        ...tx,
        inputs: [...tx.inputs, ...tx.inputs.slice(0, 1)],
        stake: [...tx.stake, ...tx.stake.slice(0, 1)],
      }),
      weights,
    )
    expect(nextGas).toBeGreaterThan(1_000_000n)
    // Without enough unlocked coins, too many locked ones are needed.
    expect(() => stake(400n * AVAX, ...many(500, AVAX, { lock }), utxo(2n * AVAX, 600))).toThrow(
      error('TXS_LIMIT'),
    )
  })
})

it('stakes the coin that unlocks later first', () => {
  const locked = [1_800_001_000n, 1_800_009_999n].map((lock, i) => utxo(30n * AVAX, i, { lock }))
  const wallet = platform(...locked, utxo(30n * AVAX, 2))
  const draft = StakingBuilder.addPermissionlessDelegator(wallet, {
    validator: { nodeID: me, start: 0n, end: 1_802_000_000n, weight: 25n * AVAX },
    subnetID: new Uint8Array(32),
    rewardsOwner: mine,
  })
  const tx = draft.unsignedTx as Of<'AddPermissionlessDelegatorTx'>
  expect(tx.stake).toMatchObject([{ output: { type: 'LockOut', locktime: 1_800_009_999n } }])
  expect(tx.inputs.map(({ outputIndex }) => outputIndex)).toEqual([1, 2])
})
