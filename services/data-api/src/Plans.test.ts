import { Bech32 } from '@firn/codec'
import { explain, listening } from '@firn/sql/testing'
import { type Store, Writer } from '@firn/store'
import { eachDatabase, inventedLedger, Recordings } from '@firn/store/testing'
import { beforeAll, expect, test } from 'vitest'
import { serve } from './testing/serve.ts'

const TRANSACTIONS = 6_000
const [RARE, BUSY] = [new Uint8Array(20).fill(1), new Uint8Array(20).fill(2)]
const address = (bytes: Uint8Array) => `P-${Bech32.encode('local', bytes)}`
const NETWORK = '/v1/networks/local'
const TRANSACTIONS_OF = (chain: string) => `${NETWORK}/blockchains/${chain}/transactions`
const P = TRANSACTIONS_OF('p-chain')

const LISTS = [
  ...['p-chain', 'x-chain', 'c-chain'].flatMap((chain) => [
    TRANSACTIONS_OF(chain),
    `${TRANSACTIONS_OF(chain)}?addresses=${address(BUSY)}`,
  ]),
  ...[RARE, BUSY]
    .map(address)
    .flatMap((of) => [
      `${P}?addresses=${of}&sortOrder=asc`,
      `${P}?addresses=${of}&txTypes=CreateSubnetTx,BaseTx`,
      `${P}?addresses=${of}&startTimestamp=1&endTimestamp=2000000000`,
      `${P}:listStaking?addresses=${of}`,
    ]),
  `${P}:listStaking`,
  `${P}:listStaking?sortOrder=asc`,
  `${NETWORK}/subnets?pageSize=10`,
  `${NETWORK}/blockchains`,
  `${NETWORK}/l1Validators`,
  `${NETWORK}/l1Validators?includeInactiveL1Validators=true`,
  ...['validators', 'delegators'].flatMap((list) => [
    `${NETWORK}/${list}`,
    `${NETWORK}/${list}?sortOrder=asc`,
    `${NETWORK}/${list}?nodeIds=NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg`,
    ...['active', 'pending', 'completed'].map(
      (status) => `${NETWORK}/${list}?${list === 'validators' ? 'validation' : 'delegation'}Status=${status}`,
    ),
  ]),
  `${NETWORK}/validators?validationStatus=removed`,
  `${NETWORK}/validators?sortBy=delegationCapacity`,
  `${NETWORK}/validators/NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg`,
  `${NETWORK}/delegators?rewardAddresses=${address(RARE)}`,
  ...['p-chain', 'x-chain', 'c-chain'].map((chain) => `${NETWORK}/blockchains/${chain}/blocks?pageSize=3`),
  ...['p-chain', 'c-chain'].map(
    (chain) => `${NETWORK}/blockchains/${chain}/nodes/NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg/blocks`,
  ),
  ...[RARE, BUSY]
    .map(address)
    .flatMap((of) => [
      `${NETWORK}/blockchains/p-chain/utxos?addresses=${of}&pageSize=7`,
      `${NETWORK}/blockchains/x-chain/utxos?addresses=${of}&pageSize=7`,
      `${NETWORK}/rewards?addresses=${of}`,
      `${NETWORK}/rewards:listPending?addresses=${of}`,
    ]),
  `${NETWORK}/rewards?nodeIds=NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg`,
  `${NETWORK}/rewards:listPending?nodeIds=NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg`,
  `${NETWORK}/l1Validators?nodeId=NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg`,
]

/**
 * Matches a full scan of a table that can grow without limit and has many rows in this test. For partitioned tables,
 * the P-chain's partition is listed.
 */
const LARGE =
  /Seq Scan on (block_p|transaction_p|transaction_address_p|utxo_p|utxo_address_p|proposal|staker|l1_validator)/

eachDatabase(({ open }) => {
  let store: Store

  beforeAll(async () => {
    store = await open()
    const recording = Recordings.load('local')
    const { writer, state } = await Writer.open(store, recording.genesis, recording.constants)
    const owners = [
      { address: RARE, every: TRANSACTIONS },
      { address: BUSY, every: 1 },
    ]
    await writer.commit([...inventedLedger(recording, state, { transactions: TRANSACTIONS, owners })])
    await multiply(store, 'staker', 60)
    await multiply(store, 'l1_validator', 60)
    await store.driver.transaction((session) =>
      session.query(
        `insert into proposal select 'P', substring(sha256(height::text::bytea) from 1 for 20), height from block where chain = 'P'`,
      ),
    )
    await store.driver.transaction((session) => session.query('analyze'))
  })

  test('uses an index of each large table for the first three pages of every list', async () => {
    const heard = listening(store)
    const ask = await serve(heard.store)
    for (const first of LISTS) {
      let next: string | undefined = first
      for (let page = 0; page < 3 && next !== undefined; page++) {
        heard.take()
        const { status, json } = await ask(next)
        expect([next, status]).toEqual([next, 200])
        for (const statement of heard.take()) {
          const plan = (await explain(store, statement)).join('\n')
          if (LARGE.exec(plan)) console.log(first, plan)
          expect([first, statement.text, LARGE.exec(plan)?.[0] ?? 'index']).toEqual([
            first,
            statement.text,
            'index',
          ])
        }
        const [where = ''] = first.split('?')
        const token: string | undefined = json.nextPageToken
        next = token === undefined ? undefined : `${where}?pageToken=${token}`
      }
    }
  })

  test('uses the expected index for each list of stakers', async () => {
    const heard = listening(store)
    const ask = await serve(heard.store)
    for (const [list, index] of STAKERS) {
      heard.take()
      await ask(`${NETWORK}/${list}`)
      const plans = await Promise.all(heard.take().map((statement) => explain(store, statement)))
      expect([
        list,
        plans.flat().some((line) => new RegExp(`${index}\\b`).test(line)) || plans.flat(),
      ]).toEqual([list, true])
    }
  })
})

/** Lists of stakers, each with the index that its query must use. */
const STAKERS = [
  ['validators?validationStatus=active', 'staker_role_start_time_key_idx'],
  ['delegators?delegationStatus=active', 'staker_role_start_time_key_idx'],
  ['validators?validationStatus=completed', 'staker_role_start_time_key_idx1'],
  ['delegators?delegationStatus=completed', 'staker_role_start_time_key_idx1'],
  ['validators?validationStatus=removed', 'staker_start_time_key_idx'],
  ['validators/NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg', 'staker_node_id_role_until_idx'],
] as const

/**
 * Multiplies the rows of a table by copying them with new keys. In a small table, the planner would choose a
 * full scan.
 */
async function multiply(store: Store, table: 'staker' | 'l1_validator', times: number): Promise<void> {
  await store.driver.transaction(async (session) => {
    await session.query(
      `create temporary table copied on commit drop as select * from ${table} where until is null`,
    )
    await session.query(`update copied set key = sha256(key), since = since + 1, until = since + 2`)
    for (let i = 0; i < times; i++) {
      await session.query(`insert into ${table} select * from copied`)
      await session.query('update copied set key = sha256(key)')
    }
  })
}
