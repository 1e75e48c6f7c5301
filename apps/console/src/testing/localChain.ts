import { setTimeout as sleep } from 'node:timers/promises'
import type { ServedChain } from '@firn/data-api'
import { createDemo, type Demo, startLocalEvm } from '@firn/demo-chain'
import { sqlImageQueue, sqlTokenQueue } from '@firn/evm-store'
import { openEvm } from '@firn/evm-store/testing'
import { createEvmIndexer, createImageWorker, createMetadataWorker, createUriReader } from '@firn/indexer'

/** EVM chain id of {@link startLocalChain}. */
export const LOCAL_CHAIN_ID = '4242'

/** A chain of a local EVM, with an indexer and workers for metadata and images that follow it. */
export interface LocalChain {
  /** URL of the EVM. */
  readonly url: string
  readonly demo: Demo
  readonly served: ServedChain
  /** Waits until the blocks, the balances, and the metadata and images of all tokens are stored. */
  settle(): Promise<void>
  close(): Promise<void>
}

const DAY = 86_400
const BLOCKS = 24
const IMAGE_BYTES = 10_000_000

/**
 * Starts a local chain with two days of traffic in 24 blocks, and stores it. `add` adds to the chain of the EVM at a URL.
 * For tests only.
 */
export async function startLocalChain(
  add: (url: string) => Promise<unknown> = async () => undefined,
): Promise<LocalChain> {
  const now = Math.floor(Date.now() / 1000)
  const begin = now - 2 * DAY
  const chainId = Number(LOCAL_CHAIN_ID)
  const evm = await startLocalEvm({
    chainId,
    genesisTime: begin - 60,
    signal: new AbortController().signal,
  })
  const demo = await createDemo(evm.url, begin)
  for (let block = 1; block <= BLOCKS; block++) {
    await demo.block(begin + Math.floor(((now - 60 - begin) * block) / BLOCKS))
  }
  await add(evm.url)
  const store = await openEvm({ chainId: BigInt(chainId) })
  const token = { name: 'Coin', symbol: 'COIN', decimals: 18 }
  const about = { name: 'Demo chain', network: 'local', token } as const
  const indexer = createEvmIndexer({ chains: [{ store, chain: about, upstreams: [{ url: evm.url }] }] })
  const queue = sqlTokenQueue(store, { copiesImages: true })
  const images = sqlImageQueue(store)
  // Tests make no requests to other servers. The metadata and the images of the tokens are in their URIs.
  const offline = {
    fetch: async () => ({ failure: 'name-not-found' }) as const,
    random: Math.random,
    mostAttempts: 1,
  }
  const worker = createMetadataWorker({
    queue,
    readUris: createUriReader(
      async (calls, signal) =>
        (await indexer.contracts(BigInt(chainId))?.callLatest(calls, signal)) ??
        calls.map(() => ({ error: 'unavailable' }) as const),
    ),
    ...offline,
  })
  const copying = createImageWorker({ queue: images, limit: IMAGE_BYTES, ...offline })
  const stop = new AbortController()
  const running = Promise.all([indexer.run(stop.signal), worker.run(stop.signal), copying.run(stop.signal)])
  const close = async () => {
    stop.abort()
    await running.finally(() => Promise.all([store.close(), evm.close()]))
  }
  const isSettled = async () => {
    const [status] = indexer.status()
    if (status?.phase !== 'tip' || status.checkedHeight !== status.height) return false
    const due = [await queue.due(1, BigInt(now + DAY)), await images.due(1, BigInt(now + DAY))]
    return due.flat().length === 0
  }
  const settle = async () => {
    // An indexer that fails ends the wait.
    while (!(await isSettled())) await Promise.race([sleep(100), running])
  }
  try {
    await settle()
  } catch (error) {
    await close().catch(() => {})
    throw error
  }
  return { url: evm.url, demo, served: { store, nodes: [evm.url] }, settle, close }
}
