import { readFileSync } from 'node:fs'
import type { Avalanche } from '@avalanche-sdk/chainkit'
import { Bech32, type ChainAlias } from '@firn/codec'
import { recordedStore } from '@firn/store/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import { all, client } from './testing/client.ts'
import { listen } from './testing/serve.ts'

/** Final balances from the recorded node, by address. */
const SAID: {
  readonly platform: Readonly<Record<string, string>>
  readonly staked: Readonly<Record<string, string>>
  readonly avm: Readonly<Record<string, Readonly<Record<string, string>>>>
} = JSON.parse(readFileSync(new URL('../vectors/balances.json', import.meta.url), 'utf8'))

/** Final UTXO lists from the recorded node, by source chain. */
const LISTED: readonly {
  readonly blockchainId: 'p-chain' | 'x-chain' | 'c-chain'
  readonly addresses: string
  readonly source: ChainAlias
  readonly utxos: readonly string[]
}[] = JSON.parse(readFileSync(new URL('../vectors/utxos.json', import.meta.url), 'utf8'))

const EWOQ = 'local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u'
let sdk: Avalanche

beforeAll(async () => {
  const { url } = await listen(await recordedStore('local'))
  sdk = client(url)
})

// biome-ignore lint/suspicious/noExplicitAny: tests access members that only some chains' types have
type Json = any

describe('balances', () => {
  const of = async (blockchainId: 'p-chain' | 'x-chain' | 'c-chain', more: object): Promise<Json> =>
    sdk.data.primaryNetwork.balances.listByAddresses({ blockchainId, ...more })
  const amount = (sums: Json) => sums.reduce((sum: bigint, one: Json) => sum + BigInt(one.amount), 0n)

  test.each(Object.keys(SAID.platform))(
    'returns the same P-chain balances of %s as the node',
    async (address) => {
      const { balances, chainInfo } = await of('p-chain', { addresses: `P-${address}` })
      expect(chainInfo).toEqual({ chainName: 'p-chain', network: 'fuji' })
      const { unlockedUnstaked, lockedPlatform, lockedStakeable, unlockedStaked, lockedStaked } = balances
      expect(String(amount([...unlockedUnstaked, ...lockedPlatform, ...lockedStakeable]))).toBe(
        SAID.platform[address],
      )
      expect(String(amount([...unlockedStaked, ...lockedStaked]))).toBe(SAID.staked[address])
    },
  )

  test.each(Object.keys(SAID.avm))('returns the same X-chain balances of %s as the node', async (address) => {
    const { balances } = await of('x-chain', { addresses: address })
    const sums = [...balances.unlocked, ...balances.locked].filter((one) => one.amount !== '0')
    const byAsset = Map.groupBy(sums, ({ assetId, symbol }) => (symbol === 'AVAX' ? symbol : assetId))
    const found = [...byAsset].map(([asset, some]) => [asset, String(amount(some))])
    const said = Object.entries(SAID.avm[address] ?? {}).filter(([, sum]) => sum !== '0')
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(said))
  })

  test('returns the same balances as the node at an earlier time, including locked amounts', async () => {
    const then = { blockTimestamp: 1_795_217_473 }
    const said = {
      [EWOQ]: { unlockedUnstaked: '29998594441270224', unlockedStaked: '11051000000000' },
      local1kucwyn3yc3m3e8saa87922jewhdx3thhp2dde0: {
        unlockedUnstaked: '11999984030',
        lockedStakeable: '30000000000',
        lockedPlatform: '1000000000',
      },
      local1qqgz4zdjf3kd8mrnpmnepmxeum9z8ngpwqv89c: {
        unlockedUnstaked: '2000000000',
        lockedStakeable: '50000000000',
        lockedStaked: '50000000000',
      },
    }
    for (const [addresses, expected] of Object.entries(said)) {
      const { balances } = await of('p-chain', { addresses, ...then })
      const { atomicMemoryUnlocked, atomicMemoryLocked, ...own } = balances
      const sums = Object.entries(own).map(([kind, sums]) => [kind, String(amount(sums))])
      expect(Object.fromEntries(sums.filter(([, sum]) => sum !== '0'))).toEqual(expected)
    }
    await expect(of('p-chain', { addresses: EWOQ, blockTimestamp: 1 })).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('blockTimestamp: expected a time at or after the genesis'),
    })
  })

  test('lists importable balances in shared memory, grouped by the exporting chain', async () => {
    const addresses = Object.keys(SAID.platform).join()
    const sums = async (blockchainId: 'p-chain' | 'x-chain' | 'c-chain') => {
      const { balances } = await of(blockchainId, { addresses })
      expect(balances.atomicMemoryLocked).toEqual([])
      return balances.atomicMemoryUnlocked.map(
        ({ symbol, amount: sum, utxoCount, sharedWithChainId }: Json) =>
          [sharedWithChainId.slice(0, 5), symbol, sum, utxoCount].join(' '),
      )
    }
    expect(await sums('p-chain')).toEqual(['2owdG AVAX 4000000000 1', '2eNy1 AVAX 777 1'])
    expect(await sums('x-chain')).toEqual(['2owdG AVAX 9000000000 3', '11111 AVAX 779000000 1'])
    expect(await sums('c-chain')).toEqual([
      '11111 AVAX 4779000000 2',
      '2eNy1 AVAX 778000000 1',
      '2eNy1 FIX 11 1',
    ])
    await expect(of('c-chain', {})).rejects.toMatchObject({ statusCode: 400 })
  })
})

describe('UTXOs', () => {
  const list = sdkUtxos()
  const IDS = {
    P: '11111111111111111111111111111111LpoYY',
    X: '2eNy1mUFdmaxXNj1eQHUe7Np4gju9sJsEtWQ4MX3ToiNKuADed',
    C: '2owdGqyG6FFzTHy5qhenDXQcEghvr571KZE3gSfRJERSJinuwC',
  }

  test.each(LISTED)(
    'lists the same UTXOs as the node for $addresses on the $blockchainId, exported from $source',
    async (said) => {
      const { blockchainId, addresses, source, utxos } = said
      const found = await list.get({ blockchainId, addresses, pageSize: 3 })
      const ofSource = found.filter(({ createdOnChainId }: Json) => createdOnChainId === IDS[source])
      expect(ofSource.map(({ utxoBytes }: Json) => utxoBytes).sort()).toEqual(utxos)
      expect(await list.post({ blockchainId, addresses, pageSize: 1_000 })).toEqual(found)
      expect(await list.post({ blockchainId, addresses, pageSize: 4, sortOrder: 'asc' })).toEqual(
        found.toReversed(),
      )
    },
  )

  test('sorts and filters UTXOs', async () => {
    const asked = { blockchainId: 'p-chain', addresses: LISTED[1]?.addresses, pageSize: 7 } as const
    const everything = await list.get(asked)
    const timeOf = ({ blockTimestamp }: Json) => blockTimestamp
    expect(everything.map(timeOf)).toEqual(everything.map(timeOf).sort((a: number, b: number) => b - a))
    const amountsOf = (utxos: Json[]) => utxos.map(({ amount }) => BigInt(amount))
    const byAmount = await list.get({ ...asked, sortBy: 'amount', sortOrder: 'asc' })
    expect(amountsOf(byAmount)).toEqual(amountsOf(everything).sort((a, b) => Number(a > b) - Number(a < b)))
    expect(await list.get({ ...asked, minUtxoAmount: 3_000_000_000 })).toEqual(
      everything.filter(({ amount }: Json) => BigInt(amount) >= 3_000_000_000n),
    )
    const spentToo = await list.get({ ...asked, includeSpent: true })
    const unspent = spentToo.filter(({ consumingTxHash }: Json) => consumingTxHash === undefined)
    expect(unspent).toEqual(everything)
    expect(spentToo.length).toBeGreaterThan(unspent.length + 40)
    const addresses = LISTED.find(({ blockchainId }) => blockchainId === 'x-chain')?.addresses
    const onX = { blockchainId: 'x-chain', addresses, pageSize: 9 } as const
    const fixed = (await list.get(onX)).filter(({ asset }: Json) => asset.symbol === 'FIX')
    expect(fixed).toHaveLength(2)
    expect(await list.get({ ...onX, assetId: fixed[0]?.asset.assetId })).toEqual(fixed)
  })

  test("lists the UTXOs of 1,024 addresses if each page's request repeats them in the body", async () => {
    const some = Array.from({ length: 1_023 }, (_, i) => Bech32.encode('local', new Uint8Array(20).fill(i)))
    const asked = { blockchainId: 'p-chain', pageSize: 5 } as const
    const addresses = [...some, EWOQ].join()
    expect(await list.post({ ...asked, addresses })).toEqual(await list.get({ ...asked, addresses: EWOQ }))
    await expect(list.post({ ...asked, addresses: `${addresses},${EWOQ}` })).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('at most 1024'),
    })
  })

  test('returns the reward type of UTXOs that are rewards', async () => {
    const { addresses } = LISTED[1] as (typeof LISTED)[number]
    const rewards = (await list.get({ blockchainId: 'p-chain', addresses, includeSpent: true })).filter(
      ({ rewardType }: Json) => rewardType !== undefined,
    )
    expect(rewards.map(({ rewardType, amount }: Json) => `${rewardType} ${amount}`)).toEqual([
      'VALIDATOR 1511989',
      'DELEGATOR 1094616',
    ])
  })
})

describe('rewards', () => {
  const EVERYBODY = Object.keys(SAID.platform).join()
  const paid = async (request: object): Promise<Json[]> => {
    const pages = await all(
      sdk.data.primaryNetwork.rewards.listHistoricalRewards({ pageSize: 2, ...request }),
    )
    return pages.flatMap((page) => page.historicalRewards)
  }
  const pending = async (request: object): Promise<Json[]> => {
    const pages = await all(sdk.data.primaryNetwork.rewards.listPendingRewards({ pageSize: 2, ...request }))
    return pages.flatMap((page) => page.pendingRewards)
  }

  const short = ({ rewardType, txHash, rewardTxHash, outputIndex, reward }: Json) =>
    [rewardType, txHash.slice(0, 4), rewardTxHash.slice(0, 4), outputIndex, reward.amount].join(' ')

  test('lists paid rewards that match the recorded proposals', async () => {
    const rewards = await paid({ addresses: EVERYBODY })
    expect(rewards.map(short)).toEqual([
      'VALIDATOR_FEE 2St5 iNgb 3 21153',
      'VALIDATOR 2St5 iNgb 2 1511989',
      'DELEGATOR jEhY gyGc 2 250171',
      'DELEGATOR 2BdS 2swY 2 151717',
      'DELEGATOR r89q 2f2t 2 1094616',
    ])
    expect((await paid({ addresses: EVERYBODY, sortOrder: 'asc' })).toReversed()).toEqual(rewards)
    for (const { nodeId } of rewards) {
      expect(await paid({ nodeIds: nodeId })).toEqual(rewards.filter((one) => one.nodeId === nodeId))
    }
    const [first] = rewards
    expect(await paid({ addresses: first.addresses[0] })).toEqual(
      rewards.filter(({ addresses }) => addresses.includes(first.addresses[0])),
    )
    expect(await paid({ nodeIds: first.nodeId, addresses: EVERYBODY })).toEqual(
      rewards.filter(({ nodeId }) => nodeId === first.nodeId),
    )
  })

  test('lists pending rewards that match the validators that the node reports', async () => {
    const rewards = await pending({ addresses: EVERYBODY })
    expect(
      rewards.map(({ rewardType, txHash, estimatedReward, progress }) =>
        [rewardType, txHash.slice(0, 4), estimatedReward.amount, progress].join(' '),
      ),
    ).toEqual([
      'VALIDATOR_FEE 2P6k 311847 13.38',
      'VALIDATOR 2P6k 239043697070926 13.38',
      'VALIDATOR_FEE ppZM 1094617 13.38',
      'VALIDATOR ppZM 239313906584684 13.38',
      'VALIDATOR 4CzB 238631074194715 13.38',
      'VALIDATOR 2bVA 239536834958496 13.39',
      'VALIDATOR LDV9 239808237943328 13.39',
      'VALIDATOR 29UA 24896840022 0.07',
      'DELEGATOR 8Ar8 206355060 0.1',
    ])
    expect(await pending({ addresses: EVERYBODY, sortOrder: 'asc', pageSize: 1 })).toEqual(
      rewards.toReversed(),
    )
    const { nodeId } = rewards[0]
    expect(await pending({ nodeIds: nodeId })).toEqual(rewards.filter((one) => one.nodeId === nodeId))
    await expect(pending({})).rejects.toMatchObject({ statusCode: 400 })
    await expect(paid({})).rejects.toMatchObject({ statusCode: 400 })
  })
})

describe('blocks and assets', () => {
  const LAST = {
    'p-chain': {
      blockNumber: '85',
      blockHash: '2g15cQA25eSfJgTM8tyT46CsAAU9vamya7TZJhhJLXkb8mM9BA',
      blockType: 'BanffStandardBlock',
      blockSizeBytes: 594,
      activeL1Validators: 13,
      currentSupply: '361196359018762311',
      proposerDetails: {
        proposerId: '29r9UyuMHFkaZysf4AfP3S6YBs7FoFHuxUrKoXDfz3wXpC7nUr',
        proposerPChainHeight: 82,
      },
    },
    'x-chain': { blockNumber: '35', blockType: 'StandardBlock', blockTimestamp: 1_795_217_490 },
    'c-chain': {
      blockNumber: '83',
      blockHash: '0xf76e42eeafde98f25df38bc348a827836d5d87a399d6ac75ef3f8d77823f1004',
      proposerDetails: { proposerNodeId: 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ' },
    },
  }
  const blocks = () => sdk.data.primaryNetwork.blocks
  const list = async (request: Json): Promise<Json[]> =>
    (await all(blocks().listLatest({ pageSize: 25, ...request }))).flatMap((page) => page.blocks)

  test.each([
    ['p-chain', 86, 77],
    ['x-chain', 36, 35],
    ['c-chain', 83, 8],
  ] as const)(
    'lists all blocks of the %s, each with its predecessor as parent',
    async (blockchainId, count, transactions) => {
      const found = await list({ blockchainId })
      expect(found).toHaveLength(count)
      for (const [i, one] of found.slice(0, -1).entries()) {
        expect(found[i + 1]?.blockHash).toBe(one.parentHash)
        expect(BigInt(one.blockNumber)).toBe(BigInt(found[i + 1]?.blockNumber) + 1n)
      }
      expect(found.flatMap((one) => one.transactions)).toHaveLength(transactions)
      for (const txHash of found.flatMap((one) => one.transactions)) {
        expect(await sdk.data.primaryNetwork.transactions.get({ blockchainId, txHash })).toMatchObject({
          txHash,
        })
      }
      const [last] = found
      expect(last).toMatchObject(LAST[blockchainId])
      for (const blockId of [last.blockNumber, last.blockHash, last.proposerDetails.proposerId]) {
        expect(await blocks().get({ blockchainId, blockId })).toEqual(last)
      }
      await expect(blocks().get({ blockchainId, blockId: '1000' })).rejects.toMatchObject({ statusCode: 404 })
      const [startTimestamp, endTimestamp] = [1_795_217_425, 1_795_217_664]
      expect(await list({ blockchainId, startTimestamp, endTimestamp })).toEqual(
        found.filter(({ blockTimestamp: t }) => t >= startTimestamp && t < endTimestamp),
      )
    },
  )

  test('returns asset details that match the transactions that created the assets', async () => {
    const details = (assetId: string) =>
      sdk.data.primaryNetwork.getAssetDetails({ blockchainId: 'x-chain', assetId })
    for (const [id, ...said] of [
      ['2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe', 'Avalanche', 'AVAX', 9, 'secp256k1', 'fixed'],
      [
        'yUFTj5PRfLouuTScLBFaeripsVcYcyBSd7Ahrrww9KcjPwffY',
        'Variable Cap',
        'VAR',
        0,
        'secp256k1',
        'variable',
      ],
      ['kyVFiG33Xc6FN8nFBbX3N8h2h24tHgEiXsv6bzAZP4FzQmSTL', 'Collectible', 'NFT', 0, 'nft', 'variable'],
    ] as const) {
      const { assetId, name, symbol, denomination, type, cap } = await details(id)
      expect([assetId, name, symbol, denomination, type, cap]).toEqual([id, ...said])
    }
    await expect(details('11111111111111111111111111111111LpoYY')).rejects.toMatchObject({ statusCode: 404 })
  })
})

/** Returns the SDK's GET and POST methods for UTXOs, each as a function that reads all pages. */
function sdkUtxos() {
  return {
    get: async (request: Json): Promise<Json[]> => {
      const pages = await all(sdk.data.primaryNetwork.utxos.listByAddresses(request))
      return pages.flatMap((page) => page.utxos as Json[])
    },
    post: async ({ addresses, ...request }: Json): Promise<Json[]> => {
      const body = { ...request, primaryNetworkAddressesBodyDto: { addresses } }
      const pages = await all(sdk.data.primaryNetwork.utxos.listByAddressesV2(body))
      return pages.flatMap((page) => (page as Json).utxos as Json[])
    },
  }
}
