import { readFileSync } from 'node:fs'
import { Hex, Id } from '@firn/codec'
import { Blocks, type Snapshot, Snapshots, type Store, Transactions } from '@firn/store'
import { recordedStore } from '@firn/store/testing'
import { beforeAll, expect, test } from 'vitest'
import { messageToSign } from './L1Transaction.ts'

/** A recorded request to the signature aggregator of a real network. */
interface Recorded {
  readonly label: string
  readonly message: string
  readonly justification: string | null
  /** Null if the Primary Network signs. */
  readonly signingSubnet: string | null
}

const RECORDED: readonly Recorded[] = JSON.parse(
  readFileSync(new URL('../../vectors/p-messages.json', import.meta.url), 'utf8'),
)
const L1_TYPES = ['ConvertSubnetToL1Tx', 'RegisterL1ValidatorTx', 'SetL1ValidatorWeightTx']

let store: Store
let tip: Snapshot
let transactions: readonly Transactions.Details[]

beforeAll(async () => {
  store = await recordedStore('local')
  tip = await store.snapshot()
  const all = await Transactions.page(store, tip, 'P', {
    addresses: undefined,
    names: undefined,
    from: undefined,
    until: undefined,
    isStaking: false,
    after: undefined,
    order: 'asc',
    limit: 1_000,
  })
  transactions = all.filter(({ name }) => L1_TYPES.includes(name))
})

/** Returns the snapshot right after a transaction was accepted. */
async function then({ height }: Transactions.Details): Promise<Snapshot> {
  const block = await Blocks.byHeight(store, tip, 'P', height)
  if (block === undefined) throw new Error('expected the block of a recorded transaction')
  return Snapshots.create({ ...tip, P: { height, blockId: block.id, time: block.time } })
}

const ask = (at: Snapshot, txHash: Uint8Array) => messageToSign({ store, at, networkId: 12345 }, txHash)

test('returns the recorded message and justification of each L1 transaction', async () => {
  const matched = new Set<string>()
  for (const listed of transactions) {
    const made = await ask(await then(listed), listed.id)
    const message = Hex.encode(made.message)
    for (const recorded of RECORDED.filter((one) => one.message === message)) {
      matched.add(recorded.label)
      // Some recordings contain a justification that the message does not need.
      const isNeeded = !recorded.label.endsWith('-justified') && (recorded.justification ?? '') !== ''
      const justification = isNeeded ? recorded.justification?.replace(/^0x/, '') : ''
      expect([recorded.label, Hex.encodeBare(made.justification)]).toEqual([recorded.label, justification])
    }
  }
  // Validators in recordings with `-never-` in the label were never registered by a transaction.
  const expected = RECORDED.map(({ label }) => label).filter((label) => !label.includes('-never-'))
  expect([...matched].sort()).toEqual([...new Set(expected)].sort())
  expect(transactions).toHaveLength(15)
})

test('uses the validators of the manager’s chain as signers', async () => {
  const subnets = await Promise.all(
    transactions.map(async (one) => Id.format((await ask(await then(one), one.id)).signingSubnetId)),
  )
  expect(new Set(subnets)).toEqual(
    new Set([
      '2Kg9PRgtodF9GBiqv69ZkXN74W3EAdwKK9Xhuu6nGousUEMS85',
      '249Gk2KCQwQUQgUcMFCfPmV3iz6f4bkYzXPt93eShnFi82WtZW',
      Id.format(Id.EMPTY),
    ]),
  )
})

test('rejects messages that can no longer be signed, with the reason', async () => {
  const reasons: string[] = []
  for (const { id } of transactions) {
    await ask(tip, id).catch((error: Error) => reasons.push(error.message.replace(/\w{40,}/, '…')))
  }
  expect(reasons).toEqual([
    'txHash: the validator … was removed, so its registration can no longer be signed',
    'txHash: the validator … was removed, so its weight can no longer be signed',
    'txHash: the validator … was removed, so its registration can no longer be signed',
    'txHash: nonce 0 with weight 150 was superseded by nonce 7 with weight 175; only the latest can be signed',
    'txHash: the validator … was removed, so its weight can no longer be signed',
  ])
})

test('returns different errors for a transaction without a message and for an unknown transaction', async () => {
  await expect(ask(tip, new Uint8Array(32).fill(1))).rejects.toMatchObject({ code: 'DATA_NOT_FOUND' })
  const [other] = await Transactions.page(store, tip, 'P', {
    addresses: undefined,
    names: undefined,
    from: undefined,
    until: undefined,
    isStaking: false,
    after: { height: 1n, ordinal: -1 },
    order: 'asc',
    limit: 1,
  })
  await expect(ask(tip, other?.id ?? Id.EMPTY)).rejects.toMatchObject({
    code: 'DATA_CONFLICT',
    message: expect.stringMatching(/^txHash: BaseTx has no message/),
  })
})
