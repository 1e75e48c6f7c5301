import { Bytes, type ChainAlias, Hex, Id } from '@firn/codec'
import {
  AtomicBuilder,
  AtomicFees,
  AvmBuilder,
  AvmFees,
  Coins,
  Complexity,
  Gas,
  Limits,
  PlatformBuilder,
  type Secp256k1,
  type Selection,
  Signing,
  StakingBuilder,
  TxsError,
  type UnsignedTx,
  UtxoId,
  Wallet,
} from '@firn/txs'
import fc from 'fast-check'
import { assert, expect, it } from 'vitest'
import * as Change from './Change.ts'
import * as LedgerState from './LedgerState.ts'
import type * as Records from './Records.ts'
import { load } from './testing/recordings.ts'
import * as Verify from './Verify.ts'

/** Number of wallets and requests. */
const RUNS = Number(process.env['FIRN_COIN_RUNS'] ?? 1_000)

const { genesis, constants } = load('local')
/** A P-chain whose blocks hold six inputs, so that few coins reach its limit. */
const CAPACITY = 21_000n
const dynamicFee = { ...constants.dynamicFee, maxCapacity: CAPACITY }
const state = LedgerState.create(genesis, { ...constants, dynamicFee })
const now = LedgerState.tip(state, 'P').time + 60n
const { chainIds, avaxAssetId } = state.rules
const { weights } = constants.dynamicFee
const isAvax = Coins.isOf(avaxAssetId)
/** Assets that the wallet uses, and that strangers send. */
const [token, ...unknownAssets] = [7, 8, 9].map((byte) => new Uint8Array(32).fill(byte)) as [
  Uint8Array,
  ...Uint8Array[],
]
const otherAssets = [token, ...unknownAssets]
LedgerState.commit(
  state,
  otherAssets.map((assetId) => ({
    type: 'asset',
    before: undefined,
    after: { assetId, name: 'token', symbol: 'TOK', denomination: 0, fxIndices: [0] },
    txId: undefined,
  })),
)

const keys = [1, 2, 3].map((seed) => Id.hash(Uint8Array.of(seed)))
/** Addresses of the keys. */
const addresses = [
  Hex.decode('0x6bc51b33e9f3626944eb879147e18111581f8f9b'),
  Hex.decode('0x2965a4e6e4226868fa3ae88b2b9bb9e937d77fba'),
  Hex.decode('0x5fdcfd041fa38aaf8ac18e5d0cf64b4dad9f792f'),
]
const stranger = new Uint8Array(20).fill(9)
const account = Hex.decode('0xd428d086f75910707075f4400240f4d9447cc045')
const owner = Wallet.soleOwner(addresses[0] as Uint8Array)

/** Anybody may spend it, without a signature. */
const ANYBODY = { locktime: 0n, threshold: 0, addresses: [] }

const OWNERS = [
  owner,
  owner,
  owner,
  Wallet.owners(2, [...addresses, stranger]),
  Wallet.owners(3, addresses),
  Wallet.soleOwner(stranger),
  Wallet.soleOwner(addresses[1] as Uint8Array, now + 9n),
  ANYBODY,
]
const amounts = fc.oneof(
  fc.bigInt({ min: 1n, max: 9n }),
  fc.bigInt({ min: 1_000n, max: 9_000n }),
  fc.bigInt({ min: 20_000n, max: 9_000_000n }),
)
/** UTXOs that strangers send: small ones, unknown assets, and some with further owners. */
const spam = (() => {
  const once = { owners: fc.constant(owner), lock: fc.constant(0n), isRepeated: fc.constant(false) }
  const count = fc.oneof(
    { weight: 40, arbitrary: fc.integer({ min: 1, max: 12 }) },
    { weight: 1, arbitrary: fc.integer({ min: 300, max: 1_100 }) },
  )
  const avax = fc.constant(avaxAssetId)
  const small = fc.record({ ...once, amount: fc.bigInt({ min: 1n, max: 9n }), assetID: avax, count })
  const unknown = fc.record({
    ...{ ...once, amount: amounts, count },
    assetID: fc.constantFrom(...unknownAssets),
  })
  const shared = fc.record({
    ...{ ...once, amount: amounts, count: fc.constantFrom(1, 2, 3) },
    owners: fc.constant(Wallet.owners(1, [addresses[0] as Uint8Array, stranger])),
    assetID: fc.constantFrom(avaxAssetId, token),
  })
  return fc.array(fc.oneof(small, unknown, shared), { maxLength: 2 })
})()
/** A UTXO, and how often it occurs with other ids. */
const utxos = (chain: ChainAlias, most: number) => {
  const some = fc.record({
    amount: amounts,
    owners: fc.constantFrom(...OWNERS),
    lock: chain === 'P' ? fc.constantFrom(0n, 0n, 0n, now - 5n, now + 5n, now + 7n) : fc.constant(0n),
    assetID: fc.constantFrom(avaxAssetId, avaxAssetId, avaxAssetId, token),
    // Large wallets are rare, because each signature is verified.
    count: fc.oneof(
      { weight: 600, arbitrary: fc.constant(1) },
      { weight: 1, arbitrary: fc.integer({ min: 2, max: 500 }) },
    ),
    isRepeated: fc.constantFrom(false, false, false, true),
  })
  return fc.tuple(fc.array(some, { maxLength: most }), spam).map((lists) =>
    lists.flat().flatMap(({ count, isRepeated, ...payment }, i) => {
      const all = Array.from({ length: count }, (_, j) => ({
        txID: new Uint8Array(32).fill(i + 1),
        outputIndex: j,
        ...Wallet.out(payment),
      }))
      return isRepeated ? [...all, ...all] : all
    }),
  )
}

interface Request {
  readonly chain: ChainAlias
  readonly work: 'transfer' | 'exportTo' | 'importFrom' | 'consolidate' | 'delegate'
  readonly own: readonly Coins.AnyUtxo[]
  readonly exported: readonly Coins.AnyUtxo[]
  readonly amount: bigint
  readonly assetID: Uint8Array
  readonly order: Coins.Order
  /** Receiver of a consolidation. */
  readonly to: Secp256k1.OutputOwners | undefined
}

const WORKS = {
  P: ['transfer', 'exportTo', 'importFrom', 'importFrom', 'consolidate', 'delegate'],
  X: ['transfer', 'exportTo', 'importFrom', 'importFrom', 'consolidate'],
  C: ['importFrom'],
} as const

const common = {
  amount: amounts,
  assetID: fc.constantFrom(avaxAssetId, avaxAssetId, token),
  order: fc.constantFrom<Coins.Order>('largest-first', 'largest-first', 'given'),
  to: fc.constantFrom(owner, Wallet.soleOwner(stranger), undefined),
}
const anyRequest = fc.constantFrom(...(['P', 'P', 'P', 'X', 'C'] as const)).chain((chain) =>
  fc.record({
    ...common,
    chain: fc.constant(chain),
    work: fc.constantFrom<Request['work']>(...WORKS[chain]),
    own: utxos(chain, 10),
    exported: utxos('X', 10).map((list) =>
      // Their ids must differ from the ids of the wallet's own UTXOs.
      list.map((utxo) => ({ ...utxo, txID: utxo.txID.map((byte) => byte + 100) })),
    ),
  }),
)
/** Returns more UTXOs of 1 nAVAX than fit into a transaction of the X-chain, of which anybody can spend the most. */
const crowd = (byte: number, count: number) =>
  Array.from({ length: count }, (_, outputIndex) => ({
    ...{ txID: new Uint8Array(32).fill(byte), outputIndex },
    ...Wallet.out({ assetID: avaxAssetId, amount: 1n, owners: outputIndex % 9 === 0 ? owner : ANYBODY }),
  }))
/** Imports to the X-chain of a few UTXOs among many small ones. */
const crowdedRequest = fc
  .record({
    ...common,
    chain: fc.constant('X' as const),
    work: fc.constant('importFrom' as const),
    own: utxos('X', 6),
    few: fc.array(
      fc.record({ amount: amounts, assetID: fc.constantFrom(avaxAssetId, ...otherAssets, ...otherAssets) }),
      { maxLength: 4 },
    ),
    sizes: fc.tuple(fc.constantFrom(0, 800), fc.constantFrom(800, 1_100)),
  })
  .map(({ own, few, sizes, ...rest }) => {
    const txId = new Uint8Array(32).fill(249)
    const wanted = few.map((one, outputIndex) => ({
      txID: txId,
      outputIndex,
      ...Wallet.out({ ...one, owners: owner }),
    }))
    return { ...rest, own: [...own, ...crowd(250, sizes[0])], exported: [...crowd(251, sizes[1]), ...wanted] }
  })
const requests = fc.oneof(
  { weight: 50, arbitrary: anyRequest as fc.Arbitrary<Request> },
  { weight: 1, arbitrary: crowdedRequest as fc.Arbitrary<Request> },
)

/** Returns a draft, or the error that building ends in. */
function attempt(request: Request): Signing.Draft | TxsError {
  try {
    return build(request)
  } catch (error) {
    if (error instanceof TxsError) return error
    throw error
  }
}

function build({ chain, work, own, exported, amount, assetID: assetId, order, to }: Request): Signing.Draft {
  const wallet = { networkId: genesis.networkId, avaxAssetId, addresses, time: now, order, utxos: own }
  const payments = [{ assetID: assetId, amount, owners: owner }]
  if (chain === 'C') {
    const atomic = { ...wallet, baseFee: 1_000_000_000n, blockchainId: chainIds.C, xChainId: chainIds.X }
    return AtomicBuilder.importFrom({ ...atomic, utxos: exported }, chainIds.X, account)
  }
  if (chain === 'X') {
    const avm = { ...wallet, blockchainId: chainIds.X, fees: AvmFees.LOCAL }
    if (work === 'transfer') return AvmBuilder.transfer(avm, payments)
    if (work === 'exportTo') return AvmBuilder.exportTo(avm, chainIds.P, payments)
    if (work === 'consolidate') return AvmBuilder.consolidate(avm, { assetID: assetId, to })
    return AvmBuilder.importFrom(avm, chainIds.P, exported, owner)
  }
  const platform = { ...wallet, fees: { weights, gasPrice: 1n, capacity: CAPACITY } }
  if (work === 'transfer') return PlatformBuilder.transfer(platform, payments)
  if (work === 'exportTo') return PlatformBuilder.exportTo(platform, chainIds.X, payments)
  if (work === 'consolidate') return PlatformBuilder.consolidate(platform, { assetID: assetId, to })
  if (work === 'importFrom') return PlatformBuilder.importFrom(platform, chainIds.X, exported, owner)
  return StakingBuilder.addPermissionlessDelegator(platform, {
    validator: { nodeID: addresses[0] as Uint8Array, start: 0n, end: now + 99n, weight: amount },
    subnetID: chainIds.P,
    rewardsOwner: owner,
  })
}

interface Flow {
  readonly assetID: Uint8Array
  readonly amount: bigint
}

const SPENT = ['inputs', 'importedInputs']
const MADE = ['outputs', 'exportedOutputs', 'stake']

/** Returns the amounts in lists of a transaction. */
function flows({ unsignedTx }: Signing.Draft, names: readonly string[]): Flow[] {
  const lists = unsignedTx as unknown as Readonly<
    Record<string, readonly Readonly<Record<string, unknown>>[]>
  >
  return names.flatMap((name) =>
    (lists[name] ?? []).map((item) => {
      const part = (item['input'] ?? item['output'] ?? item) as Readonly<Record<string, unknown>>
      const inner = (part['input'] ?? part['output'] ?? part) as { readonly amount: bigint }
      return { assetID: item['assetID'] as Uint8Array, amount: inner.amount }
    }),
  )
}

function burned(draft: Signing.Draft, assetId: Uint8Array): bigint {
  const of = (names: readonly string[]) => Coins.total(flows(draft, names).filter(Coins.isOf(assetId)))
  return of(SPENT) - of(MADE)
}

/** Returns the gas of a transaction, the fee for it, and the limits of its chain. */
function costs({ chain, unsignedTx }: Signing.Draft): { gas: bigint; fee: bigint; limit: Limits.Cost } {
  if (chain === 'X') return { gas: 0n, fee: AvmFees.LOCAL.tx, limit: Limits.AVM }
  if (chain === 'P') {
    const gas = Gas.of(Complexity.of(unsignedTx as never), weights)
    return { gas, fee: gas, limit: Limits.platform(CAPACITY) }
  }
  const gas = AtomicFees.gasUsed({ unsignedTx, credentials: [] } as never)
  return { gas, fee: AtomicFees.dynamicFee(gas, 1_000_000_000n), limit: Limits.ATOMIC.beforeHelicon }
}

function records(request: Request): Change.Change[] {
  const { chain, own, exported } = request
  const source: ChainAlias = chain === 'X' ? 'P' : 'X'
  const all = [...own.map((utxo) => ({ utxo, source: chain })), ...exported.map((utxo) => ({ utxo, source }))]
  const unique = new Map(all.map((one) => [UtxoId.key(one.utxo), one]))
  return [...unique.values()].map(({ utxo, source: from }) => ({
    type: 'utxo',
    before: undefined,
    after: {
      ...{ id: UtxoId.inputId(utxo), chain, source: from, utxo: utxo as Records.Utxo['utxo'] },
      ...{ origin: 'output', rewardTxId: undefined, height: 1n, ordinal: 0 },
    },
    txId: undefined,
  }))
}

const undo = (change: Change.Change): Change.Change =>
  Change.isRecord(change) ? ({ ...change, before: change.after, after: undefined } as Change.Change) : change

/** Returns why the ledger refuses a transaction; undefined if it accepts it. */
function refusal(request: Request, bytes: Uint8Array): string | undefined {
  const changes = records(request)
  LedgerState.commit(state, changes)
  const found = Verify.refusal(state, request.chain, bytes, now)
  LedgerState.commit(state, changes.map(undo))
  return found && `${found.step}: ${found.error.message}`
}

/** Asserts that an error about missing funds is true: not all coins together pay for the amount and the fee. */
function assertPoor({ chain, own, amount, assetID: assetId }: Request): void {
  const usable = Coins.signable(Coins.of(own), { addresses, time: now }).filter(({ lock }) => lock <= now)
  const inputFee = (coin: Coins.Chosen) =>
    chain === 'P' ? Gas.of(Complexity.inputs([Wallet.plainIn(coin) as never]), weights) : 0n
  const worth = usable.filter(isAvax).map((coin) => coin.amount - inputFee(coin))
  const rich = worth.reduce((sum, one) => (one > 0n ? sum + one : sum), 0n)
  const tokens = Coins.total(usable.filter(Coins.isOf(token)))
  const needed = Bytes.equals(assetId, token) ? 0n : amount
  const isShort = Bytes.equals(assetId, token) && tokens < amount
  expect(isShort || rich < needed + 12_000_000n).toBe(true)
  if (chain === 'X' && !isShort) expect(rich).toBeLessThan(needed + AvmFees.LOCAL.tx)
}

/** Asserts that a gathering takes the most valuable coins that fit, and accounts for all others. */
function assertGathered(
  request: Request,
  draft: Signing.Draft & { readonly left: readonly Selection.Left[] },
): void {
  const isImport = request.work === 'importFrom'
  const given = Coins.of(isImport ? request.exported : request.own)
  const all = isImport ? given : given.filter(Coins.isOf(request.assetID))
  const left = new Map(
    draft.left.flatMap(({ reason, coins }) => coins.map((coin) => [UtxoId.key(coin), reason])),
  )
  const taken = all.filter((coin) => !left.has(UtxoId.key(coin)))
  const names = isImport ? ['importedInputs'] : ['inputs']
  const extra = isImport || isAvax(request) ? 0 : flows(draft, names).filter(isAvax).length
  expect(flows(draft, names)).toHaveLength(taken.length + extra)
  expect(left.size + taken.length).toBe(all.length)
  const { gas, limit } = costs(draft)
  const bytes = Limits.signedSize(draft.chain, draft.unsignedTx)
  for (const coin of all.filter((one) => left.get(UtxoId.key(one)) === 'limit' && isAvax(one))) {
    const [chosen] = Coins.signable([coin], { addresses, time: now })
    const more = Complexity.inputs([Wallet.plainIn(chosen as Coins.Chosen) as never])
    const moreGas = draft.chain === 'P' ? Gas.of(more, weights) : draft.chain === 'C' ? more.bandwidth : 0n
    const reserved = taken.some((one) => !isAvax(one)) || !isImport
    if (!reserved)
      expect(Limits.isWithin({ gas: gas + moreGas + 3_000n, bytes: bytes + more.bandwidth }, limit)).toBe(
        false,
      )
    const same = (one: Coins.Coin) =>
      isAvax(one) && one.owners.threshold === coin.owners.threshold && one.lock === coin.lock
    const isMost = taken.filter(same).every(({ amount }) => amount >= coin.amount)
    const isLeast = taken.filter(same).every(({ amount }) => amount <= coin.amount)
    // A consolidation takes the most valuable coins if the least valuable ones do not pay the fee.
    expect(isMost || (!isImport && isLeast)).toBe(true)
  }
}

/** Asserts that a consolidation sends only its own asset to the receiver, and all of what it merged. */
function assertReceiver({ assetID: assetId, to = owner }: Request, { unsignedTx }: Signing.Draft): void {
  const { outputs } = unsignedTx as UnsignedTx.Of<'BaseTx'>
  const addressesOf = (isSame: boolean) =>
    outputs
      .filter((out) => Coins.isOf(assetId)(out) === isSame)
      .flatMap(({ output }) => ('addresses' in output ? [output.addresses] : []))
  expect(addressesOf(true)).toEqual([to.addresses])
  for (const addresses of addressesOf(false)) expect(addresses).toEqual(owner.addresses)
}

/** Asserts that other assets neither prevent an import of AVAX nor make it dearer, and that small coins prevent neither. */
function assertUndisturbed(request: Request, built: Signing.Draft | TxsError): void {
  const onlyOf = (isIncluded: (utxo: Coins.AnyUtxo) => boolean, own = request.own) =>
    attempt({ ...request, own, exported: request.exported.filter(isIncluded) })
  const ofAvax = onlyOf(isAvax, [])
  const ofOthers = onlyOf((utxo) => !isAvax(utxo))
  if (!(ofAvax instanceof TxsError)) {
    assert(!(built instanceof TxsError))
    expect(flows(built, ['inputs'])).toEqual([])
    expect(burned(built, avaxAssetId)).toBe(burned(ofAvax, avaxAssetId))
    // The X-chain's fee does not grow with the inputs, so that other assets are imported, too.
    if (request.chain !== 'X') expect(built.unsignedTx).toEqual(ofAvax.unsignedTx)
  } else if (!(ofOthers instanceof TxsError)) {
    assert(!(built instanceof TxsError))
    expect(flows(built, ['importedInputs']).some((flow) => !isAvax(flow))).toBe(true)
  }
}

/** Asserts that a consolidation without a receiver ignores the coins of several owners. */
function assertUnshared(request: Request, built: Signing.Draft | TxsError): void {
  const isOfAsset = Coins.isOf(request.assetID)
  const isShared = (utxo: Coins.AnyUtxo) => (Coins.ownersOf(utxo)?.addresses.length ?? 0) > 1
  const own = request.own.filter((utxo) => !(isOfAsset(utxo) && isShared(utxo)))
  const unshared = attempt({ ...request, own })
  if (unshared instanceof TxsError) expect(built).toBeInstanceOf(TxsError)
  else expect(built).toMatchObject({ unsignedTx: unshared.unsignedTx })
}

const ERRORS = /^TXS_(FUNDS|LOCKED|SIGNERS|LIMIT|DUST|EMPTY)$/
const outcomes = new Map<string, number>()
const count = (name: string) => outcomes.set(name, (outcomes.get(name) ?? 0) + 1)

function check(request: Request): void {
  const draft = attempt(request)
  if (request.work === 'importFrom') assertUndisturbed(request, draft)
  if (request.work === 'consolidate' && request.to === undefined) assertUnshared(request, draft)
  if (draft instanceof TxsError) {
    const { code, details } = draft
    expect(code).toMatch(ERRORS)
    count(`${request.chain} ${code}`)
    if (code === 'TXS_FUNDS' && ['transfer', 'exportTo'].includes(request.work)) assertPoor(request)
    const { fit, inputs } = details as { readonly fit?: number; readonly inputs?: number }
    if (fit !== undefined) expect(fit).toBeLessThan(inputs as number)
    return
  }
  count(`${request.chain} ${request.work}`)
  const bytes = Signing.encode(Signing.sign(draft, keys))
  const { gas, fee, limit } = costs(draft)
  expect(BigInt(bytes.length)).toBe(Limits.signedSize(draft.chain, draft.unsignedTx))
  expect(Limits.isWithin({ gas, bytes: BigInt(bytes.length) }, limit)).toBe(true)
  const paid = burned(draft, avaxAssetId)
  // A remainder that cannot pay for its own output is burned on the P-chain.
  const remainder = request.chain === 'P' ? 1_200n : 0n
  expect(paid >= fee && paid <= fee + remainder).toBe(true)
  for (const assetId of otherAssets) expect(burned(draft, assetId)).toBe(0n)
  if ('left' in draft) assertGathered(request, draft as never)
  if (request.work === 'consolidate') assertReceiver(request, draft)
  const isImport = request.work === 'importFrom'
  const imported = flows(draft, ['importedInputs'])
  if (isImport && imported.every(isAvax)) expect(Coins.total(imported)).toBeGreaterThan(fee)
  // Least stakes and validators are the network's, not the wallet's.
  if (request.work !== 'delegate') expect(refusal(request, bytes)).toBeUndefined()
}

it(`builds transactions that the ledger accepts, or says why it cannot, for any coins (${RUNS} runs)`, () => {
  const details = fc.check(fc.property(requests, check), { numRuns: RUNS })
  if (details.failed) throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance })
  if (RUNS < 1_000) return
  // Each kind of request succeeds, and each error occurs, except for TXS_LIMIT, which few of these wallets are large enough for.
  for (const [chain, works] of Object.entries(WORKS))
    for (const work of works) expect(outcomes.get(`${chain} ${work}`), `${chain} ${work}`).toBeGreaterThan(0)
  for (const code of ['FUNDS', 'LOCKED', 'SIGNERS', 'DUST', 'EMPTY'])
    expect(outcomes.get(`P TXS_${code}`), code).toBeGreaterThan(0)
})
