import { type AggregatorService, createAggregatorService, createConfiguration } from '@firn/aggregator'
import { Id } from '@firn/codec'
import { deployMailbox, startWarpChain, type WarpChain } from '@firn/demo-chain'
import { createDevnet, type Devnet, type DevnetOptions } from '@firn/devnet'
import type { Hex } from 'viem'

/** A local network: two L1s with a mailbox each, and a signature aggregator. */
export interface LocalNetwork {
  readonly devnet: Devnet
  readonly source: WarpChain
  readonly destination: WarpChain
  /** Address of the mailbox, which is the same on both chains. */
  readonly mailbox: Hex
  /** URL of the aggregator's routes for this network. */
  readonly aggregator: string
  close(): Promise<void>
}

/** EVM chain ids of the source and the destination. */
const CHAIN_IDS = [43_301, 43_302] as const

/** Starts a devnet of five validators with two L1s. */
export function createLocalDevnet(options: Pick<DevnetOptions, 'proposedLagMs'> = {}): Promise<Devnet> {
  return createDevnet({ ...options, l1s: [{ name: 'source' }, { name: 'destination' }] })
}

/**
 * Starts an EVM chain with an emulated Warp precompile for each L1 of a devnet, and an aggregator. A message that the
 * source chain has accepted becomes signable by the devnet's validators. Closing the network also closes the devnet.
 */
export async function startLocalNetwork(devnet: Devnet, signal: AbortSignal): Promise<LocalNetwork> {
  const closers = [() => devnet.close()]
  const close = async () => {
    for (const end of closers.splice(0).reverse()) await end()
  }
  try {
    const source = await startChain(devnet, 0, signal)
    closers.push(source.close)
    const destination = await startChain(devnet, 1, signal)
    closers.push(destination.close)
    const service = await startAggregator(devnet, [source, destination], signal)
    closers.push(() => service.close())
    const mailbox = await deployMailbox(source.rpcUrl)
    await deployMailbox(destination.rpcUrl)
    const aggregator = `${service.url}/v1/signatureAggregator/local`
    return { devnet, source, destination, mailbox, aggregator, close }
  } catch (error) {
    await close()
    throw error
  }
}

function startChain(devnet: Devnet, index: 0 | 1, signal: AbortSignal): Promise<WarpChain> {
  const { id: blockchainId } = chainOf(devnet, index)
  return startWarpChain({
    ...{
      chainId: CHAIN_IDS[index],
      networkId: devnet.networkId,
      blockchainId,
      nodeUrl: devnet.rpcUrl,
      signal,
    },
    onMessage: (message) => devnet.acceptUnsigned(blockchainId, message),
  })
}

function startAggregator(
  devnet: Devnet,
  chains: readonly [WarpChain, WarpChain],
  signal: AbortSignal,
): Promise<AggregatorService> {
  const chainRpc = chains.map(
    ({ rpcUrl }, i) => `${Id.format(chainOf(devnet, i === 0 ? 0 : 1).id)}=${rpcUrl}`,
  )
  const own = { network: 'local', host: '127.0.0.1', apiPort: 0, logLevel: 'error' } as const
  const configuration = createConfiguration({ ...own, pChainApi: devnet.rpcUrl, chainRpc })
  return createAggregatorService(configuration, { signal })
}

/** Returns the chain of the first L1 (the source) or of the second one (the destination). */
export function chainOf(devnet: Devnet, index: 0 | 1): Devnet['chains']['l1s'][number] {
  const chain = devnet.chains.l1s[index]
  if (chain === undefined) throw new Error(`the devnet has no L1 ${index}`)
  return chain
}
