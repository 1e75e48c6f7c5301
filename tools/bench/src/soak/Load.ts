import { setTimeout as sleep } from 'node:timers/promises'
import { Hex, Network } from '@firn/codec'
import { FundedWallet } from '@firn/devnet'
import * as JsonRpc from './JsonRpc.ts'
import type * as Kinds from './Kinds.ts'
import { EVM_CHAIN_ID, NETWORK_ID, type Networks } from './Networks.ts'
import type { Service } from './Service.ts'

/** What is called: a kind of service with an API, or the gateway of the kind `evm`. */
export type Target = Exclude<Kinds.Kind, 'index'> | 'gateway'

/** A failed request. */
export interface Failure {
  readonly target: Target
  readonly service: string
  /** HTTP status, `rpc <code>`, `timeout` or the code of a socket's error. */
  readonly code: string
}

/** The result of a request. Times are in milliseconds of `performance.now()`. */
export interface Outcome {
  readonly target: Target
  readonly service: string
  readonly path: string
  readonly from: number
  readonly until: number
  readonly code: string | undefined
  /** Start of the body of a failed request. */
  readonly detail: string
}

interface Request {
  readonly path: string
  readonly body?: string
}

/** Name of the network in paths. */
const NETWORK = Network.formatName(NETWORK_ID)

const TIMEOUT_MS = 60_000
/** Maximum number of requests in progress at one target. */
const MAX_IN_PROGRESS = 8
/** Time between two requests to one target. */
const PACE_MS: Readonly<Record<Target, number>> = {
  aggregator: 1_000,
  node: 500,
  'data-api': 500,
  evm: 500,
  gateway: 500,
}

/** Returns the requests of one target, which are sent in turn. */
const mixes = (networks: Networks): Readonly<Record<Target, (count: number) => Request>> => {
  const { account, token, devnet } = networks
  const primary = `/v1/networks/${NETWORK}/blockchains`
  const owner = devnet.builder === undefined ? '' : FundedWallet.address(devnet.builder, 'P')
  const chain = `/v1/chains/${EVM_CHAIN_ID}`
  const rpc = (path: string, method: string, params: unknown = {}) => ({
    path,
    body: JsonRpc.body(method, params),
  })
  const inTurn = (requests: readonly Request[]) => (count: number) =>
    requests[count % requests.length] as Request
  return {
    aggregator: (count) => {
      // Every third request asks again for the signatures of an earlier message.
      const number = count % 3 === 2 ? count - 2 : count
      const chain = number % 2 === 0 || devnet.l1s[0] === undefined ? 'C' : devnet.l1s[0].name
      const payload = new TextEncoder().encode(`message ${number}`)
      const message = Hex.encode(devnet.acceptMessage({ chain, payload }))
      return {
        path: `/v1/signatureAggregator/local/aggregateSignatures`,
        body: JSON.stringify({ message }),
      }
    },
    node: inTurn([
      rpc('/ext/bc/P', 'platform.getHeight'),
      rpc('/ext/bc/P', 'platform.getCurrentValidators'),
      rpc('/ext/bc/P', 'platform.getBlockByHeight', { height: 1, encoding: 'json' }),
      rpc('/ext/bc/P', 'platform.getUTXOs', { addresses: [owner], limit: 100 }),
      rpc('/ext/bc/X', 'avm.getHeight'),
      rpc('/ext/index/P/block', 'index.getLastAccepted', { encoding: 'hex' }),
      rpc('/ext/info', 'info.getNetworkID'),
    ]),
    'data-api': inTurn([
      { path: `${primary}/p-chain/blocks` },
      { path: `${primary}/p-chain/transactions` },
      { path: `${primary}/x-chain/transactions` },
      { path: `${primary}/p-chain/balances?addresses=${owner}` },
      { path: `${primary}/p-chain/utxos?addresses=${owner}` },
      { path: `/v1/networks/${NETWORK}/validators` },
      { path: `/v1/networks/${NETWORK}/subnets` },
    ]),
    evm: inTurn([
      { path: `${chain}/blocks` },
      { path: `${chain}/transactions` },
      { path: `${chain}/addresses/${account}/transactions` },
      { path: `${chain}/addresses/${account}/balances:listErc20` },
      { path: `${chain}/tokens/${token}/transfers` },
      { path: `/v2/chains/${EVM_CHAIN_ID}/metrics/txCount?timeInterval=day` },
    ]),
    gateway: inTurn([
      rpc('', 'eth_blockNumber', []),
      rpc('', 'eth_getBlockByNumber', ['latest', true]),
      rpc('', 'eth_getBalance', [account, 'latest']),
      rpc('', 'eth_getLogs', [{ fromBlock: 'latest' }]),
    ]),
  }
}

/**
 * Sends requests to all services at a modest rate until the signal is aborted, and calls `onOutcome` with the result of
 * each. Both services of a kind are called in turn.
 */
export async function run(
  networks: Networks,
  services: Readonly<Record<Kinds.Kind, readonly Service[]>>,
  onOutcome: (outcome: Outcome) => void,
  signal: AbortSignal,
): Promise<void> {
  const requests = mixes(networks)
  const one = async (target: Target) => {
    const inProgress = new Set<Promise<void>>()
    const group = services[target === 'gateway' ? 'evm' : target]
    for (let count = 0; !signal.aborted; count++) {
      const service = group[Math.floor(count / 7) % group.length] as Service
      const url = target === 'gateway' ? (service.gatewayUrl ?? service.url) : service.url
      if (inProgress.size < MAX_IN_PROGRESS * group.length) {
        const sent = send(target, service.name, url, requests[target](count)).then(onOutcome)
        inProgress.add(sent)
        void sent.then(() => inProgress.delete(sent))
      }
      await sleep(PACE_MS[target], undefined, { signal }).catch(() => undefined)
    }
    await Promise.all(inProgress)
  }
  await Promise.all((Object.keys(PACE_MS) as Target[]).map(one))
}

async function send(target: Target, service: string, url: string, request: Request): Promise<Outcome> {
  const from = performance.now()
  const { code, detail } = await ask(url, request)
  return { target, service, path: nameOf(request), from, until: performance.now(), code, detail }
}

function nameOf({ path, body }: Request): string {
  const method = body === undefined ? undefined : (JSON.parse(body) as { method?: string }).method
  return method ?? path.split('?')[0] ?? path
}

async function ask(
  url: string,
  { path, body }: Request,
): Promise<{ readonly code: string | undefined; readonly detail: string }> {
  try {
    const response = await fetch(url + path, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body === undefined
        ? {}
        : { method: 'POST', body, headers: { 'content-type': 'application/json' } }),
    })
    const text = await response.text()
    if (response.status !== 200) return { code: `${response.status}`, detail: text.slice(0, 300) }
    const { error } = JSON.parse(text) as { error?: { code: number; message: string } }
    if (error === undefined) return { code: undefined, detail: '' }
    return { code: `rpc ${error.code}`, detail: error.message.slice(0, 300) }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (error.name === 'TimeoutError') return { code: 'timeout', detail: '' }
    const cause = error.cause as { readonly code?: string } | undefined
    return { code: cause?.code ?? error.name, detail: error.message }
  }
}
