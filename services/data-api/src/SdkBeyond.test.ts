import { readFileSync } from 'node:fs'
import type { Avalanche } from '@avalanche-sdk/chainkit'
import { recordedStore } from '@firn/store/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import { client } from './testing/client.ts'
import { listen } from './testing/serve.ts'

/** What the recorded node said of addresses at the end. */
const SAID: {
  readonly platform: Readonly<Record<string, string>>
  readonly staked: Readonly<Record<string, string>>
  readonly avm: Readonly<Record<string, Readonly<Record<string, string>>>>
} = JSON.parse(readFileSync(new URL('../vectors/balances.json', import.meta.url), 'utf8'))

const EWOQ = 'local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u'
let sdk: Avalanche

beforeAll(async () => {
  const { url } = await listen(await recordedStore('local'))
  sdk = client(url)
}, 60_000)

// biome-ignore lint/suspicious/noExplicitAny: the client's types are unions of all chains
type Json = any

describe('balances', () => {
  const of = async (blockchainId: 'p-chain' | 'x-chain' | 'c-chain', more: object): Promise<Json> =>
    sdk.data.primaryNetwork.balances.listByAddresses({ blockchainId, ...more })
  const amount = (sums: Json) => sums.reduce((sum: bigint, one: Json) => sum + BigInt(one.amount), 0n)

  test.each(Object.keys(SAID.platform))('on the P-chain of %s are what the node said', async (address) => {
    const { balances, chainInfo } = await of('p-chain', { addresses: `P-${address}` })
    expect(chainInfo).toEqual({ chainName: 'p-chain', network: 'fuji' })
    const { unlockedUnstaked, lockedPlatform, lockedStakeable, unlockedStaked, lockedStaked } = balances
    expect(String(amount([...unlockedUnstaked, ...lockedPlatform, ...lockedStakeable]))).toBe(
      SAID.platform[address],
    )
    expect(String(amount([...unlockedStaked, ...lockedStaked]))).toBe(SAID.staked[address])
  })

  test.each(Object.keys(SAID.avm))('on the X-chain of %s are what the node said', async (address) => {
    const { balances } = await of('x-chain', { addresses: address })
    const sums = [...balances.unlocked, ...balances.locked].filter((one) => one.amount !== '0')
    const byAsset = Map.groupBy(sums, ({ assetId, symbol }) => (symbol === 'AVAX' ? symbol : assetId))
    const found = [...byAsset].map(([asset, some]) => [asset, String(amount(some))])
    const said = Object.entries(SAID.avm[address] ?? {}).filter(([, sum]) => sum !== '0')
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(said))
  })

  test('at an earlier time are what the node said then, locks included', async () => {
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
      message: expect.stringContaining('blockTimestamp: expected the genesis'),
    })
  })

  test('in shared memory are those that can be imported, by the chain that exported them', async () => {
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
