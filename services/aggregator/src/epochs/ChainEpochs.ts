import { Id, Network } from '@firn/codec'
import {
  type Client,
  createUpstreams,
  type Endpoint,
  isRpcError,
  type Observe,
  ProposerVmMethods,
  type RpcError,
} from '@firn/rpc'
import type { Clock } from '@firn/runtime'
import type { Configuration } from '../configuration/Configuration.ts'
import { AggregatorError } from '../errors/AggregatorError.ts'
import { platformEndpoints } from '../p-chain/NodeApis.ts'
import type { PChain } from '../p-chain/PChain.ts'
import { endpointOf } from './ChainRpc.ts'
import type { CurrentEpoch } from './Epochs.ts'

const ROUNDS = 2
const P_CHAIN = Id.format(Id.EMPTY)

/** Length of an epoch on Mainnet, on Fuji and, by default, on other networks, in seconds. */
const PUBLIC_SECONDS = 300
const DEFAULT_SECONDS = 30

/** Matches the error of nodes that are older than Granite. */
const NO_METHOD = /can't find (?:method|service)/

/**
 * Returns the sources of epochs, by chain id in cb58: all chains of `--chain-rpc`, and the P-chain, which is known
 * anyway. `ownPlatform` is the proposervm's API on the P-chain; by default the proposervm's API on the node APIs.
 */
export function createChainEpochs(
  configuration: Pick<Configuration, 'chainRpc' | 'network' | 'pChainApi' | 'upstreamTimeout'>,
  clock: Clock,
  observe?: Observe,
  ownPlatform?: Client<typeof ProposerVmMethods>,
): ReadonlyMap<string, CurrentEpoch> {
  const client = (endpoints: readonly Endpoint[], path: string) =>
    createUpstreams({
      endpoints,
      timeoutMs: configuration.upstreamTimeout,
      clock,
      observe,
      rounds: ROUNDS,
      isAnswer: isUnsupported,
      random: Math.random,
    }).client(ProposerVmMethods, path)
  const platform = ownPlatform ?? client(platformEndpoints(configuration), '/ext/bc/P/proposervm')
  const configured = configuration.chainRpc.map(
    (chain) => [chain.blockchainId, client([endpointOf(chain, 'proposervm')], '')] as const,
  )
  const clients = [[P_CHAIN, platform] as const, ...configured]
  return new Map(clients.map(([chainId, one]) => [chainId, (signal) => currentEpoch(chainId, one, signal)]))
}

async function currentEpoch(
  chainId: string,
  client: Client<typeof ProposerVmMethods>,
  signal: AbortSignal | undefined,
) {
  try {
    const epoch = await client.call('proposervm.getCurrentEpoch', {}, { signal })
    return epoch.number === 0n ? undefined : epoch
  } catch (cause) {
    if (isRpcError(cause) && cause.code === 'RPC_REMOTE' && isUnsupported(cause)) return undefined
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new AggregatorError(
      'AGGREGATOR_CHAIN_RPC',
      `destinationChain: the node of the chain ${chainId} returned no usable response: ${reason}`,
      { details: { field: 'destinationChain', chainId }, cause },
    )
  }
}

function isUnsupported({ details }: RpcError): boolean {
  return NO_METHOD.test(details.rpcMessage ?? '')
}

/**
 * Returns a function that returns the length of an epoch in seconds. Networks other than Mainnet and Fuji may have their
 * own length, which is requested until an upstream has returned it.
 */
export function createEpochDuration(
  networkId: number,
  pChain: Pick<PChain, 'epochDurationSeconds'>,
): (signal?: AbortSignal) => Promise<number> {
  let known = networkId === Network.MAINNET || networkId === Network.FUJI ? PUBLIC_SECONDS : undefined
  return async (signal) => {
    known ??= await pChain.epochDurationSeconds(signal).catch(() => undefined)
    return known ?? DEFAULT_SECONDS
  }
}
