import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Bech32, Id } from '@firn/codec'
import { silentLogger, systemClock } from '@firn/runtime'
import { database } from '@firn/sql/testing'
import { recordedStore } from '@firn/store/testing'
import { expect, test } from 'vitest'
import { all, client } from '../testing/client.ts'
import { listen, serve } from '../testing/serve.ts'
import * as Metadata from './Metadata.ts'

test('describes subnets, and returns the price at the time of a reward', async () => {
  const store = await recordedStore('local')
  const network = await store.network()
  const rewards = await database(store)
    .selectFrom('utxo')
    .select(['addresses', 'asset_id', 'time'])
    .where('origin', '=', 'reward')
    .execute()
  const [
    {
      addresses: [owner],
      asset_id: assetId,
      time,
    } = { addresses: [] },
  ] = rewards
  if (owner === undefined || assetId === undefined) throw new Error('the recording contains no reward')
  const folder = mkdtempSync(join(tmpdir(), 'firn-metadata-'))
  const path = join(folder, 'metadata.json')
  const { json } = await (await serve(store))('/v1/networks/fuji/subnets?pageSize=1')
  const { subnetId } = json.subnets[0]
  const history = {
    avax: [
      { timestamp: Number(time) - 86_400 * 2, usd: 5, eur: 4 },
      { timestamp: Number(time) - 60, usd: 9, eur: 8 },
    ],
  }
  const site = 'https://example.org'
  const file = {
    subnets: { [subnetId]: { name: 'Mine', description: 'My subnet', officialSite: site, tags: ['a'] } },
    assets: { [Id.format(assetId)]: { priceId: 'avax' } },
    prices: { history },
  }
  writeFileSync(path, JSON.stringify(file))
  const fetch = async () => ({ failure: 'timeout' }) as const
  const metadata = await Metadata.open({ path, fetch, clock: systemClock, log: silentLogger })
  const server = await listen(store, { metadata, now: () => (Number(time) + 90_000) * 1_000 })
  try {
    const subnet = await read(`${server.url}/v1/networks/fuji/subnets/${subnetId}`)
    expect(subnet).toMatchObject({ name: 'Mine', description: 'My subnet', officialSite: site, tags: ['a'] })
    const { rewards: sdk } = client(server.url).data.primaryNetwork
    const address = Bech32.encode(network?.constants.hrp ?? '', owner)
    const pages = await all(sdk.listHistoricalRewards({ addresses: address, currency: 'eur', pageSize: 100 }))
    const prices = pages.flatMap((page) => page.historicalRewards.map(({ reward }) => reward.historicalPrice))
    expect(prices).toContainEqual({ currencyCode: 'eur', value: 8 })
  } finally {
    metadata.close()
    await server.close()
    rmSync(folder, { recursive: true })
  }
})

const read = async (url: string): Promise<unknown> => (await fetch(url)).json()
