import { Bech32, type ChainAlias, Hex, NodeId } from '@firn/codec'
import { type Store, Transactions } from '@firn/store'
import { recordedStore } from '@firn/store/testing'
import { PlatformTx } from '@firn/txs'
import { beforeAll, expect, test } from 'vitest'
import type { DataContext } from '../../primary/network/Context.ts'
import { contextOf } from '../../testing/serve.ts'
import { createFilters } from '../common/Filters.ts'
import { watchAddresses } from './addressEvents.ts'
import { ADDRESS_SUB_EVENTS, type AddressFilter } from './addressFilter.ts'
import { primaryFeed } from './primaryFeed.ts'
import { watchValidators } from './validatorEvents.ts'
import { VALIDATOR_SUB_EVENTS, type ValidatorFilter } from './validatorFilter.ts'

interface Told {
  readonly height: bigint
  readonly position: number
  readonly webhooks: readonly string[]
  // biome-ignore lint/suspicious/noExplicitAny: tests access members of any event
  readonly event: any
}

let store: Store
let context: DataContext

beforeAll(async () => {
  store = await recordedStore('local')
  context = await contextOf(store, {})
})

/** Returns the messages of the webhooks for all blocks of a chain. */
async function tell(
  chain: ChainAlias,
  asked: { readonly addresses?: readonly AddressFilter[]; readonly validators?: readonly ValidatorFilter[] },
): Promise<readonly Told[]> {
  const webhooks = {
    addresses: createFilters<AddressFilter>(),
    validators: createFilters<ValidatorFilter>(),
  }
  for (const filter of asked.addresses ?? []) webhooks.addresses.put(filter)
  for (const filter of asked.validators ?? []) webhooks.validators.put(filter)
  const feed = primaryFeed(chain, context, [
    watchAddresses(webhooks.addresses),
    watchValidators(webhooks.validators),
  ])
  const progress = { sequence: 0n, settled: undefined }
  const told: Told[] = []
  for (;;) {
    const changes = await feed.changesAfter(progress)
    if (changes.length === 0) break
    for (const change of changes) {
      const step = await feed.compare(change, progress)
      progress.sequence = change.sequence
      if (step === undefined || !('events' in step)) continue
      for (const { height, position, webhooks: ids, body } of step.events)
        told.push({ height, position, webhooks: ids, event: JSON.parse(body) })
    }
  }
  expect(progress.sequence).toBe((await store.snapshot())[chain].height)
  return told
}

const ADDRESS = 'local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u'
const OTHER = 'local1kucwyn3yc3m3e8saa87922jewhdx3thhp2dde0'

function address(text: string, more: Partial<AddressFilter> = {}): AddressFilter {
  return {
    id: text,
    fromSequence: 0n,
    keys: [Hex.encodeBare(Bech32.decode(text).payload)],
    subEvents: new Set(ADDRESS_SUB_EVENTS),
    threshold: undefined,
    ...more,
  }
}

function validator(nodeId: string, more: Partial<ValidatorFilter> = {}): ValidatorFilter {
  const key = NodeId.parse(nodeId)
  return {
    id: nodeId,
    fromSequence: 0n,
    keys: [Hex.encodeBare(key)],
    keyType: 'nodeId',
    key,
    subEvents: new Set(VALIDATOR_SUB_EVENTS),
    nodeIds: new Set(),
    subnetIds: new Set(),
    threshold: undefined,
    ...more,
  }
}

const changes = (told: readonly Told[]) => told.filter(({ event }) => event.eventType === 'balance_change')

interface Amount {
  readonly symbol: string
  readonly amount: string
}
const avax = (amounts: readonly Amount[]) =>
  amounts.reduce((sum, { symbol, amount }) => (symbol === 'AVAX' ? sum + BigInt(amount) : sum), 0n)

interface Output {
  readonly addresses: readonly string[]
  readonly asset: Amount
  readonly staked: boolean
  readonly createdOnChainId: string
  readonly consumedOnChainId: string
}

/** Returns the AVAX of the outputs that an address can spend on the P-chain, and that no other chain exported to it. */
const own = (outputs: readonly Output[]) =>
  avax(
    outputs
      .filter(({ addresses, staked }) => addresses.includes(ADDRESS) && !staked)
      .filter(({ createdOnChainId, consumedOnChainId }) => createdOnChainId === consumedOnChainId)
      .map(({ asset }) => asset),
  )

test('tells balances that are those before, minus the consumed and plus the emitted outputs', async () => {
  const told = changes(await tell('P', { addresses: [address(ADDRESS)] }))
  const reckoned = told.map(({ event: { transaction, balances } }) => ({
    type: transaction.txType,
    balance: avax(balances.unlockedUnstaked),
    change: own(transaction.emittedUtxos) - own(transaction.consumedUtxos),
  }))
  expect(reckoned.length).toBeGreaterThan(50)
  for (const [i, { type, balance, change }] of reckoned.entries()) {
    const before = reckoned[i - 1]
    // A reward is paid, and a stake returned, under the id of the transaction that added the staker.
    if (before === undefined || type === 'RewardValidatorTx') continue
    // Messages of all changes of a block have the balance after it.
    if (told[i]?.height === told[i - 1]?.height || told[i]?.height === told[i + 1]?.height) continue
    expect(balance - before.balance, `change ${i}, ${type}`).toBe(change)
  }
  const rewards = reckoned.flatMap(({ type, balance }, i) =>
    type === 'RewardValidatorTx' ? [balance - (reckoned[i - 1]?.balance ?? 0n)] : [],
  )
  expect(rewards.length).toBeGreaterThan(0)
  expect(rewards.every((reward) => reward > 0n)).toBe(true)
})

test('combines the addresses of a webhook that a transaction touches, and tells nobody else', async () => {
  const keys = [ADDRESS, OTHER].flatMap((text) => address(text).keys)
  const told = changes(await tell('P', { addresses: [address(ADDRESS, { keys, id: 'both' })] }))
  const single = changes(await tell('P', { addresses: [address(ADDRESS), address(OTHER)] }))
  expect(new Set(told.map(({ event }) => event.transaction.txHash))).toEqual(
    new Set(single.map(({ event }) => event.transaction.txHash)),
  )
  const [first] = told
  expect(first?.event.addresses).toEqual([ADDRESS, OTHER].toSorted())
  const sum = single.slice(0, 2).reduce((all, { event }) => all + avax(event.balances.unlockedUnstaked), 0n)
  expect(avax(first?.event.balances.unlockedUnstaked)).toBe(sum)
})

test('tells a balance that falls below an amount once, when it does', async () => {
  const balances = changes(await tell('P', { addresses: [address(ADDRESS)] })).map(({ height, event }) => ({
    height,
    balance: avax(event.balances.unlockedUnstaked),
  }))
  const [low, high] = [balances.at(-1)?.balance ?? 0n, balances[0]?.balance ?? 0n]
  const amount = (low + high) / 2n
  const falls = balances.filter(
    ({ balance, height }, i) =>
      balance < amount &&
      (balances.slice(0, i).findLast((one) => one.height < height)?.balance ?? 0n) >= amount,
  )
  const threshold = { type: 'unlockedUnstaked', amount } as const
  const told = await tell('P', { addresses: [address(ADDRESS, { threshold })] })
  const crossings = told.filter(({ event }) => event.eventType === 'balance_threshold')
  expect(falls.length).toBeGreaterThan(0)
  expect(crossings.map(({ height }) => height)).toEqual([...new Set(falls.map(({ height }) => height))])
  expect(crossings[0]?.event).toMatchObject({
    addresses: [ADDRESS],
    balanceType: 'unlockedUnstaked',
    balanceThreshold: String(amount),
  })
})

test('tells rewards to the addresses that receive them', async () => {
  const told = await tell('P', { addresses: [address(ADDRESS), address(OTHER)] })
  const rewards = told.filter(({ event }) => event.eventType === 'reward_distribution')
  expect(rewards.length).toBeGreaterThan(0)
  for (const { event } of rewards) expect(event.transaction.txType).toBe('RewardValidatorTx')
})

test.each(['X', 'C'] as const)('tells the transactions of the %s-chain', async (chain) => {
  const told = await tell(chain, { addresses: [address(ADDRESS), address(OTHER)] })
  expect(told.length).toBeGreaterThan(0)
  expect(new Set(told.map(({ event }) => event.eventType))).toEqual(new Set(['balance_change']))
})

/** The nodes of the recording that validate an L1, with what its transactions and fees did to them. */
const L1 = [
  // Registered with the conversion of its subnet; its balance ended at height 58, and was increased again.
  [
    'NodeID-BRujDCXkZ93Enf1BGQnbV6TS9qz5tMvcz',
    ['l1_validator_disabled 58', 'l1_validator_balance_increased 69'],
  ],
  [
    'NodeID-LSZNKwga4ymKCFMjCCxYVPRY9nmCRPbZB',
    ['l1_validator_disabled 76', 'l1_validator_balance_increased 77'],
  ],
  ['NodeID-7KgwJ89tkvzfBSH8yKANCsK9wcPa7VpvU', ['l1_validator_disabled 78']],
  ['NodeID-NBaU1YoyRHRh4azHcFArzoAccR2a9CvKg', ['l1_validator_removed 81']],
  [
    'NodeID-6Q4DHSHzUuw4dR1eVtZ7mmkSwQYBFsGTh',
    ['l1_validator_balance_increased 68', 'l1_validator_removed 85'],
  ],
] as const

test.each(L1)('tells what happens to the L1 validator %s', async (nodeId, expected) => {
  const told = await tell('P', { validators: [validator(nodeId)] })
  const own = told.filter(({ event }) => event.eventType.startsWith('l1_'))
  expect(own.map(({ height, event }) => `${event.eventType} ${height}`)).toEqual(expected)
  expect(own.every(({ event }) => event.nodeId === nodeId && event.validationId.length > 40)).toBe(true)
})

test('tells once when the balance of an L1 validator falls below an amount', async () => {
  const node = 'NodeID-MmmcUzyixNGHnzzVm6Kbu4cLMgisf2jB6'
  const told = await tell('P', { validators: [validator(node, { threshold: 1_000_000_000n })] })
  const below = told.filter(({ event }) => event.eventType === 'l1_validator_balance_threshold')
  expect(below.map(({ height, event }) => [height, event.remainingBalance, event.balanceThreshold])).toEqual([
    [53n, '999999834', '1000000000'],
  ])
  const quiet = validator(node, { threshold: 1_000_000_000n, subEvents: new Set(['validator_stake']) })
  expect((await tell('P', { validators: [quiet] })).map(({ event }) => event.eventType)).toEqual([
    'validator_stake',
  ])
})

test('tells the whole life of a node in the order of the chain', async () => {
  // The heights and types were read from the recorded blocks: a validator, its two delegators, their rewards, then an L1.
  const told = await tell('P', { validators: [validator('NodeID-6Q4DHSHzUuw4dR1eVtZ7mmkSwQYBFsGTh')] })
  const heights = [47, 48, 49, 53, 55, 57, 68, 85]
  const types = [
    'validator_stake',
    'delegator_stake',
    'delegator_stake',
    ...Array(3).fill('reward_distribution'),
  ]
  expect(
    told
      .filter(({ height }) => heights.includes(Number(height)))
      .map(({ height, event }) => [Number(height), event.eventType]),
  ).toEqual(
    [...types, 'l1_validator_balance_increased', 'l1_validator_removed'].map((type, i) => [heights[i], type]),
  )
})

test('tells a balance that fees bring below an amount, and one that a transaction ends', async () => {
  // The balance ends at accrued fees of 1,004,218,762. They are 4,218,768, 4,218,770 and 4,218,772 at heights 73 to 75.
  const node = 'NodeID-LSZNKwga4ymKCFMjCCxYVPRY9nmCRPbZB'
  const below = async (threshold: bigint) =>
    (await tell('P', { validators: [validator(node, { threshold })] }))
      .filter(({ event }) => event.eventType === 'l1_validator_balance_threshold')
      .map(({ height, event }) => [height, event.remainingBalance])
  expect(await below(999_999_993n)).toEqual([[74n, '999999992']])
  expect(await below(500_000_000n)).toEqual([[76n, '0']])
})

test('tells the balances that an address has after transfers, an import and a reward', async () => {
  const rewarded = Bech32.encode('local', Hex.decodeBare('a0857acb086d08f6dd5779415e8fcc431c98bac8'))
  const told = await tell('P', { addresses: [address(rewarded)] })
  const last = changes(told).map(({ height, event }) => [
    Number(height),
    avax(event.balances.unlockedUnstaked),
  ])
  expect(last).toEqual([
    [2, 150_000_000_000n],
    [5, 70_000_000_000n],
    [18, 0n],
    [39, 4_999_984_070n],
    [53, 4_999_984_070n + 151_717n],
  ])
  const rewards = told.filter(({ event }) => event.eventType === 'reward_distribution')
  expect(rewards.map(({ height }) => height)).toEqual([53n])
})

test('sends stakes and rewards of a node, and only of the requested subnets', async () => {
  const node = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
  const counts = (told: readonly Told[]) =>
    Object.fromEntries(
      [...Map.groupBy(told, ({ event }) => event.eventType)].map(([type, all]) => [type, all.length]),
    )
  const told = await tell('P', { validators: [validator(node)] })
  const { P } = await store.snapshot()
  const types = (await Transactions.decided(store, 'P', 0n, P.height)).flatMap(({ bytes }) => {
    const { unsignedTx: tx } = PlatformTx.decode(bytes)
    return 'validator' in tx && NodeId.format(tx.validator.nodeID) === node ? [tx.type] : []
  })
  const delegations = types.filter((type) => type.includes('Delegator')).length
  // The node also validates L1s.
  expect(counts(told.filter(({ event }) => event.validationId === undefined))).toMatchObject({
    delegator_stake: delegations,
    validator_stake: types.length - delegations,
  })
  const [subnet] = told.filter(({ event }) => event.eventType === 'validator_stake')
  expect(subnet?.event.transaction).toMatchObject({ txType: 'AddSubnetValidatorTx', nodeId: node })
  const limited = validator(node, { subnetIds: new Set(['00'.repeat(32)]) })
  expect(counts(await tell('P', { validators: [limited] }))).not.toHaveProperty('validator_stake')
})

test('tells nothing of blocks up to the position at which a webhook was created', async () => {
  const all = await tell('P', { addresses: [address(ADDRESS)] })
  const later = await tell('P', { addresses: [address(ADDRESS, { fromSequence: 40n })] })
  expect(later.map(({ height }) => height)).toEqual(
    all.map(({ height }) => height).filter((height) => height > 40n),
  )
})
