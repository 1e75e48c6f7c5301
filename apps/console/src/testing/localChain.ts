import { setTimeout as sleep } from 'node:timers/promises'
import type { ServedChain } from '@firn/data-api'
import { createDemo, type Demo, startLocalEvm } from '@firn/demo-chain'
import { createEvmIndexer, createMetadataWorker, createUriReader } from '@firn/indexer'
import { sqlTokenQueue } from '@firn/store/evm'
import { openEvm } from '@firn/store/testing'

/** EVM chain id of {@link startLocalChain}. */
export const LOCAL_CHAIN_ID = '4242'

/** A chain of a local EVM, with an indexer and a metadata worker that follow it. */
export interface LocalChain {
  /** URL of the EVM. */
  readonly url: string
  readonly demo: Demo
  readonly served: ServedChain
  /** Waits until the blocks, the balances and the metadata of all tokens are stored. */
  settle(): Promise<void>
  close(): Promise<void>
}

const DAY = 86_400
const BLOCKS = 24

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
    signal: AbortSignal.timeout(60_000),
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
  const queue = sqlTokenQueue(store)
  const worker = createMetadataWorker({
    queue,
    readUris: createUriReader(
      async (calls, signal) =>
        (await indexer.contracts(BigInt(chainId))?.callLatest(calls, signal)) ??
        calls.map(() => ({ error: 'unavailable' }) as const),
    ),
    // Tests make no requests to other servers. The metadata of the tokens is in their URIs.
    fetch: async () => ({ failure: 'name-not-found' }),
    random: Math.random,
    mostAttempts: 1,
  })
  const stop = new AbortController()
  const running = Promise.all([indexer.run(stop.signal), worker.run(stop.signal)])
  const close = async () => {
    stop.abort()
    await running.finally(() => Promise.all([store.close(), evm.close()]))
  }
  const isSettled = async () => {
    const [status] = indexer.status()
    if (status?.phase !== 'tip' || status.checkedHeight !== status.height) return false
    return (await queue.due(1, BigInt(now + DAY))).length === 0
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
