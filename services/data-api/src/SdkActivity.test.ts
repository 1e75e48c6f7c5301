import { readFileSync } from 'node:fs'
import type { Avalanche } from '@avalanche-sdk/chainkit'
import { Bech32, Bytes, Hex, Id, NodeId } from '@firn/codec'
import { database } from '@firn/sql/testing'
import type { Store } from '@firn/store'
import { recordedStore } from '@firn/store/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Observation } from './primary/network/Context.ts'
import { all, client } from './testing/client.ts'
import { listen } from './testing/serve.ts'

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../vectors/${name}`, import.meta.url), 'utf8'))

/** Addresses of the recorded network. */
const KNOWN = Object.keys(read('balances.json').platform)
const NOBODY = Bech32.encode('local', new Uint8Array(20).fill(9))
const CHAINS = { 'p-chain': 'P', 'x-chain': 'X', 'c-chain': 'C' } as const
type Name = keyof typeof CHAINS
const NAMES = Object.keys(CHAINS) as Name[]

// biome-ignore lint/suspicious/noExplicitAny: tests access members that only some chains' types have
type Json = any

let store: Store
let url: string
let sdk: Avalanche

beforeAll(async () => {
  store = await recordedStore('local')
  url = (await listen(store)).url
  sdk = client(url)
})

describe('last activity of addresses', () => {
  const utxos = async () => database(store).selectFrom('utxo').selectAll().execute()

  /**
   * Returns the highest height at which an output of the owners was created or consumed, and their outputs.
   */
  const expected = async (name: Name, owners: readonly string[]) => {
    const chain = CHAINS[name]
    const bytes = owners.map((one) => Bech32.decode(one).payload)
    const own = (await utxos()).filter(
      (utxo) =>
        utxo.chain === chain && utxo.addresses.some((one) => bytes.some((owner) => Bytes.equals(one, owner))),
    )
    const made = own.filter(({ source }) => source === chain)
    const heights = [...made.map(({ height }) => height), ...own.flatMap((one) => one.consumed_height ?? [])]
    const blockNumber = heights.reduce((a, b) => (a > b ? a : b), -1n)
    return { blockNumber, own }
  }

  /** Returns the block with the transactions that took effect at a height, and their ids. */
  const containing = async (chain: string, height: bigint) => {
    const blocks = await database(store).selectFrom('block').selectAll().execute()
    const found = blocks.find((one) => one.chain === chain && one.height === height)
    const isOption = chain === 'P' && height > 0n && found?.transactions === 0
    const block = isOption ? height - 1n : height
    const transactions = await database(store).selectFrom('transaction').selectAll().execute()
    const own = transactions.filter((one) => one.chain === chain && one.height === block)
    return { block, txIds: own.map(({ id }) => Id.format(id)) }
  }

  test.each(NAMES)(
    'returns the time of the newest creation or consumption of an output on the %s, for GET and POST',
    async (blockchainId) => {
      let found = 0
      for (const owners of [...KNOWN.map((one) => [one]), KNOWN, [NOBODY]]) {
        const addresses = owners.join()
        const { blockNumber, own } = await expected(blockchainId, owners)
        const get = sdk.data.primaryNetwork.utxos.getLastActivityTimestampByAddresses({
          blockchainId,
          addresses,
        })
        if (blockNumber < 0n) {
          await expect(get).rejects.toMatchObject({ statusCode: 404 })
          continue
        }
        found++
        const activity = await get
        const { block, txIds } = await containing(CHAINS[blockchainId], blockNumber)
        expect([addresses, activity.blockNumber]).toEqual([addresses, String(block)])
        const utxo = own.find(({ id }) => Id.format(id) === activity.utxoId)
        const [height, time, txId] = activity.isConsumed
          ? [utxo?.consumed_height, utxo?.consumed_time, utxo?.consumed_tx_id]
          : [utxo?.height, utxo?.time, utxo?.tx_id]
        expect([height, Number(time)]).toEqual([blockNumber, activity.timestamp])
        // Rewards and returned stakes have the id of the staking transaction, but were created by the reward transaction.
        const isPaid = !activity.isConsumed && (utxo?.origin === 'reward' || utxo?.origin === 'stake')
        const made = block === 0n || isPaid ? undefined : Id.format(txId ?? new Uint8Array(32))
        expect(activity.txHash).toBe(made ?? activity.txHash)
        expect(txIds).toContain(activity.txHash)
        expect(activity).toMatchObject({ chainName: blockchainId, network: 'fuji' })
        const post = sdk.data.primaryNetwork.utxos.getLastActivityTimestampByAddressesV2({
          blockchainId,
          primaryNetworkAddressesBodyDto: { addresses },
        })
        expect(await post).toEqual(activity)
      }
      expect(found).toBeGreaterThan(0)
    },
  )

  test('accepts up to 1,024 addresses in a body, and rejects a body without addresses', async () => {
    const path = `${url}/v1/networks/fuji/blockchains/p-chain/lastActivityTimestampByAddresses`
    const post = (body: object) =>
      fetch(path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      })
    const some = Array.from({ length: 1_024 }, (_, i) => Bech32.encode('local', new Uint8Array(20).fill(i)))
    for (const [body, status] of [
      [{ addresses: [...some.slice(1), KNOWN[0]] }, 200],
      [{ addresses: [...some, KNOWN[0]] }, 400],
      [{}, 400],
      [{ addresses: 1 }, 400],
    ] as const) {
      expect((await post(body)).status).toBe(status)
    }
  })
})

test('lists the chains on which each address has transactions or UTXOs', async () => {
  const addresses = [...KNOWN, NOBODY]
  const path = `/v1/networks/fuji/addresses:listChainIds?addresses=${addresses.join()}`
  const { addresses: listed } = (await (await fetch(url + path)).json()) as Json
  const info = await Promise.all(
    NAMES.map(async (name) => (await fetch(`${url}/v1/networks/fuji/blockchains/${name}`)).json()),
  )
  const ids = [Id.format(Id.EMPTY), ...info.slice(1).map((one) => (one as Json).blockchainId)]
  const has = async (name: Name, member: 'transactions' | 'utxos', address: string) => {
    const list = `${url}/v1/networks/fuji/blockchains/${name}/${member}?pageSize=1&addresses=${address}`
    return ((await (await fetch(list)).json()) as Json)[member].length > 0
  }
  for (const [i, address] of addresses.entries()) {
    const flags = await Promise.all(
      NAMES.map(async (name) => (await has(name, 'transactions', address)) || has(name, 'utxos', address)),
    )
    expect(listed[i]).toEqual({ address, blockchainIds: ids.filter((_, k) => flags[k]) })
  }
  expect(listed.at(-1).blockchainIds).toEqual([])
  expect(listed.some(({ blockchainIds }: Json) => blockchainIds.length === 3)).toBe(true)
  // The SDK knows the chain ids of the public networks. Only the P-chain has the same id on this network.
  const onP = listed.find(({ blockchainIds }: Json) => blockchainIds.join() === ids[0])
  const answer = await sdk.data.primaryNetwork.getChainIdsForAddresses({ addresses: onP.address })
  expect(answer).toEqual({ addresses: [onP] })
})

test('lists all transactions that involve an asset', async () => {
  const pages = await all(
    sdk.data.primaryNetwork.transactions.listLatest({ blockchainId: 'x-chain', pageSize: 100 }),
  )
  const everything: readonly Json[] = pages.flatMap((page) => page.transactions as Json[])
  const assetsOf = ({ consumedUtxos, emittedUtxos }: Json): string[] =>
    [...consumedUtxos, ...emittedUtxos].map(({ asset }) => asset.assetId)
  const assets = [...new Set(everything.flatMap(assetsOf))]
  expect(assets.length).toBeGreaterThan(3)
  const list = async (assetId: string, more: object = {}): Promise<Json[]> => {
    const asked = { blockchainId: 'x-chain', assetId, pageSize: 3, ...more } as const
    const found = await all(sdk.data.primaryNetwork.transactions.listAssetTransactions(asked))
    return found.flatMap((page) => page.transactions)
  }
  for (const asset of assets) {
    const some = everything.filter((one) => assetsOf(one).includes(asset))
    expect(await list(asset)).toEqual(some)
    for (const txType of new Set(everything.map((one) => one.txType))) {
      const ofType = some.filter((one) => one.txType === txType)
      expect(await list(asset, { txTypes: [txType] })).toEqual(ofType)
    }
    const [startTimestamp, endTimestamp] = [some.at(-1).timestamp + 1, some[0].timestamp]
    const between = some.filter(({ timestamp: t }) => t >= startTimestamp && t < endTimestamp)
    expect(await list(asset, { startTimestamp, endTimestamp })).toEqual(between)
  }
  expect(await list(Id.format(Id.EMPTY))).toEqual([])
})

describe('network details', () => {
  const [PRIMARY] = [Id.format(Id.EMPTY)]
  const { subnets } = read('validators.json').local.at(-1)
  const said: readonly Json[] = subnets[PRIMARY]
  const sum = (amounts: readonly string[]) => String(amounts.reduce((all, one) => all + BigInt(one), 0n))

  test("returns counts, stakes and rewards that match the node's stakers and supply", async () => {
    const pages = await all(sdk.data.primaryNetwork.listDelegators({ delegationStatus: 'active' }))
    const delegators: readonly Json[] = pages.flatMap((page) => page.delegators)
    const { validatorDetails, delegatorDetails } = await sdk.data.primaryNetwork.getNetworkDetails({})
    expect(validatorDetails).toEqual({
      validatorCount: said.length,
      totalAmountStaked: sum(said.map(({ weight }) => weight)),
      estimatedAnnualStakingReward: sum([
        ...said.map(({ potentialReward }) => potentialReward),
        ...delegators.map(({ estimatedGrossReward }) => estimatedGrossReward),
      ]),
      stakingDistributionByVersion: [],
      // The supply is 361,196,359,018,762,311 nAVAX.
      stakingRatio: '0.027694',
    })
    expect(delegatorDetails).toEqual({
      delegatorCount: said.reduce((count, { delegatorCount }) => count + Number(delegatorCount), 0),
      totalAmountStaked: sum(said.map(({ delegatorWeight }) => delegatorWeight)),
    })
    const total = BigInt(validatorDetails.totalAmountStaked) + BigInt(delegatorDetails.totalAmountStaked)
    expect(total).toBe(10_003_101_000_000_000n)
  })

  test('includes the total stake per node version if a node reports versions', async () => {
    const runs = (version: string | undefined): Observation => ({
      uptime: 100,
      version,
      isConnected: version !== undefined,
      benched: [],
    })
    const versions = ['avalanchego/1.14.2', 'avalanchego/1.14.1', 'avalanchego/1.14.2', undefined]
    const observations = new Map(
      versions.map((version, i) => [Hex.encodeBare(NodeId.parse(said[i].nodeID)), runs(version)]),
    )
    const other = client((await listen(store, { observations: async () => observations })).url)
    const { validatorDetails } = await other.data.primaryNetwork.getNetworkDetails({})
    expect(validatorDetails.stakingDistributionByVersion).toEqual([
      { version: versions[1], amountStaked: said[1].weight, validatorCount: 1 },
      { version: versions[0], amountStaked: sum([said[0].weight, said[2].weight]), validatorCount: 2 },
    ])
  })
})
