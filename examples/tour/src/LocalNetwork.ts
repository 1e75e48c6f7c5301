import { type AggregatorService, createAggregatorService, createConfiguration } from '@firn/aggregator'
import { Hex, NodeId } from '@firn/codec'
import { createDevnet, type Devnet, FundedWallet } from '@firn/devnet'
import { PrivateKey } from '@firn/keys'
import { createClient, PlatformMethods } from '@firn/rpc'
import type { TourNode, TourOptions } from './tour.ts'

/** A devnet with real chains, and a signature aggregator. */
export interface LocalNetwork {
  readonly devnet: Devnet
  /** URL of the aggregator. */
  readonly aggregatorUrl: string
  /** The options of the tour on this network. */
  readonly options: TourOptions
  close(): Promise<void>
}

/** Starts a devnet of five validators, and an aggregator. The devnet's validators are also the nodes of the L1. */
export async function startLocalNetwork(signal: AbortSignal): Promise<LocalNetwork> {
  const devnet = await createDevnet({
    networkId: 54_321,
    buildBlocks: true,
    buildDelayMs: 1,
    proposedLagMs: 0,
  })
  const closers: (() => Promise<void>)[] = [() => devnet.close()]
  const close = async () => {
    for (const end of closers.splice(0).reverse()) await end()
  }
  try {
    await devnet.warm()
    const aggregator = await startAggregator(devnet, signal)
    closers.push(() => aggregator.close())
    const [validator, ...nodes] = await readNodes(devnet)
    const [first, second] = nodes
    if (validator === undefined || first === undefined || second === undefined)
      throw new Error('expected a devnet of at least three validators')
    const options: TourOptions = {
      url: devnet.rpcUrl,
      key: PrivateKey.format(FundedWallet.KEY),
      aggregator: `${aggregator.url}/v1/signatureAggregator/local`,
      validator: validator.nodeId,
      nodes: [first, second],
      // The devnet's C-chain has no EVM. On a real network, a transaction calls sendWarpMessage of the Warp precompile.
      sendMessage: async (payload) =>
        devnet.acceptMessage({ chain: 'C', payload, sourceAddress: FundedWallet.EVM_ADDRESS }),
    }
    return { devnet, aggregatorUrl: aggregator.url, options, close }
  } catch (error) {
    await close()
    throw error
  }
}

function startAggregator(devnet: Devnet, signal: AbortSignal): Promise<AggregatorService> {
  const own = { network: 'local', host: '127.0.0.1', apiPort: 0, logLevel: 'error' } as const
  return createAggregatorService(createConfiguration({ ...own, pChainApi: devnet.rpcUrl }), { signal })
}

/** Returns the nodes of the devnet with their BLS keys. */
async function readNodes(devnet: Devnet): Promise<readonly TourNode[]> {
  const platform = createClient(PlatformMethods, { url: `${devnet.rpcUrl}/ext/bc/P` })
  const { validators } = await platform.call('platform.getCurrentValidators', {})
  return validators.flatMap((one) =>
    'signer' in one && one.signer !== undefined
      ? [
          {
            nodeId: NodeId.format(one.nodeID),
            signer: {
              publicKey: Hex.encode(one.signer.publicKey),
              proofOfPossession: Hex.encode(one.signer.proofOfPossession),
            },
          },
        ]
      : [],
  )
}
