import { Hex } from '@firn/codec'
import { recordedEvmStore } from '@firn/evm-store/testing'
import { database, emptyDatabase, interrupted } from '@firn/sql/testing'
import { Blocks, L1Validators, Store, Writer } from '@firn/store'
import { Recordings, recordedStore } from '@firn/store/testing'
import { AtomicTx } from '@firn/txs'
import { beforeAll, expect, test } from 'vitest'
import { plainEvm } from '../testing/plainEvm.ts'
import { contextOf } from '../testing/serve.ts'
import { createEvm } from '../testing/serveEvm.ts'
import { getAvaxSupply } from './getAvaxSupply.ts'

/** nAVAX of the recorded network, from the node's JSON of its transactions and from its answers at the last block. */
const SAID = {
  genesis: 360_000_000_000_000_000n,
  // Amounts of the reward UTXOs of five stakers.
  rewards: 1_094_616n + 21_153n + 1_511_989n + 151_717n + 250_171n,
  platformFees: 2_311_406n,
  avmFees: 35_000_000n,
  atomicFees: 4_614_600n,
  l1ValidatorFees: 17_681n,
  // platform.getTotalStake
  staked: 10_003_101_000_000_000n,
  // platform.getBalance: lockedStakeable and lockedNotStakeable; platform.getStake: a locked output; four outputs on the X-chain.
  locked: 80_000_000_000n + 1_000_000_000n + 50_000_000_000n + 10_000_000_000n,
}
const WEI = 1_000_000_000n

let store: Store
beforeAll(async () => {
  store = await recordedStore('local')
})

async function ask(path: string, isEvmIndexed = true) {
  const context = await contextOf(store, {})
  const evm = {
    store: await recordedEvmStore('c'),
    chain: { blockchainId: context.genesis.cChain.blockchainId, firstHeight: 0n },
  }
  const server = await createEvm(getAvaxSupply(context, isEvmIndexed ? [evm] : []))
  return (await server.inject(path)).json()
}

/** Fees of all EVM transactions in wei, from the recorded receipts. */
const EVM_FEES = plainEvm('c', true).transactions.reduce(
  (sum, { receipt }) => sum + BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice),
  0n,
)

/** Returns the decimal digits of an amount of AVAX as wei. */
function wei(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(18, '0'))
}

test('returns the amounts that the recorded transactions and the node add up to', async () => {
  const { lastUpdated, incomplete, ...found } = await ask('/v1/avax/supply')
  const platform = WEI * (SAID.platformFees + SAID.l1ValidatorFees)
  const evm = WEI * SAID.atomicFees + EVM_FEES
  const total = WEI * (SAID.genesis + SAID.rewards - SAID.avmFees) - platform - evm
  expect(
    Object.fromEntries(Object.entries(found).map(([name, amount]) => [name, wei(String(amount))])),
  ).toEqual({
    genesisUnlock: WEI * SAID.genesis,
    totalRewards: WEI * SAID.rewards,
    totalPBurned: platform,
    l1ValidatorFees: WEI * SAID.l1ValidatorFees,
    totalXBurned: WEI * SAID.avmFees,
    totalCBurned: evm,
    totalSupply: total,
    circulatingSupply: total,
    totalStaked: WEI * SAID.staked,
    totalLocked: WEI * SAID.locked,
  })
  expect(found.totalPBurned).toBe('0.002329087')
  expect([lastUpdated, incomplete]).toEqual(['2026-11-20T23:59:41.000Z', undefined])
})

test('adds up each sum from the lines that its formula names', async () => {
  const { lines } = await ask('/v1/networks/local/supply')
  const amounts = new Map<string, bigint>()
  let sums = 0
  for (const { name, amount, formula } of lines) {
    amounts.set(name, wei(amount))
    const terms = formula.split(/ (?=[+-] )/)
    const names = terms.map((term: string) => term.replace(/^[+-] /, ''))
    if (terms.length < 2 || !names.every((term: string) => amounts.has(term))) continue
    const sum = terms.reduce(
      (total: bigint, term: string, i: number) =>
        total + (term.startsWith('-') ? -1n : 1n) * (amounts.get(names[i]) ?? 0n),
      0n,
    )
    expect([name, sum]).toEqual([name, wei(amount)])
    sums += 1
  }
  expect(sums).toBe(5)
})

test('finds all AVAX of the supply in outputs, stakes, balances of L1 validators and on the C-chain', async () => {
  const { genesis } = await contextOf(store, {})
  const at = await store.snapshot()
  const db = database(store)
  const unspent = await db
    .selectFrom('utxo')
    .select(['amount'])
    .where('asset_id', '=', genesis.avaxAssetId as never)
    .where('consumed_height', 'is', null)
    .execute()
  const stakers = await db
    .selectFrom('staker')
    .select('weight')
    .where('until', 'is', null)
    .where('subnet_id', '=', new Uint8Array(32) as never)
    .execute()
  const { accruedFees } = await Blocks.platformState(store, at)
  const page = { validationId: undefined, subnetId: undefined, nodeId: undefined, after: undefined }
  const validators = await L1Validators.page(store, at, { ...page, isInactiveToo: false, limit: 1_000 })
  const atomic = await db.selectFrom('transaction').select('bytes').where('chain', '=', 'C').execute()
  const isAvax = (one: { readonly assetID: Uint8Array }) =>
    Hex.encode(one.assetID) === Hex.encode(genesis.avaxAssetId)
  const onEvm = atomic.map(({ bytes }) => {
    const { unsignedTx } = AtomicTx.decode(bytes)
    return (
      sum(AtomicTx.credited(unsignedTx).filter(isAvax)) - sum(AtomicTx.debited(unsignedTx).filter(isAvax))
    )
  })
  const existing =
    sum(unspent.map(({ amount }) => ({ amount: amount ?? 0n }))) +
    sum(stakers.map(({ weight: amount }) => ({ amount }))) +
    sum(validators.map(({ validator }) => ({ amount: validator.endAccumulatedFee - accruedFees }))) +
    onEvm.reduce((total, amount) => total + amount, 0n)
  const { totalSupply } = await ask('/v1/avax/supply', false)
  expect(wei(totalSupply)).toBe(WEI * existing)
})

test('says that fees of EVM transactions are missing if the C-chain is not indexed from its first block', async () => {
  const found = await ask('/v1/avax/supply', false)
  expect(wei(found.totalCBurned)).toBe(WEI * SAID.atomicFees)
  expect(found.incomplete.reason).toBe('C_CHAIN_EVM_NOT_INDEXED')
})

test('reads all amounts after the same blocks while others are stored', async () => {
  const { genesis, constants, chains } = Recordings.load('local')
  const own = await Store.open(await emptyDatabase())
  await own.migrate()
  const { writer, state } = await Writer.open(own, genesis, constants)
  const blocks = [...Recordings.follow(state, chains)]
  const answer = async (from: Store) => {
    const server = await createEvm(getAvaxSupply(await contextOf(from, {}), []))
    return (await server.inject('/v1/networks/local/supply')).json()
  }
  await writer.commit(blocks.splice(0, 40))
  let before = await answer(own)
  for (let statement = 1; blocks.length > 0; statement++) {
    let countdown = 1 + (statement % 8)
    const next = interrupted(own, async () => {
      countdown -= 1
      if (countdown === 0) await writer.commit(blocks.splice(0, 10))
    })
    const found = await answer(next)
    const after = await answer(own)
    expect([before, after]).toContainEqual(found)
    before = after
  }
  await own.close()
})

function sum(shares: readonly { readonly amount: bigint }[]): bigint {
  return shares.reduce((total, { amount }) => total + amount, 0n)
}
