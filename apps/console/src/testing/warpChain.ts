import { setTimeout as sleep } from 'node:timers/promises'
import { Hex } from '@firn/codec'
import type { ServedChain } from '@firn/data-api'
import { startWarpChain, type WarpChain } from '@firn/demo-chain'
import type { Devnet } from '@firn/devnet'
import { openEvm } from '@firn/evm-store/testing'
import { createEvmIndexer } from '@firn/indexer'
import { WarpEvent } from '@firn/warp'

const CHAIN_ID = 4_243
/** Selector of `sendWarpMessage(bytes)`. */
const SEND = 'ee5b48eb'

/** An EVM chain with the id of a devnet's C-chain that sends Warp messages, and an indexer that follows it. */
export interface SendingChain {
  readonly rpcUrl: string
  readonly served: ServedChain
  /** Sends a message from a transaction, and returns the hash of the transaction when it is stored. */
  send(payload: string): Promise<string>
  close(): Promise<void>
}

/** Starts the chain. The validators of the devnet accept its messages. For tests only. */
export async function startSendingChain(devnet: Devnet): Promise<SendingChain> {
  const chain: WarpChain = await startWarpChain({
    chainId: CHAIN_ID,
    networkId: devnet.networkId,
    blockchainId: devnet.chains.c.id,
    nodeUrl: devnet.rpcUrl,
    onMessage: (message) => devnet.acceptUnsigned('C', message),
    signal: new AbortController().signal,
  })
  const call = async <T>(method: string, ...params: readonly unknown[]): Promise<T> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(chain.rpcUrl, { method: 'POST', headers, body })
    return ((await response.json()) as { readonly result: T }).result
  }
  const store = await openEvm({ chainId: BigInt(CHAIN_ID) })
  const token = { name: 'Coin', symbol: 'COIN', decimals: 18 }
  const about = { name: 'Warp chain', network: 'local', token } as const
  const indexer = createEvmIndexer({
    chains: [{ store, chain: about, upstreams: [{ url: chain.rpcUrl }] }],
  })
  const stop = new AbortController()
  const running = indexer.run(stop.signal)
  return {
    rpcUrl: chain.rpcUrl,
    served: { store, nodes: [chain.rpcUrl] },
    async send(payload) {
      const [from] = await call<readonly string[]>('eth_accounts')
      const data = `0x${SEND}${Hex.encodeBare(WarpEvent.encodeData(new TextEncoder().encode(payload)))}`
      const hash = await call<string>('eth_sendTransaction', {
        from,
        to: Hex.encode(WarpEvent.ADDRESS),
        data,
      })
      const height = BigInt(await call<string>('eth_blockNumber'))
      // An indexer that fails ends the wait.
      while (BigInt(indexer.status()[0]?.height ?? -1) < height) await Promise.race([sleep(100), running])
      return hash
    },
    async close() {
      stop.abort()
      await running.finally(() => Promise.all([store.close(), chain.close()]))
    },
  }
}
