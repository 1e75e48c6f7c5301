import { type AggregatorService, createAggregatorService, createConfiguration } from '@firn/aggregator'
import { Id } from '@firn/codec'
import { createDevnet, type Devnet } from '@firn/devnet'
import { recordedStore } from '@firn/store/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Served, serve, visit, type WatchedPage, watch } from './testing/opened.ts'
import { type SendingChain, startSendingChain } from './testing/warpChain.ts'

let devnet: Devnet
let chain: SendingChain
let aggregator: AggregatorService
/** A Data API whose console finds the aggregator at another origin. */
let served: Served
let hash: string

beforeAll(async () => {
  devnet = await createDevnet()
  chain = await startSendingChain(devnet)
  const chainId = Id.format(devnet.chains.c.id)
  aggregator = await createAggregatorService(
    createConfiguration({
      pChainApi: devnet.rpcUrl,
      apiPort: 0,
      logLevel: 'off',
      workers: 0,
      chainRpc: [{ blockchainId: chainId, baseUrl: chain.rpcUrl }],
    }),
  )
  const apis = [{ kind: 'aggregator', url: aggregator.url, network: aggregator.networkName }] as const
  served = await serve({ store: await recordedStore('local'), chains: [chain.served], apis })
  hash = await chain.send('hello from a transaction')
})
afterAll(async () => {
  await served?.close()
  await aggregator?.close()
  await chain?.close()
  await devnet?.close()
})

async function withPage(work: (watched: WatchedPage) => Promise<void>) {
  const watched = await watch(served)
  try {
    await work(watched)
    expect(watched.problems).toEqual([])
  } finally {
    await watched.close()
  }
}

/** Opens the only message of the transaction, and collects its signatures. */
async function sign({ page }: WatchedPage) {
  await page.getByText('1 row', { exact: true }).waitFor()
  await page.locator('tbody a').click()
  await page.getByText('AddressedCall', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Collect signatures' }).click()
  await page.getByText('Valid: this browser has verified the signature.').waitFor()
}

test('finds the message of a transaction in the logs of the Data API, and signs it at another origin', async () => {
  await withPage(async (watched) => {
    await visit(watched, served.service.url, '#/warp/messages')
    await watched.page.getByLabel(/^Message in hexadecimal/).fill(hash)
    await watched.page.getByRole('button', { name: 'Show', exact: true }).click()
    await sign(watched)
  })
})

test('finds the message of a transaction by the node that the aggregator knows', async () => {
  await withPage(async (watched) => {
    await visit(watched, aggregator.url, `#/warp/tx/${hash}`)
    await watched.page.getByText(/Name its chain below/).waitFor()
    await watched.page.getByLabel('Blockchain id').fill(Id.format(devnet.chains.c.id))
    await watched.page.getByRole('button', { name: 'Find messages' }).click()
    await sign(watched)
  })
})
